package tuner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"

	"golang.org/x/sync/errgroup"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/selfplay"
)

// selfCheckShare is the share of the pairs of our own engine that are played twice and compared. Chosen: what it costs.
const selfCheckShare = .02

// recorder is a Runner that keeps the last batch with its results.
type recorder struct {
	selfplay.Runner
	batch   *selfplay.Batch
	results []selfplay.Result
}

// Run plays the batch; see selfplay.Runner.
func (r *recorder) Run(ctx context.Context, batch *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results, err := r.Runner.Run(ctx, batch, done)
	r.batch, r.results = batch, results
	return results, err
}

// selfCheck replays a share of the pairs of a batch that have the results, chosen at random by its purpose. A game is a pure
// function of its pairing. So where a replayed pair differs, it returns an error with both results. The stored
// pairs of the open step, and of generations in flight, are deleted, and a resumed run plays them again.
func (r *Run) selfCheck(ctx context.Context, played *selfplay.Batch, results []selfplay.Result) error {
	indices := r.drawn(played, len(results))
	if len(indices) == 0 {
		return nil
	}
	if err := r.playOut(ctx, played, results, indices); err != nil || r.env.Audited {
		return err
	}
	batch := partOf(played, indices)
	batch.Purpose = "self-check of " + batch.Purpose
	again, err := r.bare.Run(ctx, batch, nil)
	if err != nil {
		return err
	}
	for k, i := range indices {
		if first, second := &results[i], &again[k]; !reflect.DeepEqual(first.Games, second.Games) {
			err := fmt.Errorf("tuner: %s: the pair from %s came out differently when it was replayed: first %s; then %s",
				batch.Purpose, board.FormatMoves(batch.Pairings[k].Opening), describe(first), describe(second))
			return errors.Join(err, r.forget())
		}
	}
	r.state.Audited += 2 * len(indices)
	return nil
}

// describe returns the players of a pair and how both games ended.
func describe(r *selfplay.Result) string {
	text := cmp.Or(r.Worker, "an unnamed worker")
	for i := range r.Games {
		g := &r.Games[i]
		text += fmt.Sprintf(", %v after %s in %d nodes", g.Outcome, board.FormatMoves(g.Moves), g.Nodes)
	}
	return text
}

// playOut continues games that ended by a proven win until there are five in a row. It does so for half of the
// pairs that selfCheck draws, one in a hundred of all. It counts the proven wins that were not won.
func (r *Run) playOut(ctx context.Context, played *selfplay.Batch, results []selfplay.Result, indices []int) error {
	holds := make([][2]bool, len(indices))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := 0; k < len(indices); k += 2 {
		pairing, games := &played.Pairings[indices[k]], &results[indices[k]].Games
		group.Go(func() (err error) {
			for g := range games {
				if holds[k][g], err = selfplay.Confirm(within, played, pairing, games, g); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for k := 0; k < len(indices); k += 2 {
		for g, game := range results[indices[k]].Games {
			if game.Adjudicated && game.Outcome != board.Draw {
				r.state.PlayedOut++
			}
			if !holds[k][g] {
				r.state.Overturned++
				r.warn(fmt.Sprintf("a claimed win was not carried out: %v after %s", game.Outcome, board.FormatMoves(game.Moves)))
			}
		}
	}
	return nil
}

// drawn returns the indices of the pairs to replay, among the first of a batch; where nothing was played, that is nil. Pairs with
// players other than our own engine are left out, since their games may not be repeatable.
func (r *Run) drawn(batch *selfplay.Batch, pairs int) []int {
	if pairs == 0 {
		return nil
	}
	var indices []int
	rng := stream.New(r.config.Seed, "audit %s", batch.Purpose)
	for i := range pairs {
		p := &batch.Pairings[i]
		own := batch.Contestants[p.A].Weights != nil && batch.Contestants[p.B].Weights != nil
		if rng.Float64() < selfCheckShare && own {
			indices = append(indices, i)
		}
	}
	return indices
}
