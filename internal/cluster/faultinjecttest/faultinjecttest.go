// Package faultinjecttest makes workers that send false results, for tests of the coordinator.
package faultinjecttest

import (
	"context"
	"sync/atomic"

	"quintune/board"
	"quintune/selfplay"
)

// FlipFrom returns the players of a worker that flips the winner of the first game of every pair, beginning with
// pair number from, counted from 1. It does so where the winner was proven but not played out: only playing the
// game again shows the fraud. Of a search it changes the score by one.
func FlipFrom(from int64) func() selfplay.Runner {
	var pairs atomic.Int64
	return func() selfplay.Runner { return &flipper{selfplay.NewPool(1), &pairs, from} }
}

type flipper struct {
	selfplay.Runner
	pairs *atomic.Int64 // pairs of all jobs so far
	from  int64
}

// Run plays the batch and flips winners; see selfplay.Runner.
func (f *flipper) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results, err := f.Runner.Run(ctx, b, done)
	for i := range results {
		g := &results[i].Games[0]
		if f.pairs.Add(1) < f.from || !g.Adjudicated && !b.Search {
			continue
		}
		if b.Search {
			g.Score++
		}
		switch g.Outcome {
		case board.BlackWins:
			g.Outcome = board.WhiteWins
		case board.WhiteWins:
			g.Outcome = board.BlackWins
		}
	}
	return results, err
}
