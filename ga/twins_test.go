package ga

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/MaxHalford/eaopt"
)

// Eaopt's own crossover leaves the second child marked as evaluated, with its parent's fitness. Here no twin has any.
func TestTwinsCarryNoFitness(t *testing.T) {
	centre := &twin{point: make([]float64, 10), away: make([]float64, 10), kin: alone(10)}
	pop := eaopt.Population{Individuals: eaopt.Individuals{{Genome: centre}}}
	model := &coupling{seed: 1, generation: 1, couples: []couple{{width: .1}, {width: .1}, {width: .05, narrow: true}}}
	if err := model.Apply(&pop); err != nil {
		t.Fatal(err)
	}
	if len(pop.Individuals) != 6 {
		t.Fatalf("%d twins of three couples, want 6", len(pop.Individuals))
	}
	for i := range pop.Individuals {
		if err := pop.Individuals[i].Evaluate(); !errors.Is(err, errUnplayed) {
			t.Errorf("twin %d evaluates to %v without games (error %v)", i, pop.Individuals[i].Fitness, err)
		}
	}
}

// alone returns the kin of genes that have none.
func alone(genes int) *kin { return newSpace(landscapeGenes(genes)).kin() }

// Over all chances the mean of a rounded position is the position, and of two positions the greater is never rounded below the other.
func TestRoundByChance(t *testing.T) {
	values := []float64{-.5, -.1, 0, .7}
	const chances = 10_000
	for _, x := range []float64{-.5, -.3, -.1, -.02, 0, .1, .69, .7} {
		sum := 0.0
		for k := range chances {
			chance := (float64(k) + .5) / chances
			rounded := roundByChance(values, x, chance)
			if !slices.Contains(values, rounded) || math.Abs(rounded-x) >= .7 {
				t.Fatalf("%v was rounded to %v", x, rounded)
			}
			if further := roundByChance(values, x+.05, chance); further < rounded {
				t.Fatalf("%v was rounded to %v and %v to %v by the same chance", x, rounded, x+.05, further)
			}
			sum += rounded
		}
		if mean := sum / chances; math.Abs(mean-x) > 1e-4 {
			t.Errorf("%v is %v on average", x, mean)
		}
	}
	for _, outside := range []struct{ x, want float64 }{{-1, -.5}, {1, .7}} {
		if got := roundByChance(values, outside.x, .5); got != outside.want {
			t.Errorf("%v was rounded to %v, want %v", outside.x, got, outside.want)
		}
	}
}

// Narrow twins around the start of a gene with few values are the same player unless chance rounds them apart.
func TestNarrowTwinsOfFewValues(t *testing.T) {
	const step = .25
	f := family{"few values", func(seed uint64, genes int) *landscape {
		l := newLandscape(seed, genes)
		l.grid = step
		return l
	}}
	reached := func(few bool) float64 {
		return mean(f.reachedIn(t, func(c Config) (Optimizer, error) {
			c.Width = .04
			for z := -1.; few && z <= 1; z += step {
				for i := range c.Genes {
					c.Genes[i].Values = append(c.Genes[i].Values, z)
				}
			}
			return New(MethodGA, c)
		}, 12_000, 20, 4))
	}
	chance, nearest := reached(true), reached(false)
	t.Logf("reached %.0f Elo of %v by chance, %.0f without", chance, startLoss, nearest)
	if chance < 90 || nearest > chance-30 {
		t.Errorf("reached %.0f Elo of %v by chance, %.0f without", chance, startLoss, nearest)
	}
}

