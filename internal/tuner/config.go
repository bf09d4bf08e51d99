package tuner

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"quintune/internal/book"
	"quintune/internal/fit"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/weights"
)

// Config says everything on which the games of a run depend.
type Config struct {
	StartName string       // as the command line names it
	Start     *weights.Set // where the evolution begins and what gates and validation are played against
	Outside   *Outside     // an engine from outside, which is tuned in the place of weights, and its start; nil: weights are
	Anchors   []Anchor     // fixed opponents of the genetic algorithm beside the start
	// Shipped is the embedded set of the board, which the result meets at the end; nil: it does not.
	Shipped *Anchor
	// OutsideTime limits a move of external engines among the anchors; 0: the nodes alone do.
	OutsideTime time.Duration
	Shares      run.Shares // of a candidate's pairs by kind of opponent
	Rule        pattern.Rule
	Size        int          // cells on a side
	Groups      []string     // of weights that are tuned; nil: those of the default genome
	Frozen      []string     // weights of these groups that keep their start's value
	Optimizer   string       // one of Methods
	Polish      float64      // share of the evolution for the local finish of "ga"
	WarmStart   float64      // share of the evolution for a logistic fit before the optimizer; 0: none
	Fit         int          // version of the fit; 0: the newest
	Settings    run.Settings // of the optimisers
	Seed        uint64
	Budget      int             // games, for everything; run.MinBudget to run.MaxBudget
	Evolution   int             // games of evolution after which it ends before its time, as at a deadline; 0: never
	Nodes       int64           // limit a move
	NoGate      bool            // neither gate nor validation
	Book        *book.Book      // all parts, or without the gates' where GateBook is given
	GateBook    *book.Book      // openings of the gates; nil: the part of Book. The validation makes its own
	Engine      string          // engine signature
	Extended    []run.Extension // budgets that were used up or given up before this one
}

// MaxWarmStart is the greatest share of a warm start.
const MaxWarmStart = .9

// Extend returns the configuration of the same run with a greater budget. The schedules of the optimiser
// follow the new budget from there on, a final gate becomes an interim one, and the validation is
// made anew, so the result is not that of a run which had the budget from the beginning; and the
// errors that gates may make are spent anew.
func (c *Config) Extend(state run.State, budget int) (*Config, error) {
	if budget <= c.Budget {
		return nil, fmt.Errorf("tuner: the budget is %d games, not above the run's own %d", budget, c.Budget)
	}
	extended := *c
	extended.Budget, extended.Evolution = budget, 0
	extended.Extended = append(slices.Clone(c.Extended), run.Extension{Generation: state.Generations, Budget: c.Budget})
	return &extended, extended.check()
}

// check returns an error that names the first thing out of bounds.
func (c *Config) check() error {
	if c.Budget < run.MinBudget || c.Budget > run.MaxBudget {
		return fmt.Errorf("tuner: the budget is %d games, outside [%d, %d]", c.Budget, run.MinBudget, run.MaxBudget)
	}
	if c.Nodes < 1 {
		return fmt.Errorf("tuner: the node limit is %d, less than 1", c.Nodes)
	}
	if !slices.Contains(Methods(), c.Optimizer) {
		return fmt.Errorf("tuner: optimizer %q is not one of %q", c.Optimizer, Methods())
	}
	if !(c.WarmStart >= 0 && c.WarmStart <= MaxWarmStart) {
		return fmt.Errorf("tuner: the share of the warm start is %v, outside [0, %v]", c.WarmStart, MaxWarmStart)
	}
	if c.WarmStart > 0 && c.Optimizer == fit.Method {
		return errors.New("tuner: a fit cannot be its own warm start")
	}
	if c.Outside != nil && (c.WarmStart > 0 || c.Optimizer == fit.Method) {
		return errors.New("tuner: a fit is for the weights of our own engine, and an engine from outside is tuned")
	}
	if c.Start == nil && c.Outside == nil {
		return errors.New("tuner: no start weights")
	}
	if err := c.checkInFlight(); err != nil {
		return err
	}
	if c.OutsideTime < 0 {
		return fmt.Errorf("tuner: the time a move of external engines is %v, below 0", c.OutsideTime)
	}
	if c.Evolution < 0 {
		return fmt.Errorf("tuner: the evolution ends after %d games, below 0", c.Evolution)
	}
	if err := c.Shares.Check(); err != nil {
		return fmt.Errorf("tuner: %w", err)
	}
	return c.checkBook()
}

// groups returns the tuned groups.
func (c *Config) groups() []string {
	switch {
	case len(c.Groups) > 0:
		return c.Groups
	case c.Outside != nil:
		return c.Outside.File.Groups()
	}
	return weights.DefaultGroups(c.Rule)
}

// checkBook returns an error when a book is not for the run's rule and size, a part is empty, or the two
// books have an opening in common.
func (c *Config) checkBook() error {
	if c.Book == nil {
		return errors.New("tuner: no openings")
	}
	for _, b := range []*book.Book{c.Book, c.GateBook} {
		if b != nil && (b.Rule != c.Rule || b.Size != c.Size) {
			return fmt.Errorf("tuner: the openings are for %s on %d×%d, the run plays %s on %d×%d",
				b.Rule, b.Size, b.Size, c.Rule, c.Size, c.Size)
		}
	}
	if c.GateBook != nil {
		if err := c.GateBook.CheckDisjoint(c.Book); err != nil {
			return fmt.Errorf("tuner: the openings of the gates overlap those of the training: %w", err)
		}
	}
	for _, p := range []book.Part{book.Train, book.Gate} {
		if len(c.part(p).Openings) == 0 && !(c.NoGate && p == book.Gate) {
			return fmt.Errorf("tuner: none of the %d openings is of the %s part", len(c.Book.Openings), p)
		}
	}
	return nil
}

// part returns the openings of one part. With a book for the gates the other one is for training alone.
func (c *Config) part(p book.Part) *book.Book {
	switch {
	case c.GateBook == nil:
		return c.Book.Part(p)
	case p == book.Gate:
		return c.GateBook
	}
	return c.Book
}

// used returns all openings that the validation must not meet.
func (c *Config) used() *book.Book {
	if c.GateBook == nil {
		return c.Book
	}
	all := &book.Book{Rule: c.Rule, Size: c.Size}
	all.Openings = append(append(all.Openings, c.Book.Openings...), c.GateBook.Openings...)
	return all
}

// frozenGenes returns which genes the names freeze. A name that is not a gene of the tuned groups, one that comes
// twice, and names that leave no gene to tune are errors.
func frozenGenes(genes []weights.Gene, names []string) ([]bool, error) {
	frozen := make([]bool, len(genes))
	for k, name := range names {
		i := slices.IndexFunc(genes, func(g weights.Gene) bool { return g.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("tuner: weight %.60q is to be frozen, but it is none of the %d genes of the tuned groups", name, len(genes))
		}
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("tuner: weight %s is frozen twice", name)
		}
		frozen[i] = true
	}
	if len(names) >= len(genes) {
		return nil, fmt.Errorf("tuner: all %d genes are frozen, none is left to tune", len(genes))
	}
	return frozen, nil
}
