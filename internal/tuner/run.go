package tuner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"quintune/ga"
	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/selfplay"
	"quintune/weights"
)

// Setting is what a run is played with: nothing here changes a result, but when the deadline ends the
// evolution, which is stored.
type Setting struct {
	Runner   selfplay.Runner
	Local    selfplay.Runner // plays the pairs with players of another kind; nil: Runner does
	Overlap  bool            // Runner may be called again before it has returned: generations in flight are played at the same time
	Audited  bool            // Runner itself replays pairs and quarantines workers, so the run need not
	Store    Store
	Labels   string               // file that keeps the labels of the open generation; "": none does
	Commit   string               // of the program, for the provenance
	Deadline time.Time            // after which no generation is begun; zero: none
	Watch    func(run.Event)      // nil: nobody watches
	Deliver  func(*Outcome) error // called with the result before the run is stored as done; nil: nobody wants it
	Warn     func(message string) // called when a player or a worker fails; nil: nobody listens
}

// Run is one run of the tuner. Not safe for concurrent use.
type Run struct {
	config     *Config
	id         string
	setting    Setting
	workers    selfplay.Runner // the setting's own Runner
	flight     flight
	plan       plan
	subject    subject
	own        *ownWeights // the subject; nil: it is of another kind
	optimizer  ga.Optimizer
	parameters []run.Parameter // all that the subject has, tuned or not
	train      *book.Book
	opponents  []match.Side // fixed and earlier champions, by index: start, anchors, then passed candidates
	shipped    match.Side   // of the config; the zero value: none
	state      run.State
	closed     *run.Generation // by the step that is not saved yet; nil: the step was none
	meter      meter
	fresh      atomic.Int64 // games played since the run was started or resumed

	// MakeOpenings makes the openings of the validations: book.Validation, unless it is replaced before the run is played
	// by something that does not search for balance.
	MakeOpenings func(ctx context.Context, used *book.Book, seed uint64, count int, progress func(int)) (*book.Book, error)
}

// New returns a run before its first game. Its error names what of the configuration is out of bounds, or says that
// the budget is too small for one generation.
func New(c *Config) (*Run, error) {
	err := c.check()
	if err != nil {
		return nil, err
	}
	r := &Run{config: c, plan: c.plan(c.Budget), train: c.part(book.Train), MakeOpenings: book.Validation}
	r.state.Retired = new(book.Retirement)
	if r.id, err = c.ID(); err != nil {
		return nil, err
	}
	if r.parameters, err = c.Parameters(); err != nil {
		return nil, err
	}
	if r.subject, r.own, err = c.newSubject(); err != nil {
		return nil, err
	}
	if r.optimizer, err = r.newOptimizer(); err != nil {
		return nil, err
	}
	if _, more := r.optimizer.Ask(); !more {
		return nil, fmt.Errorf("tuner: a budget of %d games leaves %d for the evolution, less than one generation", c.Budget, r.plan.evolution)
	}
	if c.Shipped != nil {
		if r.shipped, err = anchorSide(c.Shipped, player.TimeControl{}, 0); err != nil {
			return nil, err
		}
	}
	r.opponents, err = c.opponents()
	return r, err
}

// Restore returns a run that goes on after the stored state.
func Restore(c *Config, state run.State) (*Run, error) {
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
			champion, err := r.subject.decode(g.Genes)
			if err != nil {
				return nil, err
			}
			r.opponents = append(r.opponents, champion.side(championName(g)))
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
	if r.state.Extended == len(r.config.Extended) {
		return
	}
	r.state.Gates = slices.Clone(r.state.Gates)
	for i := range r.state.Gates {
		r.state.Gates[i].Final = false
	}
	r.state.Extended, r.state.Ended, r.state.Done = len(r.config.Extended), 0, false
	r.state.Validation, r.state.Further, r.state.Openings = nil, nil, nil
}

// optimizerConfig translates the configuration for the optimiser.
func (r *Run) optimizerConfig() (ga.Config, error) {
	c := ga.DefaultConfig()
	genes, start := r.subject.genes(), r.subject.start()
	frozen, err := frozenGenes(genes, r.config.Frozen)
	if err != nil {
		return c, err
	}
	for i, g := range genes {
		c.Genes = append(c.Genes, ga.Gene{Name: g.Name, Group: g.Group, Start: start[i], Frozen: frozen[i]})
	}
	c.Seed, c.Budget, c.Polish = r.config.Seed, r.plan.evolution, r.config.Polish
	applySettings(r.config.Settings, &c)
	applyShares(r.config.Shares, &c)
	c.Opponents = append(c.Opponents, ga.Opponent{Name: r.config.StartName, Kind: ga.Anchor})
	for _, a := range r.config.Anchors {
		c.Opponents = append(c.Opponents, ga.Opponent{Name: a.Name, Kind: ga.Anchor})
	}
	return c, nil
}

