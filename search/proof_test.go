package search

import (
	"slices"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// checkLine plays the line: it has the claimed length and its last move ends the game.
func checkLine(t *testing.T, b *board.Board, s Solution) {
	t.Helper()
	if !s.Win || len(s.Line) != s.Plies {
		t.Errorf("%s: a line of %d moves for %d plies", board.FormatMoves(b.Moves()), len(s.Line), s.Plies)
		return
	}
	winner := b.SideToMove()
	for i, c := range s.Line {
		if err := b.Legal(c); err != nil {
			t.Errorf("%s: %v", board.FormatMoves(b.Moves()), err)
			for range i {
				b.Undo()
			}
			return
		}
		b.Play(c)
	}
	if b.Outcome() != board.WinFor(winner) {
		t.Errorf("%s: the line ends with %v", board.FormatMoves(b.Moves()), b.Outcome())
	}
	for range s.Line {
		b.Undo()
	}
}

// checkFours proves a victory by fours with the rules of the game alone: after each of the attacker's moves,
// every legal answer leaves him a five, or is the line's and makes no five.
func checkFours(t *testing.T, b *board.Board, s Solution) {
	t.Helper()
	checkLine(t, b, s)
	for i, c := range s.Line {
		if i%2 == 1 {
			for _, answer := range legalMoves(b) {
				b.Play(answer)
				lost := b.Outcome() == board.Ongoing && canWin(b)
				if b.Outcome() != board.Ongoing || !lost && (answer != c || i+2 >= len(s.Line)) {
					t.Errorf("%v %s: refutes the victory by fours %v", b.Rule(), board.FormatMoves(b.Moves()), s.Line)
				}
				b.Undo()
			}
		}
		b.Play(c)
	}
	for range s.Line {
		b.Undo()
	}
}

// legalMoves returns the cells that the side to move may play, by the plain judge.
func legalMoves(b *board.Board) []board.Cell {
	return slices.DeleteFunc(b.AllEmpty(nil), func(c board.Cell) bool {
		return b.SideToMove() == board.Black && b.PlainFoul(c) != board.NoFoul
	})
}

// longWins says whether more than five win.
func longWins(rule pattern.Rule, colour board.Colour) bool {
	return rule == pattern.Freestyle || rule == pattern.Renju && colour == board.White
}

// canWin says whether the side to move has a move that ends the game in its favour.
func canWin(b *board.Board) bool { return len(fivePoints(b, b.SideToMove())) > 0 }

// fivePoints returns the cells where the colour makes five, by counting stones.
func fivePoints(b *board.Board, colour board.Colour) (cells []board.Cell) {
	for _, c := range b.AllEmpty(nil) {
		for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			n := 1 + run(b, colour, c, step[0], step[1]) + run(b, colour, c, -step[0], -step[1])
			if n == 5 || n > 5 && longWins(b.Rule(), colour) {
				cells = append(cells, c)
				break
			}
		}
	}
	return cells
}

// run counts the colour's stones from the cell on, the cell not included.
func run(b *board.Board, colour board.Colour, c board.Cell, dx, dy int) (n int) {
	for x, y := c.X()+dx, c.Y()+dy; x >= 0 && y >= 0 && x < b.Size() && y < b.Size(); x, y = x+dx, y+dy {
		if stone, ok := b.Stone(board.At(x, y)); !ok || stone != colour {
			break
		}
		n++
	}
	return n
}
