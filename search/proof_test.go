package search

import (
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
)

// checkLine plays the line and checks that it has the claimed length and that its last move ends the game.
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

// checkFours proves a victory by fours using only the rules of the game. After each of the attacker's moves,
// every legal answer either leaves him a five, or is the answer of the line and makes no five.
func checkFours(t *testing.T, b *board.Board, s Solution) {
	t.Helper()
	checkLine(t, b, s)
	for i, c := range s.Line {
		if i%2 == 1 {
			for _, answer := range boardtest.LegalMoves(b) {
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

// canWin reports whether the side to move has a move that wins at once.
func canWin(b *board.Board) bool { return len(boardtest.Fives(b, b.SideToMove())) > 0 }
