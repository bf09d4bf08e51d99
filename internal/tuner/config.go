package tuner

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/engine"
	"quintune/internal/fit"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Config is the description of a run together with the files that it names, which have been read. Only the
// numbers of the description may be changed before New.
type Config struct {
	run.Spec
	Tuned *Outside // engine that the description names in Outside; nil: weights are tuned

	rule     pattern.Rule
	weights  *weights.Set  // of Start; nil: an engine is tuned
	values   engine.Values // of Start, where an engine is tuned
	openings *book.Book    // all parts; without the part for gates where gates is set
	gates    *book.Book    // openings of the gates; nil: a part of openings. The openings of the validation are made separately
}

// MaxWarmStart is the greatest share of a warm start.
const MaxWarmStart = .9

// Complete fills the fields of a new description that follow from other fields or from this program: its
// versions, the groups where none are named, the weights that it keeps, and whether games can be repeated, which
// MeasureReproducible decides where an engine is tuned. One stage is none. outside is that engine; nil: weights are tuned.
func Complete(s *run.Spec, program string, outside *Outside) {
	s.Adopt(program)
	if s.FirstNodes == s.Nodes {
		s.FirstNodes = 0
	}
	s.Reproducible = outside == nil && len(External(s.Anchors)) == 0
	if outside != nil {
		s.Outside = EngineSpec(outside.File)
		s.Schema = s.Outside.Schema()
	}
	if len(s.Groups) == 0 {
		s.Groups = s.UsualGroups()
	}
	s.FreezeKept()
}

// Open reads the files that the description of a run names. It returns a *run.Mismatch where this program would
// play the run differently. outside is the engine that the run tunes; nil: the run tunes weights, or the engine
// is not available. An engine that has changed since is refused, with the change. Open starts no command.
func Open(s *run.Spec, program string, outside *Outside) (*Config, error) {
	if err := s.CheckProgram(program); err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	c, err := openStart(s, outside)
	if err != nil {
		return nil, err
	}
	if c.openings, err = readBook(s.Openings, "the run's openings", c.rule, s.Size); err != nil {
		return nil, err
	}
	if s.GateBook != nil {
		if c.gates, err = readBook(s.GateBook, "the run's gate openings", c.rule, s.Size); err != nil {
			return nil, err
		}
	}
	return c, c.checkBook()
}

// openStart returns the configuration with its start, without openings.
func openStart(s *run.Spec, outside *Outside) (*Config, error) {
	c := &Config{Spec: *s}
	var err error
	if c.rule, err = pattern.ParseRule(s.Rule); err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	if s.Outside != nil {
		err = c.openOutside(outside)
	} else {
		c.weights, err = weights.Unmarshal(s.Start)
	}
	return c, err
}

// Check returns an error where the complete description of a new run cannot be played: the caller's mistake. Open and New return all
// but those of a fit, since stored runs go on. They need openings and a budget, for which openings may have to be made and the speed to
// be measured.
func Check(s *run.Spec, outside *Outside) error {
	c, err := openStart(s, outside)
	if err != nil {
		return err
	}
	if err := c.checkSpec(); err != nil {
		return err
	}
	if err := c.checkFit(); err != nil {
		return err
	}
	subject, _, err := c.newSubject()
	if err == nil {
		_, err = frozenGenes(subject.genes(), c.Frozen)
	}
	return err
}

// checkFit returns an error where a fit would learn nothing, or where one alone would leave little of the stages: its generations are
// large, and each has the nodes with which it begins. Stored runs go on as they were begun.
func (c *Config) checkFit() error {
	switch {
	case c.Optimizer == fit.Method && c.FirstNodes > 0:
		return fmt.Errorf("tuner: first-nodes: stages are not for optimizer %s, which plays few large generations: take ga or spsa", fit.Method)
	case c.Fit > 0 && !fit.Learns(c.Groups):
		return fmt.Errorf("tuner: a fit learns no weight of the group search: leave out warm-start, and take optimizer ga or spsa")
	}
	return nil
}

// openOutside sets the engine that the run tunes and its start values.
func (c *Config) openOutside(o *Outside) error {
	if o == nil {
		return fmt.Errorf("tuner: the run tunes the engine %s: its engine file has to be named", c.Outside.Name)
	}
	if err := c.Outside.Same(EngineSpec(o.File)); err != nil {
		return fmt.Errorf("tuner: %s is not the engine of the run any more: %w", o.File.Path, err)
	}
	c.Tuned = o
	return json.Unmarshal(c.Start, &c.values)
}

// Extend returns the configuration of the same run with a greater budget. From here on the optimiser's schedules
// follow the new budget. A final gate counts as an interim one, and the validation is played again. So the result
// differs from that of a run with this budget from the beginning. What follows
// a final gate has a smaller allowance of errors, see match.GateTest.
func (c *Config) Extend(state run.State, budget int) (*Config, error) {
	if budget <= c.Budget {
		return nil, fmt.Errorf("tuner: the budget is %d games, not above the run's own %d", budget, c.Budget)
	}
	extended := *c
	extended.Budget, extended.Evolution = budget, 0
	extended.Extended = append(slices.Clone(c.Extended), run.Extension{Generation: state.Generations, Budget: c.Budget, Ended: state.Done || state.FinalGate() != nil, Evolution: state.RepeatedEnd(c.Evolution)})
	return &extended, extended.check()
}

// check returns an error that names the first value out of bounds.
func (c *Config) check() error {
	if c.Budget < run.MinBudget || c.Budget > run.MaxBudget {
		return fmt.Errorf("tuner: the budget is %d games, outside [%d, %d]", c.Budget, run.MinBudget, run.MaxBudget)
	}
	return c.checkSpec()
}

