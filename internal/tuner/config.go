package tuner

import (
	"errors"
	"fmt"
	"slices"

	"quintune/ga"
	"quintune/internal/book"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Config says everything on which the games of a run depend.
type Config struct {
	StartName string       // as the command line names it
	Start     *weights.Set // where the evolution begins and what gates and validation are played against
	Anchors   []Anchor     // fixed opponents of the genetic algorithm beside the start
	Rule      pattern.Rule
	Size      int      // cells on a side
	Groups    []string // of weights that are tuned; nil: those of the default genome
	Optimizer string   // a name of ga.Methods
	Polish    float64  // share of the evolution for the local finish of "ga"
	Seed      uint64
	Budget    int         // games, for everything; MinBudget to MaxBudget
	Nodes     int64       // limit a move
	NoGate    bool        // neither gate nor validation
	Book      *book.Book  // all parts; the validation makes its own openings
	Engine    string      // engine signature
	Extended  []Extension // budgets that were used up or given up before this one
}

// Extension says that a run got another budget on its way.
type Extension struct {
	Generation int `json:"generation"` // generations closed by then
	Budget     int `json:"budget"`     // before, games
}

// Extend returns the configuration of the same run with a greater budget. The schedules of the optimiser
// follow the new budget from there on, a final gate becomes an interim one, and the validation is
// made anew, so the result is not that of a run which had the budget from the beginning; and the
// errors that gates may make are spent anew.
func (c *Config) Extend(state State, budget int) (*Config, error) {
	if budget <= c.Budget {
		return nil, fmt.Errorf("tuner: the budget is %d games, not above the run's own %d", budget, c.Budget)
	}
	extended := *c
	extended.Budget = budget
	extended.Extended = append(slices.Clone(c.Extended), Extension{state.Generations, c.Budget})
	return &extended, extended.check()
}

// Anchor is a fixed opponent.
type Anchor struct {
	Name string
	Set  *weights.Set
}

// check returns an error that names the first thing out of bounds.
func (c *Config) check() error {
	if c.Budget < MinBudget || c.Budget > MaxBudget {
		return fmt.Errorf("tuner: the budget is %d games, outside [%d, %d]", c.Budget, MinBudget, MaxBudget)
	}
	if c.Nodes < 1 {
		return fmt.Errorf("tuner: the node limit is %d, less than 1", c.Nodes)
	}
	if !slices.Contains(ga.Methods(), c.Optimizer) {
		return fmt.Errorf("tuner: optimizer %q is not one of %q", c.Optimizer, ga.Methods())
	}
	if c.Start == nil {
		return errors.New("tuner: no start weights")
	}
	return c.checkBook()
}

// checkBook returns an error when the book is not for the run's rule and size, or a part of it is empty.
func (c *Config) checkBook() error {
	if c.Book == nil {
		return errors.New("tuner: no openings")
	}
	if c.Book.Rule != c.Rule || c.Book.Size != c.Size {
		return fmt.Errorf("tuner: the openings are for %s on %d×%d, the run plays %s on %d×%d",
			c.Book.Rule, c.Book.Size, c.Book.Size, c.Rule, c.Size, c.Size)
	}
	for _, p := range []book.Part{book.Train, book.Gate} {
		if len(c.Book.Part(p).Openings) == 0 && !(c.NoGate && p == book.Gate) {
			return fmt.Errorf("tuner: none of the %d openings is of the %s part", len(c.Book.Openings), p)
		}
	}
	return nil
}

// groups returns the tuned groups.
func (c *Config) groups() []string {
	if len(c.Groups) == 0 {
		return weights.DefaultGroups()
	}
	return c.Groups
}

// start returns the start as a player of the run's rule and size.
func (c *Config) start() Side {
	return Side{Name: c.StartName, Player: selfplay.Contestant{Weights: c.Start}}
}
