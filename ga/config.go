package ga

import (
	"errors"
	"fmt"
	"math"
)

// OpponentKind determines from which share of the games an outside opponent gets its own.
type OpponentKind string

// The two kinds of outside opponents.
const (
	Anchor      OpponentKind = "anchor"   // fixed for the whole run, such as the start weights
	OldChampion OpponentKind = "champion" // a genome that passed a gate
)

// Opponent is a player from outside the population. The optimiser knows only
// its index: the caller plays it.
type Opponent struct {
	Name string       `json:"name"`
	Kind OpponentKind `json:"kind"`
	From int          `json:"from"` // first generation that it takes part in
}

// Version is raised when equal configurations begin to ask for other games: what was begun with one version
// cannot go on with another.
const Version = 3

// Config describes one optimisation. Zero means "chosen by rule" for Width, Lambda,
// Mu, Pairs, Founders, Perturb and Rate.
type Config struct {
	Genes     []Gene
	Seed      uint64
	Budget    int // in games
	Opponents []Opponent

	// Shares of each candidate's pairs; they sum to one. The share of a kind that
	// has no opponents goes to the others in proportion.
	PeerShare, ChampionShare, AnchorShare float64

	// Adapt lets MethodGA set its own widths and steps, see Adaptive: then nothing but Genes, Seed, Budget, Opponents and
	// Width counts. Without it the shares, sizes and widths below are those of runs that began before there was Adapt.
	Adapt bool
	Width float64 // first width of the adaptive method, for a start that is known to be near an optimum; 0: the widest

	// InFlight is the number of batches that may be open at a time. With n of them a batch is asked while the results of the n−1
	// before it are still missing, so that many machines need not wait for the last game of each. The batches depend on n. 0: 1.
	InFlight int

	Lambda int // candidates a generation, even
	Mu     int // parents
	Pairs  int // pairs a candidate

	SigmaFrom, SigmaTo float64 // mutation at the start and the end, gene units
	Founders           float64 // sd of the first generation around the start, gene units
	Polish             float64 // share of the budget for the local finish, in [0, 1]

	Perturb float64 // SPSA: final perturbation, gene units
	Rate    float64 // SPSA: final rate
}

// DefaultConfig returns the default configuration: the adaptive method, which has nothing to set, and for the other methods the
// settings that did best on the reference landscapes (docs/results/landscapes.md). Genes, seed, budget and opponents are the caller's.
func DefaultConfig() Config {
	return Config{
		Adapt:         true,
		PeerShare:     .60,
		ChampionShare: .25,
		AnchorShare:   .15,
		SigmaFrom:     .30,
		SigmaTo:       .10,
		Polish:        .90,
	}
}

func (c Config) validate() error {
	free := 0
	for _, g := range c.Genes {
		if !(g.Start >= -1 && g.Start <= 1) {
			return fmt.Errorf("ga: start of gene %s is %v, outside [-1, 1]", g.Name, g.Start)
		}
		if !g.Frozen {
			free++
		}
	}
	if free == 0 {
		return fmt.Errorf("ga: no free gene: all %d are frozen", len(c.Genes))
	}
	return errors.Join(roster(c.Opponents).validate(), c.validateNumbers(), c.validateShares())
}

func (c Config) validateNumbers() error {
	for _, f := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"budget", float64(c.Budget), 0, 1e12},
		{"in flight", float64(c.InFlight), 0, MaxInFlight},
		{"lambda", float64(c.Lambda), 0, 1 << 20},
		{"mu", float64(c.Mu), 0, 1 << 20},
		{"pairs", float64(c.Pairs), 0, 1 << 20},
		{"sigma from", c.SigmaFrom, 1e-6, 1},
		{"sigma to", c.SigmaTo, 1e-6, 1},
		{"founders", c.Founders, 0, 1},
		{"polish", c.Polish, 0, 1},
		{"width", c.Width, 0, 1},
		{"perturb", c.Perturb, 0, 1},
		{"rate", c.Rate, 0, 1},
	} {
		if !(f.value >= f.least && f.value <= f.most) {
			return fmt.Errorf("ga: %s is %v, outside [%v, %v]", f.name, f.value, f.least, f.most)
		}
	}
	if c.Lambda%2 != 0 || c.Lambda == 2 {
		return fmt.Errorf("ga: lambda is %d, neither 0 nor even and at least 4", c.Lambda)
	}
	if c.Lambda > 0 && c.Mu > c.Lambda {
		return fmt.Errorf("ga: mu is %d, above lambda %d", c.Mu, c.Lambda)
	}
	if c.Mu == 1 {
		return errors.New("ga: mu is 1, crossover needs at least 2 parents")
	}
	return nil
}

func (c Config) validateShares() error {
	sum := 0.0
	for _, s := range []struct {
		name  string
		value float64
	}{{"peer", c.PeerShare}, {"champion", c.ChampionShare}, {"anchor", c.AnchorShare}} {
		if !(s.value >= 0 && s.value <= 1) {
			return fmt.Errorf("ga: %s share is %v, outside [0, 1]", s.name, s.value)
		}
		sum += s.value
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("ga: the shares of opponents sum to %v, not 1", sum)
	}
	if c.PeerShare == 0 {
		return errors.New("ga: peer share is 0, candidates must be compared with each other")
	}
	return nil
}

// plan is the size of a generation.
type plan struct {
	lambda, mu, pairs int
}

const (
	wantedGenerations = 40
	leastGenerations  = 4 // below this the population shrinks instead
	leastLambda       = 8
	usualLambda       = 128
	mostLambda        = 512
	usualElite        = 8 // parents of a small population, up to half of it
)

// planFor chooses the size of the next generation, when `spent` games of the
// budget are used up and one candidate's pair costs `cost` games on average. λ
// makes about forty generations within [128, 512]; a small budget gets fewer
// generations before it gets smaller ones, since the mean of a few parents only
// drifts.
func planFor(c Config, spent int, cost float64) plan {
	p := plan{lambda: c.Lambda, mu: c.Mu, pairs: c.Pairs}
	if p.pairs == 0 {
		p.pairs = pairsFor(c.Budget)
	}
	if p.lambda == 0 {
		price := float64(p.pairs) * cost // games that one candidate costs
		p.lambda = lambdaFor(float64(c.Budget)/price, float64(c.Budget-spent)/price)
	}
	if p.mu == 0 {
		p.mu = max(p.lambda/3, min(p.lambda/2, usualElite))
	}
	p.mu = min(p.mu, p.lambda)
	return p
}

// pairsFor returns how many pairs a candidate plays: many cheaply measured
// candidates beat few well measured ones.
func pairsFor(budget int) int {
	switch {
	case budget >= 60_000:
		return 6
	case budget >= 2_000:
		return 3
	case budget >= 500:
		return 2
	default:
		return 1
	}
}

// lambdaFor chooses λ, a multiple of four, from the number of candidates that
// the whole budget allows and that its rest allows: what is left is divided into
// whole generations.
func lambdaFor(whole, rest float64) int {
	lambda := max(usualLambda, min(mostLambda, whole/wantedGenerations))
	lambda = max(leastLambda, min(lambda, whole/leastGenerations))
	if generations := math.Floor(rest / lambda); generations > 0 {
		lambda = max(leastLambda, min(mostLambda, rest/generations))
	} else if rest > lambda/2 {
		lambda = max(leastLambda, rest)
	}
	return int(lambda) / 4 * 4
}
