package selfplay_test

import (
	"context"
	"testing"

	"quintune/board"
	"quintune/internal/book"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// Confirm wins on the board every game that ended by a proven win. It rejects a win that was given to the wrong
// side.
func TestConfirm(t *testing.T) {
	set := weightstest.Preset(t, "huang")
	for _, rule := range []pattern.Rule{pattern.Freestyle, pattern.Standard, pattern.Renju} {
		batch := &selfplay.Batch{Rule: rule, Size: 15, Nodes: 300, Contestants: []selfplay.Contestant{{Weights: set}, {Weights: set}}}
		for _, o := range book.Embedded(rule, 15).Openings[:6] {
			batch.Pairings = append(batch.Pairings, selfplay.Pairing{A: 0, B: 1, Opening: o.Moves})
		}
		results, err := selfplay.NewPool(2).Run(context.Background(), batch, nil)
		if err != nil {
			t.Fatal(err)
		}
		adjudicated := 0
		for i := range results {
			games := &results[i].Games
			for k := range games {
				if holds, err := selfplay.Confirm(context.Background(), batch, &batch.Pairings[i], games, k); err != nil || !holds {
					t.Errorf("%v, pair %d, game %d: %v after %s does not hold (%v)", rule, i, k, games[k].Outcome, board.FormatMoves(games[k].Moves), err)
				}
				if !games[k].Adjudicated || games[k].Outcome == board.Draw {
					continue
				}
				adjudicated++
				games[k].Outcome = board.BlackWins + board.WhiteWins - games[k].Outcome
				if holds, err := selfplay.Confirm(context.Background(), batch, &batch.Pairings[i], games, k); err != nil || holds {
					t.Errorf("%v, pair %d, game %d: the loser wins (%v)", rule, i, k, err)
				}
			}
		}
		if adjudicated == 0 {
			t.Errorf("%v: no game was ended by a proven win", rule)
		}
	}
}
