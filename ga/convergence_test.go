package ga

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"quintune/internal/stats"
)

func TestLandscapeStartsAtItsLoss(t *testing.T) {
	for seed := range uint64(5) {
		for _, genes := range []int{9, 60} {
			l := newLandscape(seed, genes)
			if loss := l.loss(make([]float64, genes)); math.Abs(loss-startLoss) > 1e-9 {
				t.Errorf("the start loses %v, want %v", loss, startLoss)
			}
			if loss := l.loss(l.optimum); loss != 0 {
				t.Errorf("the optimum loses %v, want 0", loss)
			}
		}
	}
}

// Every optimiser must find most of what there is to gain over 20 genes in
// 12 000 games, and must not lose by drifting in 400. The bounds are three
// standard errors below what was measured.
func TestOptimisersClimb(t *testing.T) {
	for _, c := range []struct {
		name, method string
		games        int
		least        float64
	}{
		{"spsa", MethodSPSA, 12_000, 191},
		{"spsa", MethodSPSA, 400, 135},
		{"ga", MethodGA, 12_000, 185},
		{"ga", MethodGA, 400, 115},
	} {
		t.Run(fmt.Sprintf("%s/%d", c.name, c.games), func(t *testing.T) {
			build := func(config Config) (Optimizer, error) {
				return New(c.method, config)
			}
			mean, se := measure(t, build, c.games, 20)
			t.Logf("%s, %d games: %.1f ± %.1f", c.name, c.games, mean, se)
			if mean < c.least {
				t.Errorf("%s reached %.1f ± %.1f Elo of %v in %d games, want %v", c.name, mean, se, startLoss, c.games, c.least)
			}
		})
	}
}

// Without a signal nothing may be learnt: results that ignore the genomes must
// leave the champion far below what the climb reaches.
func TestNoSignalNoClimb(t *testing.T) {
	for _, v := range variants {
		config := DefaultConfig()
		config.Genes, config.Budget = landscapeGenes(20), 4000
		o, l, flat := mustNew(t, v.method, config), newLandscape(1000, 20), newLandscape(1, 20)
		for i := range flat.curvature {
			flat.curvature[i] = 0
		}
		if err := run(o, flat); err != nil {
			t.Fatal(err)
		}
		if r := l.reached(o.Champion()); r > 60 {
			t.Errorf("%s: reached %.0f Elo from noise, want 60 at most", v.name, r)
		}
	}
}

// The champion is the start only where the centre has lost more than a few pairs to it, or all. A run of lost pairs comes by chance, and all
// that was learnt would be lost.
func TestTheStartIsTheChampionOnEvidence(t *testing.T) {
	config := DefaultConfig()
	config.Genes, config.Budget = landscapeGenes(20), 4000
	a := mustNew(t, MethodGA, config).(*Adaptive)
	if err := run(a, newLandscape(1000, 20)); err != nil {
		t.Fatal(err)
	}
	start := a.space.expand(a.space.start())
	even := stats.Pentanomial{10, 20, 100, 20, 10}
	for _, test := range []struct {
		before, running stats.Pentanomial
		start           bool
	}{
		{even, even, false},
		{even, stats.Pentanomial{3, 0, 0, 0, 0}, false},
		{even, stats.Pentanomial{3, 1, 0, 0, 0}, true},
		{stats.Pentanomial{4, 0, 0, 0, 0}, even, true},
		{stats.Pentanomial{0, 0, 0, 0, 1}, stats.Pentanomial{3, 2, 0, 0, 0}, false},
		{stats.Pentanomial{}, stats.Pentanomial{}, false},
		{stats.Pentanomial{}, stats.Pentanomial{1, 0, 0, 0, 0}, false},
		{stats.Pentanomial{}, stats.Pentanomial{1, 1, 0, 0, 0}, true},
		{stats.Pentanomial{}, stats.Pentanomial{2, 0, 1, 0, 0}, false},
	} {
		a.state.Standstill.Before, a.state.Standstill.Running = test.before, test.running
		if slices.Equal(a.Champion(), start) != test.start {
			t.Errorf("before %v, running %v: the champion is the start: %v, want %v", test.before, test.running, !test.start, test.start)
		}
	}
}

// Where the start is the best point, noise moves the centre away from it. Most champions are the start then.
func TestTheBestStartIsKept(t *testing.T) {
	var lost []float64
	for i := range uint64(24) {
		config := DefaultConfig()
		config.Genes, config.Seed, config.Budget = landscapeGenes(86), i+1, 10_000
		l := onTop(1000+i, 86)
		a := mustNew(t, MethodGA, config)
		if err := run(a, l); err != nil {
			t.Fatal(err)
		}
		lost = append(lost, l.loss(a.Champion()))
	}
	t.Logf("lost %.1f Elo, at most %.1f", mean(lost), slices.Max(lost))
	if mean(lost) > 8 {
		t.Errorf("champions are %.1f Elo below a start that is best, on average, want 8 at most", mean(lost))
	}
}