// ID returns the hash of the configuration.
func (r *Run) ID() string { return r.id }

// Projection says what the genome's constraints did to the start weights; nil where the run tunes something else.
func (r *Run) Projection() *weights.Projection {
	if r.own == nil {
		return nil
	}
	return r.own.projection
}

// Hopeless says how many pairs the final gate has at most, and how many it takes at least to pass it; both are
// 0 where the budget is great enough, or there is no gate.
func (r *Run) Hopeless() (most, least int64) {
	if r.config.NoGate {
		return 0, 0
	}
	most = int64(min(r.plan.gateCap(r.plan.gates-1, 0, true), len(r.config.part(book.Gate).Openings)))
	least = match.LeastPairs(match.GateTest(r.plan.gates))
	if most >= least {
		return 0, 0
	}
	return most, least
}

// Run plays what is left of the run. When ctx is done it stops, keeps the best so far as the
// candidate, and returns the outcome so far with the context's error.
func (r *Run) Run(ctx context.Context, s Setting) (*Outcome, error) {
	r.setting, r.workers = s, s.Runner
	if s.Local != nil {
		r.setting.Runner = divided{far: s.Runner, near: s.Local}
	}
	r.setting.Runner = counted{r.setting.Runner, &r.fresh}
	r.takeOff(ctx, r.setting.Runner)
	defer r.land()
	r.setting.Runner = s.Store.Runner(r.setting.Runner)
	if s.Watch != nil {
		r.setting.Runner = sampled{r.setting.Runner, r.sample}
	}
	r.startMeter()
	for {
		done, err := r.step(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			outcome, saving := r.finish(true)
			return outcome, errors.Join(context.Cause(ctx), saving)
		case err != nil:
			return nil, err
		case done:
			return r.deliver()
		}
		if err := r.setting.Store.SaveState(r.state, r.closed); err != nil {
			return nil, err
		}
		r.closed = nil
		if err := r.dropLabels(); err != nil {
			return nil, err
		}
	}
}

// deliver hands the result over and stores that the run is done. A process that is killed before does it once more.
func (r *Run) deliver() (*Outcome, error) {
	r.state.Done = true
	o, err := r.finish(false)
	if err == nil && r.setting.Deliver != nil {
		err = r.setting.Deliver(o)
	}
	if err == nil {
		err = r.setting.Store.SaveState(r.state, nil)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// step closes one step, chosen by the closed state alone; it returns true when none is left.
func (r *Run) step(ctx context.Context) (done bool, err error) {
	s, p := &r.state, &r.plan
	if p.checkDue(s.Checks, s.Evolution) {
		return false, r.check(ctx)
	}
	batch, more := r.optimizer.Ask()
	more = more && s.Ended == 0
	if !more {
		r.land() // the evolution has ended: what is in flight belongs to no step
	} else if err := r.launch(); err != nil {
		return false, err
	}
	gated := !r.config.NoGate
	if n := len(s.Gates) + 1; more && gated && n < p.gates && s.Evolution >= p.gateDue(n) {
		return false, r.gate(ctx, false)
	}
	switch {
	case more:
		return false, r.generation(ctx, batch)
	case gated && s.FinalGate() == nil:
		return false, r.gate(ctx, true)
	case gated && len(s.Validations()) < len(r.trials()):
		return false, r.validate(ctx, len(s.Validations()))
	}
	return true, nil
}

// ended reports whether the evolution ends before its budget, after the generation that was just closed.
func (r *Run) ended() bool {
	early := r.config.Evolution > 0 && r.state.Evolution >= r.config.Evolution
	late := !r.setting.Deadline.IsZero() && !time.Now().Before(r.setting.Deadline)
	return early || late
}

// warn reports that a player or a worker failed.
func (r *Run) warn(message string) {
	if r.setting.Warn != nil {
		r.setting.Warn(message)
	}
}

// Store keeps what a run has played and closed.
type Store interface {
	// Runner returns a runner that keeps the finished pairs of the open step. What a stopped process has
	// kept of the step is not played again.
	Runner(inner selfplay.Runner) selfplay.Runner
	// Ahead returns a runner that keeps the finished pairs of a batch of a later step, under a number. When a batch of the open step is
	// equal to it, its pairs are taken from there.
	Ahead(number int, inner selfplay.Runner) selfplay.Runner
	// Forget drops the pairs of the open step.
	Forget() error
	// SaveState replaces the stored state, whole or not at all. closed is the generation that the closed
	// step was, nil where it was none.
	SaveState(s run.State, closed *run.Generation) error
	// SaveResult keeps the file of a result under a name such as "candidate" and returns where.
	SaveResult(name string, file []byte) (place string, err error)
}
