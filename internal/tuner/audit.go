package tuner

import (
	"context"
	"fmt"
	"reflect"
	"runtime"

	"golang.org/x/sync/errgroup"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/selfplay"
)

// auditShare is the share of the pairs of our own engine that are played once more and compared bit by bit:
// a game is a pure function, so whoever has another result is broken, or lies.
const auditShare = .02

// Dropper is a Runner that can do without a worker; it returns false where it cannot.
type Dropper interface {
	Drop(worker string) bool
}

// Distrust is the error of a step with a pair that came out differently when it was replayed.
type Distrust struct {
	Worker string // who played it wrongly, "" where the runner does not say
	Pair   string // what was played, for people
}

// Error names the worker and the pair.
func (d *Distrust) Error() string {
	worker := d.Worker
	if worker == "" {
		worker = "an unnamed worker"
	}
	return fmt.Sprintf("%s is not to be trusted: %s came out differently when replayed", worker, d.Pair)
}

// recorder is a Runner that keeps what it played last.
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

// audit replays a share of the first pairs that were recorded, drawn for the purpose. Its error is a *Distrust
// when one of them comes out differently.
func (r *Run) audit(ctx context.Context, purpose string, played *recorder, pairs int) error {
	if played.batch == nil {
		return nil
	}
	indices := r.drawn(purpose, played.batch, pairs)
	if len(indices) == 0 {
		return nil
	}
	if err := r.playOut(ctx, played, indices); err != nil || r.setting.Audited {
		return err
	}
	batch := partOf(played.batch, indices)
	batch.Purpose = "audit of " + batch.Purpose
	replay := r.setting.Local // rather here than by those who are to be watched
	if replay == nil {
		replay = r.workers
	}
	again, err := replay.Run(ctx, batch, nil)
	if err != nil {
		return err
	}
	for k, i := range indices {
		if !sameGames(&played.results[i], &again[k]) {
			return r.judge(ctx, batch, k, &played.results[i], &again[k])
		}
	}
	r.state.Audited += 2 * len(indices)
	return nil
}

// playOut plays every second of the drawn pairs on to five in a row, one pair in a hundred of all, where a proven win had
// ended it, and counts the wins that were none.
func (r *Run) playOut(ctx context.Context, played *recorder, indices []int) error {
	holds := make([][2]bool, len(indices))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := 0; k < len(indices); k += 2 {
		pairing, games := &played.batch.Pairings[indices[k]], &played.results[indices[k]].Games
		group.Go(func() (err error) {
			for g := range games {
				if holds[k][g], err = selfplay.Confirm(within, played.batch, pairing, games, g); err != nil {
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
		for g, game := range played.results[indices[k]].Games {
			r.state.PlayedOut++
			if !holds[k][g] {
				r.state.Overturned++
				r.warn(fmt.Sprintf("a claimed win was not carried out: %v after %s", game.Outcome, board.FormatMoves(game.Moves)))
			}
		}
	}
	return nil
}

// drawn returns which of the first pairs of a batch are replayed. Players of another kind promise no
// repetition.
func (r *Run) drawn(purpose string, batch *selfplay.Batch, pairs int) []int {
	var indices []int
	rng := stream.New(r.config.Seed, "audit %s", purpose)
	for i := range pairs {
		p := &batch.Pairings[i]
		own := batch.Contestants[p.A].Weights != nil && batch.Contestants[p.B].Weights != nil
		if rng.Float64() < auditShare && own {
			indices = append(indices, i)
		}
	}
	return indices
}

// judge finds out with a third player, a fresh one of our own, who of two has played a pair wrongly.
func (r *Run) judge(ctx context.Context, batch *selfplay.Batch, index int, first, second *selfplay.Result) error {
	pair := partOf(batch, []int{index})
	third, err := selfplay.NewPool(1).Run(ctx, pair, nil)
	if err != nil {
		return err
	}
	worker := first.Worker
	if sameGames(first, &third[0]) {
		worker = second.Worker
	}
	return &Distrust{worker, fmt.Sprintf("in the %s the pair from %s", batch.Purpose, board.FormatMoves(batch.Pairings[index].Opening))}
}

// sameGames compares all of two results but who played them.
func sameGames(a, b *selfplay.Result) bool { return reflect.DeepEqual(a.Games, b.Games) }

// drop goes on without a worker that is not to be trusted, or returns an error where that is impossible.
func (r *Run) drop(d *Distrust) error {
	if err := r.setting.Store.Forget(); err != nil {
		return err
	}
	dropper, able := r.workers.(Dropper)
	if !able || d.Worker == "" || !dropper.Drop(d.Worker) {
		return fmt.Errorf("tuner: %w; there is nobody to go on with", d)
	}
	r.state.Dropped = append(r.state.Dropped, d.Worker)
	r.warn(d.Error() + "; it is dropped, and the step is played again")
	return nil
}
