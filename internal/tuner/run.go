package tuner

import (
	"context"
	"encoding/json"
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

// Environment is what plays, stores and watches a run. It does not affect the result, except for Deadline, whose effect is stored.
type Environment struct {
	Name     string // of the run, for its verdict
	Runner   selfplay.Runner
	Local    selfplay.Runner             // plays pairs of players that only this process can open; nil: Runner does
	Overlap  bool                        // Runner may be called again before it has returned, so generations can be in flight
	Audited  bool                        // Runner itself replays pairs and quarantines workers, so the run does not replay pairs
	Settle   func(context.Context) error // called before a step is stored or the result used, which an error prevents; may be nil
	Store    Store
	Labels   string               // file in which the labels of the open generation are kept; "": none
	Commit   string               // of the program, for the provenance of results
	Deadline time.Time            // no generation begins after it, except the first and one that follows an interim gate; zero: none
	Watch    func(run.Event)      // may be nil
	Deliver  func(*Outcome) error // called with the result before the run is stored as done; may be nil
	Warn     func(message string) // called when a player or a worker fails, and with other troubles that do not end the run; may be nil
}

// Run is one run of the tuner. Not safe for concurrent use.
type Run struct {
	config     *Config
	id         string
	env        Environment
	bare       selfplay.Runner // the Runner of env, without our wrappers
	flight     flight
	plan       plan
	subject    subject
	own        *ownWeights // the subject if it is our own weights, else nil
	optimizer  ga.Optimizer
	parameters []run.Parameter // all parameters of the subject, tuned or not
	train      *book.Book
	opponents  []match.Side // fixed opponents and earlier champions, by index: start, anchors, then candidates that passed a gate
	shipped    match.Side   // the shipped set as an opponent; the zero value: none
	state      run.State
	closed     *run.Generation // the generation of the step that is not yet saved; nil: the step was not a generation
	meter      meter
	fresh      atomic.Int64 // games played since the run was started or resumed
	work       atomic.Int64 // sum of their node limits

	// MakeOpenings makes the openings of the validations. It is book.Validation unless it is replaced, before the run is
	// played, by a function without a search.
	MakeOpenings func(ctx context.Context, used *book.Book, seed uint64, count int, progress func(int)) (*book.Book, error)
}

// New returns a run before its first game. It is an error when a value of the configuration is out of bounds, or
// when the budget is too small for one generation.
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

// Restore returns a run that continues from the stored state, which belongs to it from then on. It is an error when New returns
// one, when the optimiser refuses its checkpoint or a champion cannot be decoded, and when checkState returns one. Nothing else of
// the state is checked.
func Restore(c *Config, state run.State) (*Run, error) {
	r, err := New(c)
	if err != nil {
		return nil, err
	}
	if err := r.restoreOptimizer(state.Optimizer); err != nil {
		return nil, err
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
	r.state.Reopen(len(c.Extended))
	if r.state.Retired == nil {
		r.state.Retired = new(book.Retirement)
	}
	if err := r.checkState(); err != nil {
		return nil, err
	}
	return r, nil
}

// restoreOptimizer restores the optimiser from a checkpoint, if there is one.
func (r *Run) restoreOptimizer(checkpoint json.RawMessage) error {
	if checkpoint == nil || string(checkpoint) == "null" { // null: read from a file
		return nil
	}
	return r.optimizer.Restore(checkpoint)
}

// reset takes back the step that was played since the state was stored. Its pairs are stored, so its games count as those of an
// open step.
func (r *Run) reset(stored run.State) (err error) {
	r.meter.games += r.state.Games - stored.Games
	r.state, r.closed = stored, nil
	if r.optimizer, err = r.newOptimizer(); err != nil {
		return err
	}
	return r.restoreOptimizer(stored.Optimizer)
}

// checkState refuses check matches of another number of genes, and too few openings for the validation: a checkpoint may come from
// anybody.
func (r *Run) checkState() error {
	s, genes := &r.state, len(r.subject.genes())
	for i := range s.Checks {
		if n := len(s.Checks[i].Genes); n != genes {
			return fmt.Errorf("tuner: check match %d is of %d genes, the run has %d", i, n, genes)
		}
	}
	if n := len(s.Openings); s.Openings != nil && !s.Done && n < r.plan.validationPairs {
		return fmt.Errorf("tuner: %d openings are stored for the validation, which takes %d", n, r.plan.validationPairs)
	}
	return nil
}

// optimizerConfig returns the configuration of the optimiser.
func (r *Run) optimizerConfig() (ga.Config, error) {
	c := ga.DefaultConfig()
	settings, genes, start := &r.config.Settings, r.subject.genes(), r.subject.start()
	frozen, err := frozenGenes(genes, r.config.Frozen)
	if err != nil {
		return c, err
	}
	for i, g := range genes {
		c.Genes = append(c.Genes, ga.Gene{Name: g.Name, Group: g.Group, Start: start[i], Frozen: frozen[i]})
		if g.Group == weights.SearchGroup {
			c.Genes[i].Unit = settings.Search
		}
		if settings.Kin {
			gene := &c.Genes[i]
			gene.Class, gene.Signed, gene.Values = g.Class, g.Signed, g.Values
		}
	}
	c.Seed, c.Budget = r.config.Seed, r.plan.evolution
	c.Width, c.Perturb, c.InFlight = settings.Width, settings.Perturb, settings.InFlight
	c.Rate = ga.SPSARate(settings.Rate, c.Budget)
	c.Opponents = append(c.Opponents, ga.Opponent{Name: r.config.StartName, Kind: ga.Anchor})
	for _, a := range r.config.Anchors {
		kind := ga.Anchor
		if a.Rival {
			kind = ga.Rival
		}
		c.Opponents = append(c.Opponents, ga.Opponent{Name: a.Name, Kind: kind})
	}
	return c, nil
}

// ID returns the hash of the configuration.
func (r *Run) ID() string { return r.id }

// Projection reports how the genome's constraints changed the start weights; nil where the run does not tune our
// weights.
func (r *Run) Projection() *weights.Projection {
	if r.own == nil {
		return nil
	}
	return r.own.projection
}

// GateShortfall returns two numbers of pairs when the final gate, which is still to come, cannot be passed: the most that it
// can have, and the least that passes it. Both are 0 where the budget is great enough, there is no gate, or one has been passed.
func (r *Run) GateShortfall() (most, least int64) {
	s := &r.state
	if r.config.NoGate || s.Proven() != nil || s.FinalGate() != nil {
		return 0, 0
	}
	most = int64(min(r.plan.gateCap(len(s.Gates), s.GateGames(), true), len(r.config.part(book.Gate).Openings)))
	least = match.LeastPairs(r.gateTest())
	if most >= least {
		return 0, 0
	}
	return most, least
}

// UnmetAnchors returns the names of the anchors, other than the usual ones, that the result does not meet because the budget is too small
// for all validations. Without a gate nobody is met, and the list is empty.
func (r *Run) UnmetAnchors() []string {
	if r.config.NoGate {
		return nil
	}
	var names []string
	for i := r.plan.validatedAnchors; i < len(r.config.Anchors); i++ {
		if a := &r.config.Anchors[i]; a.Rival || r.config.Outside != nil || !slices.Contains(run.DefaultAnchors(), a.Name) {
			names = append(names, a.Name)
		}
	}
	return names
}

// Run plays the rest of the run. When ctx is done it stops, stores the best so far as the candidate, and returns
// the outcome so far with the context's error.
func (r *Run) Run(ctx context.Context, env Environment) (*Outcome, error) {
	r.env, r.bare = env, env.Runner
	if env.Local != nil {
		r.env.Runner = divided{far: env.Runner, near: env.Local}
	}
	r.env.Runner = selfplay.Observed{Runner: r.env.Runner, See: r.playedNow}
	r.enableInFlight(ctx)
	defer r.stopInFlight()
	r.env.Runner = env.Store.Runner(r.env.Runner)
	if env.Watch != nil {
		r.env.Runner = selfplay.Observed{Runner: r.env.Runner, See: r.sample}
	}
	r.startMeter()
	for {
		stored := r.state
		stored.Faults, stored.Retired = slices.Clone(stored.Faults), stored.Retired.Clone() // a step changes these in place
		done, err := r.step(ctx)
		if err == nil && env.Settle != nil {
			if err = env.Settle(ctx); err != nil {
				err = errors.Join(err, r.reset(stored))
			}
		}
		switch {
		case err != nil && ctx.Err() != nil:
			if !errors.Is(err, ctx.Err()) && !errors.Is(err, context.Cause(ctx)) {
				r.warn(fmt.Sprintf("beside the interruption: %v", err))
			}
			if failure := r.reset(stored); failure != nil {
				return nil, errors.Join(context.Cause(ctx), failure)
			}
			r.meter.games += 2 * r.stopInFlight() // they are stored, too
			outcome, saving := r.finish(true)
			return outcome, errors.Join(context.Cause(ctx), saving)
		case err != nil:
			return nil, err
		case done:
			return r.deliver()
		}
		if err := r.env.Store.SaveState(r.state, r.closed); err != nil {
			return nil, err
		}
		r.closed = nil
		if err := dropLabels(r.env.Labels); err != nil {
			return nil, err
		}
	}
}

// deliver passes the result on and stores that the run is done. If the process is killed in between, it is
// delivered again.
func (r *Run) deliver() (*Outcome, error) {
	r.state.Done = true
	if r.config.NoGate {
		r.state.Delivered = r.recommendedGenes() // with a greater budget the run soon recommends others
	}
	o, err := r.finish(false)
	if err == nil && r.env.Deliver != nil {
		err = r.env.Deliver(o)
	}
	if err == nil {
		err = r.env.Store.SaveState(r.state, nil)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// step plays and closes the next step, which depends on the stored state only and, with a deadline, on the clock. It returns
// true when there is none.
func (r *Run) step(ctx context.Context) (done bool, err error) {
	s, p := &r.state, &r.plan
	if p.checkDue(s.Checks, s.Evolution) {
		return false, r.playCheck(ctx)
	}
	batch, more := r.optimizer.Ask()
	more = more && s.Ended == 0
	if n := len(s.Gates); more && s.Generations > 0 && (n == 0 || s.Gates[n-1].Generation < s.Generations) && r.ended() {
		r.endEvolution() // as if it had been late when the last generation was closed: a gate since then would not have been played
		return false, nil
	}
	if more {
		if err := r.launch(); err != nil {
			return false, err
		}
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
	case gated && len(s.Validations()) < len(r.validationMatches()):
		return false, r.validate(ctx, len(s.Validations()))
	}
	return true, nil
}

// ended reports whether the evolution ends before its budget is used up, after the generation that was closed last.
func (r *Run) ended() bool {
	early := r.config.Evolution > 0 && r.state.Evolution >= r.config.Evolution
	late := !r.env.Deadline.IsZero() && !time.Now().Before(r.env.Deadline)
	return early || late
}

// warn calls Warn of the environment.
func (r *Run) warn(message string) {
	if r.env.Warn != nil {
		r.env.Warn(message)
	}
}

// Store stores what a run has played and closed.
type Store interface {
	// Runner returns a runner that stores the finished pairs of the open step. Pairs of this step that an earlier process
	// stored are not played again.
	Runner(inner selfplay.Runner) selfplay.Runner
	// Ahead returns a runner that stores the finished pairs of a batch of a later step under a number. When the step plays
	// an equal batch, it takes these pairs.
	Ahead(number int, inner selfplay.Runner) selfplay.Runner
	// Forget deletes the stored pairs of the open step and of later ones.
	Forget() error
	// SaveState replaces the stored state, whole or not at all. closed is the generation that the step closed; nil: the
	// step was not a generation.
	SaveState(s run.State, closed *run.Generation) error
	// SaveResult stores the file of a result under a name such as "candidate" and returns its path.
	SaveResult(name string, file []byte) (path string, err error)
}