// A gene of one value, wherever its start is, is a frozen one.
func TestGeneOfOneValueIsFrozen(t *testing.T) {
	for _, method := range Methods() {
		c := DefaultConfig()
		c.Genes, c.Budget = landscapeGenes(4), 4000
		c.Genes[1].Start, c.Genes[2].Start = .3, .3
		frozen := c
		frozen.Genes = slices.Clone(c.Genes)
		frozen.Genes[1].Frozen, frozen.Genes[2].Frozen = true, true
		c.Genes[1].Values, c.Genes[2].Values = []float64{.3}, []float64{.7}
		one, want := mustNew(t, method, c), mustNew(t, method, frozen)
		l := newLandscape(3, 4)
		for b, more := one.Ask(); more; b, more = one.Ask() {
			if other, _ := want.Ask(); !reflect.DeepEqual(b, other) {
				t.Fatalf("%s: generation %d is %+v, of a frozen gene %+v", method, b.Generation, b, other)
			}
			results := l.play(b)
			for _, o := range []Optimizer{one, want} {
				if err := o.Tell(results); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := one.Champion(); got[1] != .3 || got[2] != .3 {
			t.Errorf("%s: the champion is %v, want .3 in genes 1 and 2", method, got)
		}
		for i := range c.Genes {
			c.Genes[i].Values = []float64{c.Genes[i].Start}
		}
		if err := c.Validate(); err == nil {
			t.Errorf("%s: a configuration without a free gene is accepted", method)
		}
	}
}

// The genes of a class move alike, signed ones away from 0 or towards it, and those without a class by themselves.
func TestJointCouplesMoveClasses(t *testing.T) {
	genes := make([]Gene, 40)
	for i := range genes {
		genes[i] = Gene{Name: string(rune('a' + i)), Start: .5}
		if i < 20 {
			genes[i].Class, genes[i].Signed = "first", i%2 == 1
		}
		if i%4 == 3 {
			genes[i].Start = -.5
		}
	}
	s := newSpace(genes)
	centre := &twin{point: s.start(), away: make([]float64, 40), kin: s.kin()}
	pop := eaopt.Population{Individuals: eaopt.Individuals{{Genome: centre}}}
	model := &coupling{seed: 1, couples: make([]couple, 20)}
	for k := range model.couples {
		model.couples[k] = couple{width: .1, joint: true}
	}
	if err := model.Apply(&pop); err != nil {
		t.Fatal(err)
	}
	alike := make([]int, 40) // couples in which the gene moves as the first one
	for k := range model.couples {
		away := pop.Individuals[2*k].Genome.(*twin).away
		for i := range away {
			sign := 1.
			if genes[i].Signed && genes[i].Start < 0 {
				sign = -1
			}
			if sign*away[i] == away[0] {
				alike[i]++
			}
		}
	}
	for i, n := range alike {
		if i < 20 && n != 20 || i >= 20 && (n < 2 || n > 18) {
			t.Errorf("gene %d moves as the first one in %d couples of 20", i, n)
		}
	}
}

// Where the ratio of two genes is steep and their product is not, as with what is good for either side, classes show the way.
func TestClassesShowTheWay(t *testing.T) {
	f := family{"classes", func(seed uint64, genes int) *landscape {
		l := newLandscape(seed, genes)
		for k := range genes / 2 { // a rotation by a quarter: the difference counts forty times as much as the sum
			l.pair[2*k], l.pair[2*k+1], l.cos[k], l.sin[k] = 2*k, 2*k+1, math.Sqrt(.5), math.Sqrt(.5)
			l.curvature[2*k], l.curvature[2*k+1] = 40, 1
			l.optimum[2*k+1] = l.optimum[2*k]
		}
		return l.scaled()
	}}
	reached := func(classes bool) float64 {
		return mean(f.reachedIn(t, func(c Config) (Optimizer, error) {
			c.Width = .1
			for i := range c.Genes {
				if classes {
					c.Genes[i].Class = string(rune('a' + i/2))
				}
			}
			return New(MethodGA, c)
		}, 8_000, 30, 4))
	}
	together, single := reached(true), reached(false)
	t.Logf("reached %.0f Elo of %v by classes, %.0f without", together, startLoss, single)
	if together < single+10 {
		t.Errorf("reached %.0f Elo of %v by classes, %.0f without", together, startLoss, single)
	}
}
