package boardtest

import (
	"quintune/board"
	"quintune/pattern"
)

// Foul returns the foul of a black stone on the empty cell. It is the slow plain version of board.Board.Foul.
func Foul(b *board.Board, c board.Cell) board.Foul {
	if b.Rule() != pattern.Renju || !b.Empty(c) {
		return board.NoFoul
	}
	var r Referee
	for _, at := range Cells(b.Size()) {
		if colour, ok := b.Stone(at); ok {
			r.Put(colour, at)
		} else {
			r.Free(at)
		}
	}
	return r.Foul(c)
}

// Referee holds which cells Black can use, [row][column], with a margin of cells that are taken. It follows the
// wording of the rule (Renju International Federation, The International Rules of Renju, 1996) and Piskvork's
// reading of "three". In the zero value no cell is free.
type Referee [board.MaxSize + 2*margin][board.MaxSize + 2*margin]point

const margin = 6

// point is the content of a cell as seen by Black.
type point uint8

const (
	taken point = iota // White's, or outside the board
	free
	black
)

func (r *Referee) at(x, y int) *point { return &r[y+margin][x+margin] }

// Free makes a cell empty.
func (r *Referee) Free(c board.Cell) { *r.at(c.X(), c.Y()) = free }

// Put puts a stone on a cell.
func (r *Referee) Put(colour board.Colour, c board.Cell) {
	*r.at(c.X(), c.Y()) = taken
	if colour == board.Black {
		*r.at(c.X(), c.Y()) = black
	}
}

// Foul judges a black stone on a free cell.
func (r *Referee) Foul(c board.Cell) board.Foul { return r.foul(c.X(), c.Y()) }

func (r *Referee) foul(x, y int) board.Foul {
	*r.at(x, y) = black
	defer func() { *r.at(x, y) = free }()
	longest, fours, threes := 0, 0, 0
	for d := range 4 {
		from, to := r.row(x, y, d)
		if to-from == 4 {
			return board.NoFoul // a five wins even where it is also a foul
		}
		longest = max(longest, to-from+1)
		fours += r.fours(x, y, d)
	}
	switch {
	case longest > 5:
		return board.FoulOverline
	case fours > 1:
		return board.FoulDoubleFour
	}
	for d := range 4 {
		if r.three(x, y, d) {
			threes++
		}
	}
	if threes > 1 {
		return board.FoulDoubleThree
	}
	return board.NoFoul
}

// row returns the bounds, as distances from the stone, of the unbroken row that it is part of.
func (r *Referee) row(x, y, d int) (from, to int) {
	dx, dy := vector(d)
	for *r.at(x+(from-1)*dx, y+(from-1)*dy) == black {
		from--
	}
	for *r.at(x+(to+1)*dx, y+(to+1)*dy) == black {
		to++
	}
	return from, to
}

// completions returns the distances of the free cells of a line that would make exactly five with the stone.
func (r *Referee) completions(x, y, d int) (at []int) {
	dx, dy := vector(d)
	for i := -4; i <= 4; i++ {
		p := r.at(x+i*dx, y+i*dy)
		if *p != free {
			continue
		}
		*p = black
		if from, to := r.row(x, y, d); to-from == 4 && from <= i && i <= to {
			at = append(at, i)
		}
		*p = free
	}
	return at
}

// fours returns the number of fours of a line that contain the stone. The two cells that complete an unbroken
// four complete the same four; other cells complete different fours.
func (r *Referee) fours(x, y, d int) int {
	if r.straightFour(x, y, d) {
		return 1
	}
	return len(r.completions(x, y, d))
}

func (r *Referee) straightFour(x, y, d int) bool {
	from, to := r.row(x, y, d)
	return to-from == 3 && len(r.completions(x, y, d)) == 2
}

// three reports whether the stone is part of a three. It is if it is part of no four, and one more stone makes
// its row a straight four. That stone must be allowed and must not make five.
func (r *Referee) three(x, y, d int) bool {
	if r.fours(x, y, d) > 0 {
		return false
	}
	dx, dy := vector(d)
	for i := -4; i <= 4; i++ {
		qx, qy := x+i*dx, y+i*dy
		if *r.at(qx, qy) != free {
			continue
		}
		*r.at(qx, qy) = black
		from, to := r.row(x, y, d)
		aim := from <= i && i <= to && r.straightFour(x, y, d) && !r.five(qx, qy)
		*r.at(qx, qy) = free
		if aim && r.foul(qx, qy) == board.NoFoul {
			return true
		}
	}
	return false
}

// five reports whether the stone is part of exactly five in any line.
func (r *Referee) five(x, y int) bool {
	for d := range 4 {
		if from, to := r.row(x, y, d); to-from == 4 {
			return true
		}
	}
	return false
}
