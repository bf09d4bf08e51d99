package ga

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestLandscapeStartsAtItsLoss(t *testing.T) {
	for seed := range uint64(5) {
		for _, genes := range []int{9, 60} {
			l := newLandscape(seed, genes)
			if loss := l.loss(make([]float64, genes)); math.Abs(loss-startLoss) > 1e-9 {
				t.Errorf("the start loses %v", loss)
			}
			if loss := l.loss(l.optimum); loss != 0 {
				t.Errorf("the optimum loses %v", loss)
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
			t.Errorf("%s: reached %.0f Elo from noise", v.name, r)
		}
	}
}

// The champion is the start only where both the last pairs and the rating say that the centre is worse. Pairs alone do so by chance,
// and all that was learnt would be lost.
func TestTheStartIsTheChampionOnEvidence(t *testing.T) {
	config := DefaultConfig()
	config.Genes, config.Budget = landscapeGenes(20), 4000
	a := mustNew(t, MethodGA, config).(*Adaptive)
	if err := run(a, newLandscape(1000, 20)); err != nil {
		t.Fatal(err)
	}
	start := a.space.expand(a.space.start())
	for _, test := range []struct {
		harm, rating float64
		start        bool
	}{
		{harmSuspected + 1, 40, false},
		{harmSuspected + 1, -40, true},
		{harmSuspected - 1, -40, false},
	} {
		a.state.Harm, a.state.Progress.Mean = test.harm, test.rating
		if slices.Equal(a.Champion(), start) != test.start {
			t.Errorf("harm %v, rating %v: the champion is the start: %v", test.harm, test.rating, !test.start)
		}
	}
}
