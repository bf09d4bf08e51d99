package selfplay

import (
	"context"
	"testing"
	"time"

	"quintune/board"
	"quintune/pattern"
	"quintune/weights/weightstest"
)

// ticking is a player that takes a millisecond for every stone on the board.
type ticking struct{ Player }

func (p ticking) Move(ctx context.Context, position *board.Board) (Reply, error) {
	reply, err := p.Player.Move(ctx, position)
	reply.Took = time.Duration(position.Stones()) * time.Millisecond
	return reply, err
}

// Times of moves are recorded only for players with a clock.
func TestTimesOfMoves(t *testing.T) {
	batch := smallBatch(t, pattern.Freestyle)
	batch.Pairings = batch.Pairings[:1]
	batch.Contestants[0] = Contestant{Open: func(size int, rule pattern.Rule, nodes int64) (Player, error) {
		e, err := NewEngine(weightstest.Preset(t, "huang"), size, rule, nodes, 0)
		return ticking{e}, err
	}}
	results, err := NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for game, g := range results[0].Games {
		if len(g.Times) == 0 || len(g.Times) > len(g.Moves) {
			t.Fatalf("%d times of %d moves", len(g.Times), len(g.Moves))
		}
		for i, took := range g.Times {
			want := time.Duration(0)
			if i >= 3 && i%2 == game { // moves of A after the opening
				want = time.Duration(i) * time.Millisecond
			}
			if took != want {
				t.Errorf("game %d, move %d took %v, want %v", game, i, took, want)
			}
		}
	}
}
