package tuner

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quintune/ga"
	"quintune/selfplay"
)

// flight plays generations before the step that closes them, if the runner can play several batches at a time.
// Their pairs are stored, and the step takes them from the store. So the run is the same as without a flight,
// and as after an interruption.
type flight struct {
	ctx     context.Context // nil: no generations are in flight
	stop    context.CancelFunc
	runner  selfplay.Runner             // of the games, without the store
	open    map[int]*generationInFlight // by number of the generation
	running sync.WaitGroup
}

// generationInFlight is a generation whose games are played before its step.
type generationInFlight struct {
	*generation
	pairs   atomic.Int64  // finished pairs
	counted int64         // of pairs, by the step
	news    chan struct{} // has an item when a pair was finished since it was last read
	done    chan struct{} // closed when all pairs are finished, or when err is set
	err     error
}

// enableInFlight allows generations in flight if the runner can play several batches at a time.
func (r *Run) enableInFlight(ctx context.Context) {
	f := &r.flight
	if r.env.Overlap && r.config.Settings.InFlight > 1 {
		f.ctx, f.stop = context.WithCancel(ctx)
		f.runner, f.open = r.env.Runner, map[int]*generationInFlight{}
	}
}

// stopInFlight stops the generations in flight and waits for them. It returns the number of their finished pairs that no step has
// counted.
func (r *Run) stopInFlight() (uncounted int) {
	f := &r.flight
	if f.ctx == nil {
		return 0
	}
	f.stop()
	f.running.Wait()
	for _, a := range f.open {
		uncounted += int(a.pairs.Load() - a.counted)
	}
	f.ctx, f.open = nil, nil
	return uncounted
}

// forget deletes the stored pairs of the open step and of the generations in flight, which it stops.
func (r *Run) forget() error {
	r.stopInFlight()
	return r.env.Store.Forget()
}

// endEvolution ends the evolution before its budget is used up. Generations in flight are dropped.
func (r *Run) endEvolution() {
	r.stopInFlight()
	r.state.Ended = r.state.Evolution
}

// launch starts the open generations that are not in flight yet, if more than one is open.
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
		a := &generationInFlight{news: make(chan struct{}, 1), done: make(chan struct{})}
		var err error
		if a.generation, err = r.batch(b); err != nil {
			return err
		}
		a.toPlay.Order = b.Generation + 1 // other batches of a step come before the generations
		f.open[b.Generation] = a
		runner := r.env.Store.Ahead(b.Generation, f.runner)
		f.running.Go(func() {
			defer close(a.done)
			_, a.err = runner.Run(f.ctx, a.toPlay, func(int, *selfplay.Result) {
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

// await waits for a generation in flight, counting its pairs meanwhile, and returns it. It returns nil where the
// generation is not in flight. After an interruption the generation stays in flight.
func (r *Run) await(ctx context.Context, generation int) (*generationInFlight, error) {
	a := r.flight.open[generation]
	if a == nil {
		return nil, nil
	}
	count := func() {
		for ; a.counted < a.pairs.Load(); a.counted++ {
			r.pairPlayed()
		}
	}
	for {
		count()
		select {
		case <-a.news:
		case <-a.done:
			count()
			delete(r.flight.open, generation)
			return a, a.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// checkInFlight refuses several generations in flight for a method that needs the results of one before the
// next.
func (c *Config) checkInFlight() error {
	n := c.Settings.InFlight
	switch {
	case n < 0 || n > ga.MaxInFlight:
		return fmt.Errorf("tuner: in-flight: %d generations are outside [0, %d]", n, ga.MaxInFlight)
	case n > 1 && !c.allowsInFlight():
		return fmt.Errorf("tuner: in-flight: %d generations, but with optimizer %s each needs the results of the one before: take ga or spsa", n, c.Optimizer)
	}
	return nil
}

// allowsInFlight reports whether several generations of the optimizer may be in flight.
func (c *Config) allowsInFlight() bool {
	return slices.Contains(ga.Methods(), c.Optimizer)
}

const (
	// Up to fewJobs a cluster gives the bytes of one machine. Its jobs wait up to half of the time for the ends of small generations,
	// where --in-flight 2 helps (docs/scaling.md#generations-in-flight).
	fewJobs = 16
	// Approximate time for the end of a generation, with its stragglers and lost tasks (docs/scaling.md).
	endOfGeneration = 3 * time.Second
	pairAt1000Nodes = 30 * time.Millisecond // on one core (docs/scaling.md)
	// With 8 most landscapes lose a few Elo by results that come late, and some many (docs/results/landscapes.md); more were not measured.
	mostChosen = 8
	// What a small budget gets, whose generations are too small for its jobs whatever is in flight. It costs next to nothing.
	fewChosen = 2
)

// InFlight returns the number of generations in flight that keeps the given number of jobs busy while a
// generation ends, and few where no number does. 0 jobs count as one.
func (c *Config) InFlight(jobs int) (int, error) {
	if jobs <= fewJobs || !c.allowsInFlight() {
		return 0, nil
	}
	for n := 2; n <= mostChosen; n++ {
		pairs, err := c.generationPairs(n)
		if err != nil {
			return 0, err
		}
		pair := time.Duration(c.nodesAfter(0)) * pairAt1000Nodes / 1000
		if time.Duration((n-1)*pairs)*pair >= time.Duration(jobs)*endOfGeneration {
			return n, nil
		}
	}
	return fewChosen, nil
}

// generationPairs returns the number of pairs in the optimiser's first generation, with the given number of
// generations in flight.
func (c *Config) generationPairs(inFlight int) (int, error) {
	copied := *c
	copied.Settings.InFlight, copied.WarmStart = inFlight, 0
	r, err := New(&copied)
	if err != nil {
		return 0, err
	}
	b, _ := r.optimizer.Ask()
	return b.Games() / 2, nil
}
