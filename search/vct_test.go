package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// Replies that the solver of threats does not try do not stop the threat. After each of them the fours that win
// against a pass still win, using only the rules of the game.
func TestOtherRepliesLeaveTheThreat(t *testing.T) {
	checkReplies(t, 4, 20, 8)
}

// checkReplies checks a number of threats in each of a number of seeded games.
func checkReplies(t *testing.T, seed uint64, games uint64, threats int) {
	t.Helper()
	checked, helped := 0, 0
	for game := range games {
		rng := rand.New(rand.NewPCG(seed, game))
		b := randomOpening(t, rng, pattern.Rule(game%pattern.NumRules))
		player, e := newEngine(t, b), newEngine(t, b)
		for left := threats; left > 0 && b.Outcome() == board.Ongoing; {
			move := player.Search(context.Background(), b, Limits{Nodes: soundGameNodes}, nil).Best
			near := b.Near(nil)
			if b.Play(near[rng.IntN(len(near))]); b.Outcome() != board.Ongoing {
				break
			}
			if threat, replies := threatOf(e, b); len(threat) > 3 {
				checkOthers(t, b, threat, replies)
				checked++
				left--
				if len(replies) > len(threat) {
					helped++
				}
			}
			b.Undo()
			if rng.IntN(4) == 0 {
				b.Play(move)
			}
		}
	}
	t.Logf("%d threats, %d of them with replies off the line", checked, helped)
	if checked < 50 || helped < 10 {
		t.Error("too few threats were met")
	}
}

// threatOf returns what the side that has just moved threatens by fours, nil for nothing or where the other
// side comes first, and the replies that the solver tries.
func threatOf(e *Engine, b *board.Board) (threat, replies []board.Cell) {
	e.beginSolve(context.Background(), b, 0)
	own, other := b.Counts(b.SideToMove()), b.Counts(b.SideToMove().Other())
	if own[pattern.CellFive]+own[pattern.CellOpenFour]+other[pattern.CellFive] > 0 {
		return nil, nil
	}
	t := newVCT(e, leastSolverEntries)
	if !t.threatens(0) {
		return nil, nil
	}
	return t.path[0].threat, t.path[0].replies
}

// checkOthers lets the defender play every other cell and the attacker his fours.
func checkOthers(t *testing.T, b *board.Board, threat, replies []board.Cell) {
	t.Helper()
	for _, c := range boardtest.LegalMoves(b) {
		if slices.Contains(replies, c) {
			continue
		}
		before := b.Ply()
		b.Play(c)
		for i := 0; i+2 < len(threat); i += 2 {
			allowed := b.Legal(threat[i]) == nil
			b.Play(threat[i])
			fives := boardtest.Fives(b, b.SideToMove().Other())
			answers := slices.DeleteFunc(slices.Clone(fives), func(c board.Cell) bool { return b.Legal(c) != nil })
			if !allowed || canWin(b) || len(fives) == 0 || len(fives) == 1 && len(answers) == 1 && (fives[0] != threat[i+1] || i+3 >= len(threat)) {
				t.Errorf("%v %s: the reply %v stops the threat %v at %v", b.Rule(), board.FormatMoves(b.Moves()), c, threat, threat[i])
			}
			if len(answers) == 0 {
				break // the other stone has made the answer forbidden
			}
			b.Play(threat[i+1])
		}
		for b.Ply() > before {
			b.Undo()
		}
	}
}
