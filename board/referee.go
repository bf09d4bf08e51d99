package board

import "quintune/pattern"

// PlainFoul judges a black stone on the empty cell by the words of the rule alone (Renju International
// Federation, The International Rules of Renju, 1996; Piskvork's reading of "three"): the plain twin of
// Foul, slow and for tests.
func (b *Board) PlainFoul(c Cell) Foul {
	if b.rule != pattern.Renju || !b.Empty(c) {
		return NoFoul
	}
	var r referee
	for y := range r {
		for x := range r[y] {
			r[y][x] = taken
		}
	}
	b.eachCell(func(c Cell) {
		colour, ok := b.Stone(c)
		switch {
		case !ok:
			*r.at(c.X(), c.Y()) = free
		case colour == Black:
			*r.at(c.X(), c.Y()) = black
		}
	})
	return r.foul(c.X(), c.Y())
}

// referee holds what Black can use of a board, [row][column], with a margin that he cannot.
type referee [MaxSize + 2*refereeMargin][MaxSize + 2*refereeMargin]point

const refereeMargin = 6

// point is a cell as Black sees it.
type point uint8

const (
	taken point = iota // White's, or no cell of the board
	free
	black
)

func (r *referee) at(x, y int) *point { return &r[y+refereeMargin][x+refereeMargin] }

// foul judges a black stone on a free cell.
func (r *referee) foul(x, y int) Foul {
	*r.at(x, y) = black
	defer func() { *r.at(x, y) = free }()
	longest, fours, threes := 0, 0, 0
	for d := range 4 {
		from, to := r.row(x, y, d)
		if to-from == 4 {
			return NoFoul // five beats foul
		}
		longest = max(longest, to-from+1)
		fours += r.fours(x, y, d)
	}
	switch {
	case longest > 5:
		return FoulOverline
	case fours > 1:
		return FoulDoubleFour
	}
	for d := range 4 {
		if r.three(x, y, d) {
			threes++
		}
	}
	if threes > 1 {
		return FoulDoubleThree
	}
	return NoFoul
}

// row returns the bounds, as distances from the stone, of the unbroken row that it is part of.
func (r *referee) row(x, y, d int) (from, to int) {
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
func (r *referee) completions(x, y, d int) (at []int) {
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

// fours counts the fours of a line that the stone is part of. Two cells that complete an unbroken four
// complete the same one; others belong to two.
func (r *referee) fours(x, y, d int) int {
	if r.straightFour(x, y, d) {
		return 1
	}
	return len(r.completions(x, y, d))
}

func (r *referee) straightFour(x, y, d int) bool {
	from, to := r.row(x, y, d)
	return to-from == 3 && len(r.completions(x, y, d)) == 2
}

// three says whether the stone is part of a three: of no four, and of a row that one more stone makes a
// straight four, which is no foul and makes no five.
func (r *referee) three(x, y, d int) bool {
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
		if aim && r.foul(qx, qy) == NoFoul {
			return true
		}
	}
	return false
}

// five says whether the stone is part of exactly five in any line.
func (r *referee) five(x, y int) bool {
	for d := range 4 {
		if from, to := r.row(x, y, d); to-from == 4 {
			return true
		}
	}
	return false
}