// checkSpec is check without the budget.
func (c *Config) checkSpec() error {
	if c.Shipped != nil && c.Shipped.Player != "" {
		return fmt.Errorf("tuner: the shipped set is %.80q, not weights", c.Shipped.Player)
	}
	if c.Nodes < 1 || c.Nodes > run.MaxNodes {
		return fmt.Errorf("tuner: the node limit is %d, outside [1, %d]", c.Nodes, run.MaxNodes)
	}
	if err := c.checkStages(); err != nil {
		return err
	}
	if !slices.Contains(Methods(), c.Optimizer) {
		return fmt.Errorf("tuner: optimizer %q is not one of %q; a stored run of another can be shown, reported and exported, but not resumed", c.Optimizer, Methods())
	}
	if !(c.WarmStart >= 0 && c.WarmStart <= MaxWarmStart) {
		return fmt.Errorf("tuner: warm-start: the share is %v, outside [0, %v]", c.WarmStart, MaxWarmStart)
	}
	if c.WarmStart > 0 && c.Optimizer == fit.Method {
		return errors.New("tuner: warm-start: a fit cannot be its own warm start: leave it out")
	}
	if c.Outside != nil && c.WarmStart > 0 {
		return errors.New("tuner: warm-start: a fit is for the weights of our own engine, and an engine from outside is tuned: leave it out")
	}
	if c.Outside != nil && c.Optimizer == fit.Method {
		return errors.New("tuner: optimizer: a fit is for the weights of our own engine, and an engine from outside is tuned: take ga or spsa")
	}
	if err := c.checkInFlight(); err != nil {
		return err
	}
	if c.OutsideMS < 0 {
		return fmt.Errorf("tuner: the time a move of external engines is %d ms, below 0", c.OutsideMS)
	}
	if c.Evolution < 0 {
		return fmt.Errorf("tuner: the evolution ends after %d games, below 0", c.Evolution)
	}
	return nil
}

// Embedded returns the name of the embedded weights of the run's board.
func (c *Config) Embedded() string { return weights.EvolvedFor(c.rule, c.Size) }

// checkBook returns an error when a part of the openings is empty, or the two books have a common opening.
func (c *Config) checkBook() error {
	if c.gates != nil {
		if err := c.gates.CheckDisjoint(c.openings); err != nil {
			return fmt.Errorf("tuner: the openings of the gates overlap those of the training: %w", err)
		}
	}
	for _, p := range []book.Part{book.Train, book.Gate} {
		if len(c.part(p).Openings) == 0 && !(c.NoGate && p == book.Gate) {
			return fmt.Errorf("tuner: none of the %d openings is of the %s part", len(c.openings.Openings), p)
		}
	}
	return nil
}

// part returns the openings of one part. Where the gates have their own book, all of the other one is for
// training.
func (c *Config) part(p book.Part) *book.Book {
	switch {
	case c.gates == nil:
		return c.openings.Part(p)
	case p == book.Gate:
		return c.gates
	}
	return c.openings
}

// used returns all openings that the validation must avoid.
func (c *Config) used() *book.Book {
	if c.gates == nil {
		return c.openings
	}
	all := &book.Book{Rule: c.rule, Size: c.Size}
	all.Openings = append(append(all.Openings, c.openings.Openings...), c.gates.Openings...)
	return all
}

// frozenGenes returns, for each gene, whether the names freeze it. It is an error when a name is not a gene of
// the tuned groups, is given twice, or when no gene is left to tune.
func frozenGenes(genes []weights.Gene, names []string) ([]bool, error) {
	frozen, known := make([]bool, len(genes)), make([]string, len(genes))
	for i, g := range genes {
		known[i] = g.Name
	}
	for k, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, fmt.Errorf("freeze: %.60q is to be frozen, but it is none of the %d genes of the tuned groups%s",
				name, len(genes), text.DidYouMean(name, known))
		}
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("freeze: %s is frozen twice", name)
		}
		frozen[i] = true
	}
	if len(names) >= len(genes) {
		return nil, fmt.Errorf("freeze: all %d genes are frozen, none is left to tune", len(genes))
	}
	return frozen, nil
}

// readBook reads stored openings.
func readBook(openings []string, name string, rule pattern.Rule, size int) (*book.Book, error) {
	return book.Parse(strings.NewReader(strings.Join(openings, "\n")), name, rule, size)
}

// Lines returns openings in the form in which the description of a run has them.
func Lines(b *book.Book) []string {
	list := make([]string, len(b.Openings))
	for i, o := range b.Openings {
		list[i] = board.FormatMoves(o.Moves)
	}
	return list
}

// start returns the start values as one side of a match.
func (c *Config) start() match.Side {
	side := match.Side{Name: c.StartName}
	if c.Tuned != nil {
		side.Player = c.Tuned.Contestant(c.values)
	} else {
		side.Player = selfplay.Contestant{Weights: c.weights}
	}
	return side
}

// startValues returns the values that the run begins with.
func (c *Config) startValues() []float64 {
	if c.Tuned != nil {
		return c.values.Numbers()
	}
	return c.weights.Floats()
}

// nodes returns the node limit of a move in matches, 0 where moves are limited by time.
func (c *Config) nodes() int64 {
	if c.control().Move > 0 {
		return 0
	}
	return c.Nodes
}

// StartLabel returns the name of the start in names of runs and results.
func (c *Config) StartLabel() string {
	if c.Tuned != nil {
		return c.Tuned.File.Name()
	}
	return c.weights.Name
}

// engineSignature returns a fingerprint of the engine that is tuned: of its file, or of our own engine.
func (c *Config) engineSignature() string {
	if c.Tuned != nil {
		return c.Tuned.File.Hash()
	}
	return c.Engine
}
