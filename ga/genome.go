package ga

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	randv2 "math/rand/v2"
	"slices"
	"strings"

	"github.com/MaxHalford/eaopt"

	"quintune/internal/stream"
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
			x = 2*float64(rng.Float64()) - 1
		}
		g.point[i] = x
	}
}

// breeding is the eaopt.Model of the genetic algorithm: it replaces a sorted
// population of parents by one generation of children, none of them played. All
// randomness comes from (seed, generation).
type breeding struct {
	seed       uint64
	generation int
	lambda     int
	immigrants int // children that are drawn around the parents' mean with sd reach
	reach      float64
	ops        *operators
}

// Validate reports settings that cannot breed.
func (b *breeding) Validate() error {
	if b.ops == nil || b.lambda < 1 || b.immigrants > b.lambda {
		return errors.New("ga: breeding needs operators and room for its immigrants")
	}
	return nil
}

// Apply breeds the next generation from all individuals of the population.
func (b *breeding) Apply(pop *eaopt.Population) error {
	if len(pop.Individuals) < 2 {
		return fmt.Errorf("ga: %d parents, breeding needs 2", len(pop.Individuals))
	}
	pop.RNG = streamV1(b.seed, "gen %d/breed", b.generation)
	children := make([]*genome, 0, b.lambda+1)
	for len(children) < b.lambda-b.immigrants {
		mother, father := b.couple(pop)
		mother.Crossover(father, pop.RNG)
		mother.Mutate(pop.RNG)
		father.Mutate(pop.RNG)
		children = append(children, mother, father)
	}
	children = children[:b.lambda-b.immigrants]
	centre := meanPoint(points(pop.Individuals))
	for range b.immigrants {
		children = append(children, scatter(centre, b.reach, b.ops, pop.RNG))
	}
	pop.Individuals = individuals(children, b.generation)
	return nil
}

// couple returns copies of two different parents, drawn uniformly.
func (b *breeding) couple(pop *eaopt.Population) (mother, father *genome) {
	n := len(pop.Individuals)
	i := pop.RNG.Intn(n)
	j := (i + 1 + pop.RNG.Intn(n-1)) % n
	mother = pop.Individuals[i].Genome.Clone().(*genome)
	father = pop.Individuals[j].Genome.Clone().(*genome)
	mother.ops, father.ops = b.ops, b.ops
	return mother, father
}

// scatter returns a genome at a normal distance of sd reach from the centre in
// every gene.
func scatter(centre []float64, reach float64, ops *operators, rng *rand.Rand) *genome {
	point := make([]float64, len(centre))
	for i, x := range centre {
		point[i] = clamp(x + float64(reach*rng.NormFloat64()))
	}
	return &genome{point: point, ops: ops}
}

// individuals wraps genomes for eaopt, unevaluated, with identifiers that sort
// in index order.
func individuals(genomes []*genome, generation int) eaopt.Individuals {
	list := make(eaopt.Individuals, len(genomes))
	for i, g := range genomes {
		list[i] = eaopt.Individual{Genome: g, Fitness: math.Inf(1), ID: fmt.Sprintf("%06d/%06d", generation, i)}
	}
	return list
}

// rank evaluates a told generation and sorts it by (fitness, id), best first.
func rank(list eaopt.Individuals) error {
	if err := list.Evaluate(false); err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b eaopt.Individual) int {
		if a.Fitness != b.Fitness {
			if a.Fitness < b.Fitness {
				return -1
			}
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return nil
}

func points(list eaopt.Individuals) [][]float64 {
	out := make([][]float64, len(list))
	for i := range list {
		out[i] = list[i].Genome.(*genome).point
	}
	return out
}

// streamV1 is stream.New for eaopt, which wants a generator of math/rand.
func streamV1(seed uint64, format string, args ...any) *rand.Rand {
	return rand.New(pcgV1{stream.Source(seed, format, args...)})
}

// pcgV1 lets a PCG serve as a math/rand source.
type pcgV1 struct{ pcg *randv2.PCG }

func (s pcgV1) Uint64() uint64 { return s.pcg.Uint64() }
func (s pcgV1) Int63() int64   { return int64(s.pcg.Uint64() >> 1) }

// Seed is required by math/rand and never called: a stream is derived, not
// seeded.
func (s pcgV1) Seed(int64) { panic("ga: a derived stream is never seeded") }
