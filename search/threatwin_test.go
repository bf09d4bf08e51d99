package search

import (
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// Every threat win in crowded random positions is a win: whatever the other side replies, five is at
// most four plies away. The proof uses the rules of the game alone.
func TestThreatWinsHold(t *testing.T) { checkThreatWins(t, 100) }

func checkThreatWins(t *testing.T, wanted int) {
	for rule := pattern.Freestyle; rule < pattern.NumRules; rule++ {
		t.Run(rule.String(), func(t *testing.T) {
			found := 0
			for seed := uint64(0); found < wanted; seed++ {
				b := boardtest.New(t, 15, rule)
				e := newEngine(t, b)
				rng := rand.New(rand.NewPCG(21, seed))
				for b.Outcome() == board.Ongoing && b.Stones() < 40 {
					if c := board.At(3+rng.IntN(9), 3+rng.IntN(9)); b.Legal(c) == nil {
						b.Play(c)
					}
					if b.Outcome() != board.Ongoing || len(boardtest.Fives(b, b.SideToMove().Other())) > 0 {
						continue
					}
					e.loadPosition(b)
					if _, known := e.knownWin(0); known {
						continue
					}
					if move := e.threatWin(); move != board.NoCell {
						found++
						proveThreatWin(t, b, move)
					}
				}
			}
		})
	}
}

// proveThreatWin plays the move and every reply.
func proveThreatWin(t *testing.T, b *board.Board, move board.Cell) {
	t.Helper()
	if err := b.Legal(move); err != nil {
		t.Errorf("%v %s: %v", b.Rule(), board.FormatMoves(b.Moves()), err)
		return
	}
	b.Play(move)
	defer b.Undo()
	for _, reply := range boardtest.LegalMoves(b) {
		b.Play(reply)
		if b.Outcome() != board.Ongoing || !winsInThree(b) {
			t.Errorf("%v %s: refutes a threat win", b.Rule(), board.FormatMoves(b.Moves()))
		}
		b.Undo()
	}
}

// winsInThree reports whether the side to move makes five at once, or a four with two fives that the
// other side cannot forestall.
func winsInThree(b *board.Board) bool {
	us := b.SideToMove()
	if canWin(b) {
		return true
	}
	for _, c := range b.AtLeast(us, pattern.CellFour, nil) {
		if b.Legal(c) != nil {
			continue
		}
		b.Play(c)
		wins := len(boardtest.Fives(b, us)) > 1 && !canWin(b)
		b.Undo()
		if wins {
			return true
		}
	}
	return false
}
