package board

import (
	"math/rand/v2"
	"testing"

	"quintune/pattern"
)

// leaves counts what the legal moves of some plies lead to.
type leaves struct {
	moves, blackWins, whiteWins, draws int
}

func (l *leaves) end(o Outcome) {
	switch o {
	case BlackWins:
		l.blackWins++
	case WhiteWins:
		l.whiteWins++
	case Draw:
		l.draws++
	}
}

// perft plays all legal moves to the depth.
func perft(b *Board, depth int, l *leaves) {
	for _, c := range b.AllEmpty(nil) {
		if b.Legal(c) != nil {
			continue
		}
		l.moves++
		b.Play(c)
		l.end(b.Outcome())
		if depth > 1 && b.Outcome() == Ongoing {
			perft(b, depth-1, l)
		}
		b.Undo()
	}
}

// bruteBoard knows the rules and nothing else.
type bruteBoard struct {
	rule  pattern.Rule
	size  int
	stone [6][6]byte // 'X', 'O' or 0
	mover byte
}

func (b *bruteBoard) at(x, y int) byte {
	if x < 0 || y < 0 || x >= b.size || y >= b.size {
		return '#'
	}
	return b.stone[y][x]
}

// won says whether the stone just put on (x, y) wins.
func (b *bruteBoard) won(x, y int) bool {
	for d := range 4 {
		dx, dy := vector(d)
		n := 1
		for i := 1; b.at(x+i*dx, y+i*dy) == b.mover; i++ {
			n++
		}
		for i := 1; b.at(x-i*dx, y-i*dy) == b.mover; i++ {
			n++
		}
		longWins := b.rule == pattern.Freestyle || b.rule == pattern.Renju && b.mover == 'O'
		if n == 5 || n > 5 && longWins {
			return true
		}
	}
	return false
}

// legal says whether the mover may play the cell.
func (b *bruteBoard) legal(x, y int) bool {
	if b.stone[y][x] != 0 {
		return false
	}
	if b.rule != pattern.Renju || b.mover == 'O' {
		return true
	}
	var r referee
	for ry := range b.size {
		for rx := range b.size {
			*r.at(rx, ry) = map[byte]point{'X': black, 'O': taken, 0: free}[b.stone[ry][rx]]
		}
	}
	return r.foul(x, y) == NoFoul
}

// moves returns the legal cells.
func (b *bruteBoard) moves() (cells []Cell) {
	for y := range b.size {
		for x := range b.size {
			if b.legal(x, y) {
				cells = append(cells, At(x, y))
			}
		}
	}
	return cells
}

func (b *bruteBoard) perft(depth int, l *leaves) {
	for _, c := range b.moves() {
		l.moves++
		b.stone[c.Y()][c.X()] = b.mover
		won := b.won(c.X(), c.Y())
		b.mover ^= 'X' ^ 'O'
		over := won || len(b.moves()) == 0
		switch {
		case won:
			l.end(WinFor(Colour(1 - b.colour())))
		case over:
			l.end(Draw)
		case depth > 1:
			b.perft(depth-1, l)
		}
		b.mover ^= 'X' ^ 'O'
		b.stone[c.Y()][c.X()] = 0
	}
}

func (b *bruteBoard) colour() Colour {
	if b.mover == 'X' {
		return Black
	}
	return White
}

// Legal moves and ends of games on small boards equal brute force under every rule, from positions
// with three to nine empty cells to the end of the game, and for two plies from emptier ones.
func TestPerftEqualsBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for rule := range pattern.Rule(pattern.NumRules) {
		var all leaves
		for position := range perftPositions {
			b := mustNew(t, 5+position%2, rule)
			empty := 3 + rng.IntN(4)
			depth := empty
			if position%4 == 0 {
				empty, depth = 7+rng.IntN(12), 2
			}
			fill(b, rng, empty)
			plain := bruteBoard{rule: rule, size: b.Size(), mover: 'X'}
			b.eachCell(func(c Cell) {
				if colour, ok := b.Stone(c); ok {
					plain.stone[c.Y()][c.X()] = "XO"[colour]
				}
			})
			var got, want leaves
			perft(b, depth, &got)
			plain.perft(depth, &want)
			if got != want {
				t.Fatalf("%v, %d plies from\n%v: %+v, want %+v", rule, depth, drawing(b), got, want)
			}
			all.moves += got.moves
			all.blackWins += got.blackWins
			all.whiteWins += got.whiteWins
			all.draws += got.draws
		}
		t.Logf("%v: %+v", rule, all)
		if all.blackWins < 100 || all.whiteWins < 100 || all.draws < 100 {
			t.Errorf("%v: too little was met: %+v", rule, all)
		}
	}
}

// fill puts stones that win nothing on all but some cells, as far as there are such; Black is to move.
func fill(b *Board, rng *rand.Rand, empty int) {
	cells := b.AllEmpty(nil)
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for _, c := range cells {
		if b.Size()*b.Size()-b.Stones() <= empty || b.Outcome() != Ongoing {
			break
		}
		colour := Colour(rng.IntN(2))
		if b.Class(colour, c) == pattern.CellFive {
			colour = colour.Other()
		}
		if b.Class(colour, c) != pattern.CellFive {
			b.Place(colour, c)
		}
	}
	if b.Outcome() != Ongoing {
		b.Undo()
	}
	if b.SideToMove() != Black {
		b.Pass()
	}
}
