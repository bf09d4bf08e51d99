package board_test

import (
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// leaves holds the numbers of moves and of ended games in a tree of all legal moves.
type leaves struct {
	moves, blackWins, whiteWins, draws int
}

func (l *leaves) end(o board.Outcome) {
	switch o {
	case board.BlackWins:
		l.blackWins++
	case board.WhiteWins:
		l.whiteWins++
	case board.Draw:
		l.draws++
	}
}

// perft plays all legal moves to the depth.
func perft(b *board.Board, depth int, l *leaves) {
	for _, c := range b.AllEmpty(nil) {
		if b.Legal(c) != nil {
			continue
		}
		l.moves++
		b.Play(c)
		l.end(b.Outcome())
		if depth > 1 && b.Outcome() == board.Ongoing {
			perft(b, depth-1, l)
		}
		b.Undo()
	}
}

// bruteBoard is a board that keeps the stones alone and reads the rules off them.
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

// won reports whether the stone just put on (x, y) wins.
func (b *bruteBoard) won(x, y int) bool {
	for _, step := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		dx, dy := step[0], step[1]
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

// legal reports whether the mover may play the cell.
func (b *bruteBoard) legal(x, y int) bool {
	if b.stone[y][x] != 0 {
		return false
	}
	if b.rule != pattern.Renju || b.mover == 'O' {
		return true
	}
	var r boardtest.Referee
	for _, c := range boardtest.Cells(b.size) {
		switch b.stone[c.Y()][c.X()] {
		case 0:
			r.Free(c)
		case 'X':
			r.Put(board.Black, c)
		}
	}
	return r.Foul(board.At(x, y)) == board.NoFoul
}

// moves returns the legal cells.
func (b *bruteBoard) moves() (cells []board.Cell) {
	for y := range b.size {
		for x := range b.size {
			if b.legal(x, y) {
				cells = append(cells, board.At(x, y))
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
			l.end(board.WinFor(board.Colour(1 - b.colour())))
		case over:
			l.end(board.Draw)
		case depth > 1:
			b.perft(depth-1, l)
		}
		b.mover ^= 'X' ^ 'O'
		b.stone[c.Y()][c.X()] = 0
	}
}

func (b *bruteBoard) colour() board.Colour {
	if b.mover == 'X' {
		return board.Black
	}
	return board.White
}

// Legal moves and ends of games on small boards equal brute force under every rule, from positions
// with three to nine empty cells to the end of the game, and for two plies from emptier ones.
func TestPerftEqualsBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for rule := range pattern.Rule(pattern.NumRules) {
		var all leaves
		for position := range perftPositions {
			b := boardtest.New(t, 5+position%2, rule)
			empty := 3 + rng.IntN(4)
			depth := empty
			if position%4 == 0 {
				empty, depth = 7+rng.IntN(12), 2
			}
			boardtest.Fill(b, rng, boardtest.Shuffled(b.Size(), rng), empty, 50)
			plain := bruteBoard{rule: rule, size: b.Size(), mover: 'X'}
			for _, c := range boardtest.Cells(b.Size()) {
				if colour, ok := b.Stone(c); ok {
					plain.stone[c.Y()][c.X()] = "XO"[colour]
				}
			}
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
