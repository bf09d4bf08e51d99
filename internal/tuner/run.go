package tuner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"quintune/ga"
	"quintune/internal/book"
	"quintune/selfplay"
	"quintune/weights"
)

// Setting is what a run is played with: nothing here changes a result.
type Setting struct {
	Runner selfplay.Runner
	Store  Store
	Commit string      // of the program, for the provenance
	Watch  func(Event) // nil: nobody watches
}

// Run is one run of the tuner. Not safe for concurrent use.
type Run struct {
	config     *Config
	id         string
	setting    Setting
	plan       plan
	space      *weights.Space
	projection *weights.Projection
	optimizer  ga.Optimizer
	train      *book.Book
	anchors    []*weights.Set // outside opponents by index: start, anchors, then passed candidates
	state      State
	meter      meter

	// validation makes the openings of the validation; book.Validation but in tests, which have no time to
	// search for balance.
	validation func(ctx context.Context, used *book.Book, seed uint64, count int, progress func(int)) (*book.Book, error)
}

// New returns a run before its first game. Its error names what of the configuration is out of bounds, or says that
// the budget is too small for one generation.
func New(c *Config) (*Run, error) {
	spec, err := c.Spec()
	if err != nil {
		return nil, err
	}
	r := &Run{config: c, plan: planFor(c.Budget, !c.NoGate), train: c.Book.Part(book.Train), validation: book.Validation}
	r.state.Retired = new(book.Retirement)
	if r.id, err = spec.ID(); err != nil {
		return nil, err
	}
	if r.space, err = weights.NewSpace(c.Start, c.groups()); err != nil {
		return nil, err
	}
	if r.projection, err = r.space.Encode(c.Start); err != nil {
		return nil, err
	}
	if r.optimizer, err = ga.New(c.Optimizer, r.optimizerConfig()); err != nil {
		return nil, err
	}
	if _, more := r.optimizer.Ask(); !more {
		return nil, fmt.Errorf("tuner: a budget of %d games leaves %d for the evolution, less than one generation", c.Budget, r.plan.evolution)
	}
	r.anchors = append(r.anchors, c.Start)
	for _, a := range c.Anchors {
		r.anchors = append(r.anchors, a.Set)
	}
	return r, nil
}

// Restore returns a run that goes on after the stored state.
func Restore(c *Config, state State) (*Run, error) {
	r, err := New(c)
	if err != nil {
		return nil, err
	}
	if state.Optimizer != nil {
		if err := r.optimizer.Restore(state.Optimizer); err != nil {
			return nil, err
		}
	}
	for i := range state.Gates {
		if g := &state.Gates[i]; g.Report.Passed {
			set, err := r.space.Decode(g.Genes)
			if err != nil {
				return nil, err
			}
			r.anchors = append(r.anchors, set)
		}
	}
	r.state = state
	r.reopen()
	if r.state.Retired == nil {
		r.state.Retired = new(book.Retirement)
	}
	return r, nil
}

// reopen takes the end back from a state whose run has got a greater budget since.
func (r *Run) reopen() {
	if _, more := r.optimizer.Ask(); !more || r.state.finalGate() == nil && !r.state.Done {
		return
	}
	r.state.Gates = slices.Clone(r.state.Gates)
	for i := range r.state.Gates {
		r.state.Gates[i].Final = false
	}
	r.state.Validation, r.state.Done = nil, false
}

// Settings of the simultaneous perturbation, measured in games (docs/results/optimisers.md). The optimiser's
// own defaults, which suit its landscapes, are too wide here: a gene spans a factor of 64.
const (
	perturb   = .10    // final perturbation, gene units: a factor of 1.23 on a weight
	rate      = .010   // final rate for rateGames
	rateGames = 40_000 // games; the rate falls with the root of the budget
	mostRate  = .02
)

// optimizerConfig translates the configuration for the optimiser.
func (r *Run) optimizerConfig() ga.Config {
	c := ga.DefaultConfig()
	for i, g := range r.space.Genes() {
		c.Genes = append(c.Genes, ga.Gene{Name: g.Name, Group: g.Group, Start: r.projection.Genes[i]})
	}
	c.Seed, c.Budget, c.Polish = r.config.Seed, r.plan.evolution, r.config.Polish
	c.Perturb, c.Rate = perturb, min(mostRate, rate*math.Sqrt(rateGames/float64(max(1, r.plan.evolution))))
	c.Opponents = append(c.Opponents, ga.Opponent{Name: r.config.StartName, Kind: ga.Anchor})
	for _, a := range r.config.Anchors {
		c.Opponents = append(c.Opponents, ga.Opponent{Name: a.Name, Kind: ga.Anchor})
	}
	return c
}

// ID returns the hash of the configuration.
func (r *Run) ID() string { return r.id }

// Projection says what the genome's constraints did to the start weights.
func (r *Run) Projection() *weights.Projection { return r.projection }

// Run plays what is left of the run. When ctx is done it stops, keeps the best so far as the
// candidate, and returns the outcome so far with the context's error; the pairs of the open step are lost.
func (r *Run) Run(ctx context.Context, s Setting) (*Outcome, error) {
	r.setting = s
	if s.Watch != nil {
		r.setting.Runner = sampled{s.Runner, r.sample}
	}
	r.meter.start(r.state.Games)
	for {
		done, err := r.step(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			outcome, saving := r.finish(true)
			return outcome, errors.Join(context.Cause(ctx), saving)
		case err != nil:
			return nil, err
		case done:
			r.state.Done = true
		}
		if err := r.setting.Store.SaveState(r.state); err != nil {
			return nil, err
		}
		if done {
			return r.finish(false)
		}
	}
}

// step closes one step, chosen by the closed state alone; it returns true when none is left.
func (r *Run) step(ctx context.Context) (done bool, err error) {
	s, p := &r.state, &r.plan
	if n := len(s.Checks) + 1; s.Generations > 0 && n <= p.checks && s.Evolution >= p.checkDue(n) {
		return false, r.check(ctx)
	}
	batch, more := r.optimizer.Ask()
	gated := !r.config.NoGate
	if n := len(s.Gates) + 1; more && gated && n < p.gates && s.Evolution >= p.gateDue(n) {
		return false, r.gate(ctx, false)
	}
	switch {
	case more:
		return false, r.generation(ctx, batch)
	case gated && s.finalGate() == nil:
		return false, r.gate(ctx, true)
	case gated && s.Validation == nil:
		return false, r.validate(ctx)
	}
	return true, nil
}
