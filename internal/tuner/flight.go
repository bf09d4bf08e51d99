package tuner

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"quintune/ga"
	"quintune/selfplay"
)

// flight plays generations ahead of the step that closes them, where the runner can. Their pairs go into the store, and the step takes
// them from there: it is the same run without a flight, and after an interruption.
type flight struct {
	ctx    context.Context // nil: nothing flies
	stop   context.CancelFunc
	runner selfplay.Runner
	open   map[int]*airborne // by number of the generation
	flying sync.WaitGroup
}

// airborne is a generation that is played ahead.
type airborne struct {
	batch     *selfplay.Batch
	pairingOf []int
	pairs     atomic.Int64  // finished
	news      chan struct{} // a pair was finished since it was read
	done      chan struct{} // all are, or err says why not
	err       error
}

// takeOff lets generations fly, if the runner can play several batches at a time.
func (r *Run) takeOff(ctx context.Context, runner selfplay.Runner) {
	f := &r.flight
	if r.setting.Overlap && r.config.Settings.InFlight > 1 {
		f.ctx, f.stop = context.WithCancel(ctx)
		f.runner, f.open = runner, map[int]*airborne{}
	}
}

// land stops what flies, and waits for it.
func (r *Run) land() {
	f := &r.flight
	if f.ctx == nil {
		return
	}
	f.stop()
	f.flying.Wait()
	f.ctx, f.open = nil, nil
}

// launch begins to play the open generations that are not yet played, where there are several.
func (r *Run) launch() error {
	f := &r.flight
	if f.ctx == nil {
		return nil
	}
	open := r.optimizer.Open()
	for _, b := range open {
		if f.open[b.Generation] != nil || len(open) == 1 {
			continue
		}
		a := &airborne{news: make(chan struct{}, 1), done: make(chan struct{})}
		var err error
		if a.batch, a.pairingOf, err = r.batch(b); err != nil {
			return err
		}
		a.batch.Order = b.Generation + 1 // what a step plays beside its generation comes first
		f.open[b.Generation] = a
		runner := r.setting.Store.Ahead(b.Generation, f.runner)
		f.flying.Go(func() {
			defer close(a.done)
			_, a.err = runner.Run(f.ctx, a.batch, func(int, *selfplay.Result) {
				a.pairs.Add(1)
				select {
				case a.news <- struct{}{}:
				default:
				}
			})
		})
	}
	return nil
}

// await waits until a generation in flight has been played, counts its pairs meanwhile, and returns it; nil where it does not fly.
func (r *Run) await(ctx context.Context, generation int) (*airborne, error) {
	a := r.flight.open[generation]
	if a == nil {
		return nil, nil
	}
	defer delete(r.flight.open, generation)
	counted := int64(0)
	count := func() {
		for ; counted < a.pairs.Load(); counted++ {
			r.pairPlayed()
		}
	}
	for {
		count()
		select {
		case <-a.news:
		case <-a.done:
			count()
			return a, a.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// checkInFlight refuses generations in flight of a method that needs the results of each before the next.
func (c *Config) checkInFlight() error {
	n := c.Settings.InFlight
	switch {
	case n < 0 || n > ga.MaxInFlight:
		return fmt.Errorf("tuner: %d generations in flight are outside [0, %d]", n, ga.MaxInFlight)
	case n > 1 && !c.flies():
		return fmt.Errorf("tuner: %d generations in flight: with optimizer %s each needs the results of the one before", n, c.Optimizer)
	}
	return nil
}

// flies reports whether several generations of the optimizer may be in flight.
func (c *Config) flies() bool {
	return c.Optimizer == ga.MethodSPSA || c.Optimizer == ga.MethodGA && c.Settings.Adapt
}

const (
	fewJobs = 16 // wait so little at the end of a generation that nothing is gained
	// The end of a generation, with its stragglers and lost tasks, takes about this time (docs/scaling.md).
	endOfGeneration = 3 * time.Second
	pairAt1000Nodes = 30 * time.Millisecond // on one core
	mostChosen      = 8                     // beyond, the strategy loses more by old results than the jobs win
)

// InFlight returns the number of generations in flight that keeps a number of jobs busy while each ends; 0 stands for one.
func (c *Config) InFlight(jobs int) (int, error) {
	if jobs <= fewJobs || !c.flies() {
		return 0, nil
	}
	for n := 2; n < mostChosen; n++ {
		pairs, err := c.generationPairs(n)
		if err != nil {
			return 0, err
		}
		pair := time.Duration(c.Nodes) * pairAt1000Nodes / 1000
		if time.Duration((n-1)*pairs)*pair >= time.Duration(jobs)*endOfGeneration {
			return n, nil
		}
	}
	return mostChosen, nil
}

// generationPairs returns the pairs of the first generation of the optimizer, with a number of them in flight.
func (c *Config) generationPairs(inFlight int) (int, error) {
	flying := *c
	flying.Settings.InFlight, flying.WarmStart = inFlight, 0
	r, err := New(&flying)
	if err != nil {
		return 0, err
	}
	b, _ := r.optimizer.Ask()
	return b.Games() / 2, nil
}
