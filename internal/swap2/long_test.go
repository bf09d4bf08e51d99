//go:build long

package swap2

import (
	"context"
	"testing"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Half a minute and more, hence behind a build tag: go test -tags long -run Long -v -timeout 1h ./internal/swap2

// Limits of the games: of a choice and of a move, nodes.
const (
	longGames       = 100
	longChoiceNodes = 20_000
	longMoveNodes   = 2_000
)

// Against itself, neither party of the opening is better off, whichever listed opening it begins with:
// docs/results/renju.md has the figures.
func TestPartiesAreEqualLong(t *testing.T) {
	for rule := range pattern.Rule(pattern.NumRules) {
		var points [2]float64 // [party]
		phases := map[int]int{}
		black := 0.0
		for seed, moves := range listed(rule, 15)[:longGames] {
			o, err := Resume(15, rule, moves)
			if err != nil {
				t.Fatal(err)
			}
			settle(t, newChooser(t, 15, rule, uint64(seed)), o, search.Limits{Nodes: longChoiceNodes})
			phases[o.Board().Stones()]++
			switch play(t, o) {
			case board.BlackWins:
				points[o.Black()]++
				black++
			case board.WhiteWins:
				points[o.Black().Other()]++
			default:
				points[Opener] += .5
				points[Responder] += .5
				black += .5
			}
		}
		share := 100 * points[Responder] / longGames
		t.Logf("%v: the first chooser scores %.1f %%, Black %.1f %%; games by stones of the opening %v", rule, share, 100*black/longGames, phases)
		if share < 35 || share > 65 { // three standard errors
			t.Errorf("%v: the first chooser scores %.1f %%", rule, share)
		}
	}
}

// play plays an opening to its end, up to a proven win.
func play(t *testing.T, o *Opening) board.Outcome {
	t.Helper()
	b := o.Board()
	set, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	var engines [2]*search.Engine
	for i := range engines {
		if engines[i], err = search.NewEngine(set, b.Size(), b.Rule(), search.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for b.Outcome() == board.Ongoing {
		mover := b.SideToMove()
		r := engines[mover].Search(context.Background(), b, search.Limits{Nodes: longMoveNodes}, nil)
		switch plies := search.PliesToWin(r.Score); {
		case plies > 0:
			return board.WinFor(mover)
		case plies < 0:
			return board.WinFor(mover.Other())
		}
		b.Play(r.Best)
	}
	return b.Outcome()
}
