package ga

import (
	"errors"
	"fmt"
	"slices"
)

// OpponentKind tells what an outside opponent is for.
type OpponentKind string

// The kinds of outside opponents. Anchors and champions keep their index for the caller, and nobody plays them: what they cost and
// what they tell is in docs/results/landscapes.md.
const (
	Rival       OpponentKind = "rival"    // named by the user: some couples of MethodGA play it
	Anchor      OpponentKind = "anchor"   // fixed for the whole run, such as the start weights
	OldChampion OpponentKind = "champion" // a genome that passed a gate
)

// Opponent is a player from outside the population. The optimiser knows only
// its index: the caller plays it.
type Opponent struct {
	Name string       `json:"name"`
	Kind OpponentKind `json:"kind"`
	From int          `json:"from"` // first generation after it was added; nobody reads it, but stored checkpoints have it
}

// Version is raised when equal configurations begin to ask for other games: what was begun with one version
// cannot go on with another.
const Version = 5

// MaxUnit is the greatest unit of a gene.
const MaxUnit = 100

const mostBudget = 1e12 // games: far more than anybody plays, and exact as a float64

// Config describes one optimisation. Zero means "chosen by rule" for Width, InFlight, Perturb and Rate. Otherwise Width, Perturb and Rate
// are in [1e-9, 1], and InFlight is at most MaxInFlight. Width and Perturb, and so Progress.Sigma, are
// those of a gene whose Unit is 1: others have them times their Unit.
type Config struct {
	Genes     []Gene
	Seed      uint64
	Budget    int // in games, 0 to 1e12; two a pair, so that an odd one leaves a game over
	Opponents []Opponent

	Width float64 // MethodGA: at the end of the budget, if nothing narrows it, for a start that is known to be near an optimum; 0: .4, and more beyond 86 genes

	// InFlight is the number of batches that may be open at a time. With n of them a batch is asked while the results of the n−1
	// before it are still missing, so that many machines need not wait for the last game of each. The batches depend on n. 0: 1.
	InFlight int

	Perturb float64 // SPSA: final perturbation, gene units
	Rate    float64 // SPSA: final rate
}

// DefaultConfig returns the configuration in which each number is chosen by rule, for genes, seed, budget and opponents of the caller.
// The rules suit synthetic landscapes: runs of games set narrower widths.
func DefaultConfig() Config { return Config{} }

// Validate reports the first gene, opponent or number out of bounds, and a configuration without a free gene. The bounds are those
// of all methods.
func (c Config) Validate() error {
	free := 0
	for _, g := range c.Genes {
		if !(g.Start >= -1 && g.Start <= 1) {
			return fmt.Errorf("ga: start of gene %s is %v, outside [-1, 1]", g.Name, g.Start)
		}
		if g.Unit != 0 && !(g.Unit >= 1 && g.Unit <= MaxUnit) {
			return fmt.Errorf("ga: the unit of gene %s is %v, outside [1, %v]", g.Name, g.Unit, float64(MaxUnit))
		}
		if !slices.IsSorted(g.Values) || slices.ContainsFunc(g.Values, func(z float64) bool { return !(z >= -1 && z <= 1) }) {
			return fmt.Errorf("ga: the values of gene %s are not ascending in [-1, 1]: %v", g.Name, g.Values)
		}
		if !g.isFrozen() {
			free++
		}
	}
	if free == 0 {
		return fmt.Errorf("ga: no free gene: all %d are frozen or of one value", len(c.Genes))
	}
	return errors.Join(roster(c.Opponents).validate(), c.validateNumbers())
}

// leastSetting is the least width, perturbation and rate: smaller ones move nothing, and the square of a tiny one is 0.
const leastSetting = 1e-9

func (c Config) validateNumbers() error {
	for _, f := range []struct {
		name        string
		value       float64
		least, most float64 // beside 0
	}{
		{"budget", float64(c.Budget), 0, mostBudget},
		{"in flight", float64(c.InFlight), 0, MaxInFlight},
		{"width", c.Width, leastSetting, 1},
		{"perturb", c.Perturb, leastSetting, 1},
		{"rate", c.Rate, leastSetting, 1},
	} {
		if f.value != 0 && !(f.value >= f.least && f.value <= f.most) {
			return fmt.Errorf("ga: %s is %v, outside [%v, %v]", f.name, f.value, f.least, f.most)
		}
	}
	return nil
}
