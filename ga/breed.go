package ga

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"

	"github.com/MaxHalford/eaopt"
)

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
