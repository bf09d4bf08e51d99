package ga

import (
	"errors"
	"math/rand"

	"github.com/MaxHalford/eaopt"
)

// errUnplayed is returned when a genome is evaluated before its games were
// told: evaluation never plays.
var errUnplayed = errors.New("ga: genome has no games of its own")

// statistics are what a genome earned itself. Children start without any.
type statistics struct {
	played bool
	elo    float64
}

// genome is a point of the search as an eaopt.Genome that holds its own
// statistics. Eaopt keeps the fitness of the second child of a crossover; here
// every operator drops the statistics of all genomes that it touches, so a stale
// fitness has nowhere to live.
type genome struct {
	point []float64 // [free gene]
	stats statistics
	ops   *operators
}

// operators are the settings of one generation's crossover and mutation.
type operators struct {
	group    []int // group number of each free gene
	groups   int
	blend    float64 // α of BLX-α
	byGroup  float64 // probability that a crossover is uniform by group, else BLX
	sigma    float64 // sd of the Gaussian mutation, gene units
	resample float64 // probability that a gene is drawn anew from [-1, 1]
}

// Evaluate returns the stored fitness: minus the Elo, since eaopt minimises.
func (g *genome) Evaluate() (float64, error) {
	if !g.stats.played {
		return 0, errUnplayed
	}
	return -g.stats.elo, nil
}

// Clone returns a copy with the statistics: the copy is still the same player.
func (g *genome) Clone() eaopt.Genome {
	return &genome{point: append([]float64(nil), g.point...), stats: g.stats, ops: g.ops}
}

// Crossover turns both genomes into children.
func (g *genome) Crossover(mate eaopt.Genome, rng *rand.Rand) {
	other := mate.(*genome)
	g.stats, other.stats = statistics{}, statistics{}
	if rng.Float64() < g.ops.byGroup {
		g.exchangeGroups(other, rng)
		return
	}
	g.blendWith(other, rng)
}

// exchangeGroups is uniform crossover by group: each group of genes is swapped
// or kept as a whole.
func (g *genome) exchangeGroups(other *genome, rng *rand.Rand) {
	swap := make([]bool, g.ops.groups)
	for i := range swap {
		swap[i] = rng.Float64() < .5
	}
	for i, group := range g.ops.group {
		if swap[group] {
			g.point[i], other.point[i] = other.point[i], g.point[i]
		}
	}
}

// blendWith is BLX-α (Eshelman and Schaffer 1993): each child's gene is uniform
// on the parents' interval, widened by α of its length on both sides.
func (g *genome) blendWith(other *genome, rng *rand.Rand) {
	for i := range g.point {
		low, high := min(g.point[i], other.point[i]), max(g.point[i], other.point[i])
		reach := g.ops.blend * (high - low)
		low, high = low-reach, high+reach
		g.point[i] = clamp(low + float64(rng.Float64()*(high-low)))
		other.point[i] = clamp(low + float64(rng.Float64()*(high-low)))
	}
}

// Mutate moves every gene by a normal step and draws a few anew.
func (g *genome) Mutate(rng *rand.Rand) {
	g.stats = statistics{}
	for i, x := range g.point {
		x = clamp(x + float64(g.ops.sigma*rng.NormFloat64()))
		if rng.Float64() < g.ops.resample {
			x = 2*rng.Float64() - 1
		}
		g.point[i] = x
	}
}
