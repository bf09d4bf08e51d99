package ga

import (
	"errors"
	"slices"
	"testing"

	"github.com/MaxHalford/eaopt"

	"quintune/internal/stats"
)

func testOperators(genes int) *operators {
	group, groups := newSpace(landscapeGenes(genes)).groups()
	return &operators{group: group, groups: groups, blend: .5, byGroup: .5, sigma: .1, resample: .02}
}

// ranked returns n played and evaluated individuals with different points.
func ranked(t *testing.T, n int, ops *operators) eaopt.Individuals {
	t.Helper()
	var list []*genome
	rng := streamV1(1, "test")
	for i := range n {
		g := scatter(make([]float64, len(ops.group)), .3, ops, rng)
		g.stats = statistics{played: true, elo: float64(i % 5)}
		list = append(list, g)
	}
	out := individuals(list, 0)
	if err := rank(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Eaopt's own crossover leaves the second child marked as evaluated, with its
// parent's fitness. Here every child must earn its own, by either crossover and
// as an immigrant, and the parents keep theirs.
func TestChildrenCarryNoFitness(t *testing.T) {
	for _, byGroup := range []float64{0, 1} {
		ops := testOperators(10)
		ops.byGroup = byGroup
		pop := eaopt.Population{Individuals: ranked(t, 8, ops)}
		parents := slices.Clone(pop.Individuals)
		model := &breeding{seed: 1, generation: 1, lambda: 33, immigrants: 3, reach: .2, ops: ops}
		if err := model.Apply(&pop); err != nil {
			t.Fatal(err)
		}
		if len(pop.Individuals) != 33 {
			t.Fatalf("%d children, want 33", len(pop.Individuals))
		}
		for i := range pop.Individuals {
			if err := pop.Individuals[i].Evaluate(); !errors.Is(err, errUnplayed) {
				t.Errorf("child %d evaluates to %v without games (error %v)", i, pop.Individuals[i].Fitness, err)
			}
		}
		for i := range parents {
			if !parents[i].Genome.(*genome).stats.played {
				t.Errorf("breeding took the statistics of parent %d", i)
			}
		}
	}
}

// The operators themselves drop statistics on both sides, also when eaopt calls
// them.
func TestOperatorsDropStatisticsOnBothSides(t *testing.T) {
	for _, byGroup := range []float64{0, 1} {
		ops := testOperators(10)
		ops.byGroup = byGroup
		list := ranked(t, 3, ops)
		list[0].Crossover(list[1], streamV1(1, "cross"))
		list[2].Mutate(streamV1(1, "mutate"))
		for i, individual := range list {
			if individual.Genome.(*genome).stats != (statistics{}) {
				t.Errorf("by group %v: individual %d kept its statistics", byGroup, i)
			}
		}
	}
}

func TestRankSortsByFitnessThenID(t *testing.T) {
	list := ranked(t, 20, testOperators(4))
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if a.Fitness > b.Fitness || a.Fitness == b.Fitness && a.ID >= b.ID {
			t.Errorf("%s (%v) stands before %s (%v)", a.ID, a.Fitness, b.ID, b.Fitness)
		}
	}
}

func TestResultsCountByIndex(t *testing.T) {
	c := smallConfig(0)
	for _, winner := range []int{0, 3, 7} {
		g, err := NewGA(c)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := g.Ask()
		results := make([]stats.Pentanomial, len(b.Pairings))
		for i, p := range b.Pairings {
			switch winner {
			case p.A:
				results[i][4] = 1
			case p.B:
				results[i][0] = 1
			default:
				results[i][2] = 1
			}
		}
		if err := g.Tell(results); err != nil {
			t.Fatal(err)
		}
		p := g.Progress()
		if best := slices.Index(p.Fitness, slices.Max(p.Fitness)); best != winner || p.Best != p.Fitness[winner] {
			t.Errorf("candidate %d won all its pairs, the best is %d", winner, best)
		}
		if want := g.space.expand(g.state.Parents[0].Point); !slices.Equal(want, b.Genomes[winner]) {
			t.Errorf("the first parent is %v, candidate %d is %v", want, winner, b.Genomes[winner])
		}
	}
}

func TestFitnessIsAboveTheAnchor(t *testing.T) {
	g, err := NewGA(smallConfig(0))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := g.Ask()
	results := make([]stats.Pentanomial, len(b.Pairings))
	for i, p := range b.Pairings {
		if p.B < 0 {
			results[i][4] = 1
		} else {
			results[i][2] = 1
		}
	}
	if err := g.Tell(results); err != nil {
		t.Fatal(err)
	}
	if p := g.Progress(); p.Mean <= 0 || slices.Min(p.Fitness) <= 0 {
		t.Errorf("all candidates beat the anchor, their ratings are %v", p.Fitness)
	}
}

func TestCollapseBringsImmigrants(t *testing.T) {
	g, err := NewGA(smallConfig(0))
	if err != nil {
		t.Fatal(err)
	}
	l := newLandscape(3, 9)
	step := func() Progress {
		b, _ := g.Ask()
		if err := g.Tell(l.play(b)); err != nil {
			t.Fatal(err)
		}
		return g.Progress()
	}
	step()
	if p := step(); p.Immigrants != 0 {
		t.Errorf("%d immigrants in a healthy population", p.Immigrants)
	}
	for i := range g.state.Parents {
		g.state.Parents[i].Point = slices.Clone(g.state.Parents[0].Point)
	}
	if p := step(); p.Immigrants != len(p.Fitness)/immigrantOf {
		t.Errorf("%d immigrants among %d children of equal parents", p.Immigrants, len(p.Fitness))
	}
}

func TestWindowAveragesTheLastThirtyPercent(t *testing.T) {
	var w window
	for generation := range 100 {
		w.add([]float64{float64(generation)})
		closed := generation + 1
		first := closed - (closed*3+9)/10
		want := float64(first+generation) / 2
		if got := w.champion()[0]; got != want {
			t.Fatalf("after %d generations the average is %v, want %v", closed, got, want)
		}
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		name   string
		config Config
		spent  int
		want   plan
	}{
		{"forty generations", Config{Budget: 100_800}, 0, plan{300, 100, 6}},
		{"most", Config{Budget: 2_000_000}, 0, plan{512, 170, 6}},
		{"least", Config{Budget: 20_000}, 0, plan{128, 42, 3}},
		{"few generations", Config{Budget: 700}, 0, plan{60, 20, 2}},
		{"smoke", Config{Budget: 80}, 0, plan{12, 6, 1}},
		{"nothing", Config{Budget: 5}, 0, plan{8, 4, 1}},
		{"rest of two generations", Config{Budget: 20_000}, 18_656, plan{160, 53, 3}},
		{"rest of two generations", Config{Budget: 20_000}, 18_500, plan{176, 58, 3}},
		{"rest of less than one", Config{Budget: 20_000}, 19_580, plan{100, 33, 3}},
		{"overrides", Config{Budget: 400, Lambda: 20, Mu: 6, Pairs: 3}, 0, plan{20, 6, 3}},
		{"parents within lambda", Config{Budget: 400, Lambda: 4}, 0, plan{4, 2, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := planFor(c.config, c.spent, 1.4); got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		})
	}
}

func TestGroupCrossoverKeepsGroupsWhole(t *testing.T) {
	ops := testOperators(20)
	a, b := &genome{point: make([]float64, 20), ops: ops}, &genome{point: make([]float64, 20), ops: ops}
	for i := range b.point {
		b.point[i] = 1
	}
	rng := streamV1(1, "test")
	mixed := false
	for range 20 {
		a.exchangeGroups(b, rng)
		for i := range a.point {
			if a.point[i]+b.point[i] != 1 {
				t.Fatalf("gene %d was lost: %v and %v", i, a.point[i], b.point[i])
			}
			if a.point[i] != a.point[i/5*5] {
				t.Fatalf("gene %d was torn from its group", i)
			}
			mixed = mixed || a.point[i] != a.point[0]
		}
	}
	if !mixed {
		t.Error("all groups always moved together")
	}
}
