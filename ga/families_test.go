package ga

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"quintune/internal/stats"
	"quintune/internal/stream"
)

// family makes a landscape whose start also loses startLoss Elo, but of another shape; see docs/results/landscapes.md.
type family struct {
	name string
	make func(seed uint64, genes int) *landscape
}

var families = []family{
	{"reference", newLandscape},
	{"near", func(seed uint64, genes int) *landscape { return newLandscape(seed, genes).nearer(.25) }},
	{"nearer", func(seed uint64, genes int) *landscape { return newLandscape(seed, genes).nearer(.08) }},
	{"own scales", ownScales},
	{"sharp", func(seed uint64, genes int) *landscape {
		return newLandscape(seed, genes).bent(func(loss float64) float64 { return startLoss * math.Pow(loss/startLoss, .6) })
	}},
	{"saturated", func(seed uint64, genes int) *landscape {
		return newLandscape(seed, genes).bent(func(loss float64) float64 {
			return startLoss * (1 - math.Exp(-loss/300)) / (1 - math.Exp(-startLoss/300))
		})
	}},
	{"lopsided", func(seed uint64, genes int) *landscape { return lopsided(seed, genes, 4, 1) }},
	{"lopsided-near", func(seed uint64, genes int) *landscape { return lopsided(seed, genes, 8, .3) }},
	{"rounding", func(seed uint64, genes int) *landscape {
		l := newLandscape(seed, genes)
		l.grid = .1
		return l
	}},
	{"two basins", func(seed uint64, genes int) *landscape {
		l := newLandscape(seed, genes)
		l.second = newLandscape(seed+1<<32, genes).optimum
		return l
	}},
	{"rock-paper-scissors", func(seed uint64, genes int) *landscape {
		l := newLandscape(seed, genes)
		l.cycle = 60 / math.Sqrt(float64(genes))
		return l
	}},
}

// scaled sets the curvatures so that the start loses startLoss.
func (l *landscape) scaled() *landscape {
	scale := startLoss / l.loss(make([]float64, len(l.optimum)))
	for i := range l.curvature {
		l.curvature[i] *= scale
	}
	return l
}

// nearer draws the optimum towards the start.
func (l *landscape) nearer(factor float64) *landscape {
	for i := range l.optimum {
		l.optimum[i] *= factor
	}
	return l.scaled()
}

// bent maps the loss, so that startLoss stays what it is.
func (l *landscape) bent(bend func(float64) float64) *landscape {
	l.bend = bend
	return l
}

func ownScales(seed uint64, genes int) *landscape {
	l, rng := newLandscape(seed, genes), stream.New(seed, "scales")
	for i := range l.optimum {
		f := math.Exp(-1.2 + 1.2*rng.NormFloat64())
		l.optimum[i] = max(-.95, min(.95, l.optimum[i]*f))
		l.curvature[i] /= f * f
	}
	return l.scaled()
}

// onTop is a landscape whose start is the best point: there is nothing to gain.
func onTop(seed uint64, genes int) *landscape {
	l := newLandscape(seed, genes)
	clear(l.optimum)
	return l
}

func lopsided(seed uint64, genes int, lean, factor float64) *landscape {
	l, rng := newLandscape(seed, genes), stream.New(seed, "leans")
	for range genes {
		l.lean = append(l.lean, lean*float64(2*rng.IntN(2)-1))
	}
	return l.nearer(factor)
}

// reachedIn returns what an optimiser reaches on landscapes of a family, one for each seed.
func (f family) reachedIn(tb testing.TB, build func(Config) (Optimizer, error), games, genes, seeds int) []float64 {
	tb.Helper()
	var reached []float64
	for i := range uint64(seeds) {
		config := DefaultConfig()
		config.Genes, config.Seed, config.Budget = landscapeGenes(genes), i+1, games
		l := f.make(1000+i, genes)
		o, err := build(config)
		if err != nil {
			tb.Fatal(err)
		}
		if err := run(o, l); err != nil {
			tb.Fatal(err)
		}
		reached = append(reached, l.reached(o.Champion()))
	}
	return reached
}

// BenchmarkFamilies reports the mean and the worst of eight landscapes of each family.
func BenchmarkFamilies(b *testing.B) {
	spsa := func(perturb, rate float64) func(Config) (Optimizer, error) {
		return func(c Config) (Optimizer, error) {
			c.Perturb, c.Rate = perturb, rate
			return New(MethodSPSA, c)
		}
	}
	for _, method := range []struct {
		name  string
		build func(Config) (Optimizer, error)
	}{
		{"adaptive", func(c Config) (Optimizer, error) { return New(MethodGA, c) }},
		{"rival", func(c Config) (Optimizer, error) {
			c.Opponents = []Opponent{{Name: "start", Kind: Rival}}
			return New(MethodGA, c)
		}},
		{"spsa=.4,.002", spsa(.4, .002)},
		{"spsa=.4,.0005", spsa(.4, .0005)},
		{"spsa=.2,.0005", spsa(.2, .0005)},
		{"spsa=.1,.002", spsa(.1, .002)},
	} {
		for _, f := range families {
			for _, size := range []struct{ genes, games int }{{86, 40_000}, {60, 4_000}, {20, 400}, {200, 200_000}, {1000, 40_000}} {
				b.Run(fmt.Sprintf("%s/%s/genes=%d/games=%d", method.name, f.name, size.genes, size.games), func(b *testing.B) {
					reportFamily(b, f, size.genes, size.games, method.build)
				})
			}
		}
	}
}

// reportFamily reports the mean and the worst of eight landscapes.
func reportFamily(b *testing.B, f family, genes, games int, build func(Config) (Optimizer, error)) {
	b.Helper()
	var reached []float64
	for b.Loop() {
		reached = f.reachedIn(b, build, games, genes, 8)
	}
	b.ReportMetric(mean(reached), "elo")
	b.ReportMetric(slices.Min(reached), "worst")
	b.ReportMetric(0, "ns/op")
}

// Nothing is set but genes, seed and budget: every family must be climbed, and nobody may end below the start. The bounds are
// some three standard errors below what was measured.
func TestAdaptiveClimbsEveryFamily(t *testing.T) {
	least := map[string]float64{
		"reference": 190, "near": 197, "nearer": 196, "own scales": 188, "sharp": 150, "saturated": 172, "lopsided": 182,
		"lopsided-near": 135, "rounding": 188, "two basins": 165, "rock-paper-scissors": 182,
	}
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			reached := f.reachedIn(t, func(c Config) (Optimizer, error) { return New(MethodGA, c) }, 12_000, 20, 8)
			t.Logf("mean %.1f, worst %.1f", mean(reached), slices.Min(reached))
			if got := mean(reached); got < least[f.name] {
				t.Errorf("reached %.1f Elo of %v, want %v", got, startLoss, least[f.name])
			}
			if worst := slices.Min(reached); worst < 0 {
				t.Errorf("one champion is %.1f Elo below the start", -worst)
			}
		})
	}
}

// The last generation of a run may have a single pair, which is then a couple's, and not that of the centre and the start.
func TestAdaptiveEndsWithOnePair(t *testing.T) {
	config := DefaultConfig()
	config.Genes, config.Budget = landscapeGenes(3), 2*3588 // after the trial one more than a multiple of the 7 pairs of a generation, and a multiple of 12
	o, l := mustNew(t, MethodGA, config), newLandscape(1, 3)
	last := Batch{}
	for b, more := o.Ask(); more; b, more = o.Ask() {
		last = b
		if err := o.Tell(l.play(b)); err != nil {
			t.Fatal(err)
		}
	}
	if len(last.Pairings) != 1 || o.Progress().Games != config.Budget {
		t.Errorf("the last generation has %d pairings, after %d games of %d, want 1 after all", len(last.Pairings), o.Progress().Games, config.Budget)
	}
}

// evenUntilTrial plays generations in which nothing but chance decides, up to the next trial.
func evenUntilTrial(t *testing.T, o Optimizer) Batch {
	t.Helper()
	flat := newLandscape(1, len(o.Champion()))
	for i := range flat.curvature {
		flat.curvature[i] = 0
	}
	for b, more := o.Ask(); more; b, more = o.Ask() {
		if b.Phase == PhaseTrial {
			return b
		}
		if err := o.Tell(flat.play(b)); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no trial was asked for")
	return Batch{}
}

// checkSigma fails the test where the shown mutation width is not the one with which the next generation is drawn.
func checkSigma(t *testing.T, o Optimizer) {
	t.Helper()
	a := o.(*Adaptive)
	if got, want := o.Progress().Sigma, a.width(a.state.Width, a.state.Pairs); got != want {
		t.Errorf("the shown width is %v, want %v", got, want)
	}
}

// A lost trial goes back to the start with a narrower width, a won one is the last, a draw asks for another. After few pairs a gene,
// and with a given width, the loss has to be greater.
func TestAdaptiveTrial(t *testing.T) {
	for _, test := range []struct {
		name      string
		genes     int
		width     float64 // of the configuration
		result    stats.Pentanomial
		narrower  bool
		goesOn    bool // the centre stays where it is
		nextTrial bool
	}{
		{"lost", 5, 0, stats.Pentanomial{100, 0, 50, 0, 0}, true, false, true},
		{"lost by a little", 5, 0, stats.Pentanomial{45, 0, 75, 0, 30}, true, false, true},
		{"lost by a little with a given width", 5, .1, stats.Pentanomial{45, 0, 75, 0, 30}, false, true, true},
		{"lost by a little after few pairs a gene", 201, 0, stats.Pentanomial{45, 0, 75, 0, 30}, false, true, true},
		{"lost after few pairs a gene", 201, 0, stats.Pentanomial{100, 0, 50, 0, 0}, true, false, true},
		{"lost with a given width", 5, .1, stats.Pentanomial{100, 0, 50, 0, 0}, true, false, true},
		{"won", 5, 0, stats.Pentanomial{0, 0, 50, 0, 100}, false, true, false},
		{"drawn", 5, 0, stats.Pentanomial{40, 0, 70, 0, 40}, false, true, true},
		{"void", 5, 0, stats.Pentanomial{}, false, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := DefaultConfig()
			config.Genes, config.Budget, config.Width = landscapeGenes(test.genes), 12_000, test.width
			o := mustNew(t, MethodGA, config)
			b := evenUntilTrial(t, o)
			if b.Games() != 2*leastTried || len(b.Pairings) != 1 {
				t.Fatalf("the trial has %d pairings of %d games, want one of %d pairs", len(b.Pairings), b.Games(), leastTried)
			}
			saved, err := o.Checkpoint()
			if err != nil {
				t.Fatal(err)
			}
			again := mustNew(t, MethodGA, config)
			if err := again.Restore(saved); err != nil {
				t.Fatal(err)
			}
			if other, _ := again.Ask(); !reflect.DeepEqual(b, other) {
				t.Error("a restored strategy asks for another trial")
			}
			before, champion := o.(*Adaptive).state.Width, o.Champion()
			if err := o.Tell([]stats.Pentanomial{test.result}); err != nil {
				t.Fatal(err)
			}
			if width := o.(*Adaptive).state.Width; (width < before) != test.narrower {
				t.Errorf("the width is %v after %v, narrower is %v, want %v", width, before, width < before, test.narrower)
			}
			if goesOn := slices.Equal(o.Champion(), champion); goesOn != test.goesOn {
				t.Errorf("the champion stays: %v, want %v", goesOn, test.goesOn)
			}
			checkSigma(t, o)
			if trusted := o.(*Adaptive).state.Trusted; trusted == test.nextTrial {
				t.Errorf("the width is trusted: %v, want %v", trusted, !test.nextTrial)
			}
			if o.Progress().Phase != PhaseTrial {
				t.Errorf("the phase is %q, want %q", o.Progress().Phase, PhaseTrial)
			}
		})
	}
}

// A run whose lead over the start has settled in the generation that sends it back to the start goes on.
func TestReturnToTheStartHasNotSettled(t *testing.T) {
	o := mustNew(t, MethodGA, smallConfig())
	for b, more := o.Ask(); more; b, more = o.Ask() {
		results := make([]stats.Pentanomial, len(b.Pairings))
		last, a := len(b.Pairings)-1, o.(*Adaptive)
		s, judged := &a.state, len(a.open[0].couples) <= last
		if judged {
			s.Harm, s.Standstill = harmBound, standstill{Ends: 1, Before: stats.Pentanomial{4: 5000}, Running: stats.Pentanomial{2: 5000}}
			results[last][0] = int64(b.Pairings[last].Pairs)
		}
		if err := o.Tell(results); err != nil {
			t.Fatal(err)
		}
		if judged {
			if p := o.Progress(); s.Begun == 0 || p.Settled || p.Best != 0 || p.Mean != 0 {
				t.Errorf("begun after %d pairs: settled %v, best %v, mean %v, want false, 0, 0 after some pairs", s.Begun, p.Settled, p.Best, p.Mean)
			}
			checkSigma(t, o)
			return
		}
	}
	t.Error("the centre never met the start")
}

// Few genes end with narrower twins, unless the width is given; for a tenth of the budget they are as wide as with many.
func TestFewGenesEndNarrower(t *testing.T) {
	for _, test := range []struct {
		genes     int
		width     float64 // of the configuration
		tenth, at float64 // width after a tenth of the budget, and at its end
	}{
		{86, 0, .505, .4},
		{20, 0, .505, .4},
		{10, 0, .505, .4 * .796}, // 10^(.101 − 2/10)
		{5, 0, .505, .4 * .502},  // 10^(.101 − .4)
		{2, 0, .505, .4 * .502},
		{5, .04, .0505, .04},
	} {
		config := DefaultConfig()
		config.Genes, config.Budget, config.Width = landscapeGenes(test.genes), 4000, test.width
		a := mustNew(t, MethodGA, config).(*Adaptive)
		for pairs, want := range map[int]float64{199: test.tenth, 1999: test.at} {
			if got := a.width(a.state.Width, pairs); math.Abs(got/want-1) > .002 {
				t.Errorf("%d genes, width %v: %.4f after %d pairs, want %.4f", test.genes, test.width, got, pairs+1, want)
			}
		}
	}
}

// Many genes have wider twins, unless the width is given.
func TestManyGenesHaveWiderTwins(t *testing.T) {
	for _, test := range []struct {
		genes       int
		width, want float64
	}{{86, 0, .4}, {200, 0, .4513}, {1000, 0, .568}, {100_000, 0, 1}, {1000, .04, .04}} {
		config := DefaultConfig()
		config.Genes, config.Budget, config.Width = landscapeGenes(test.genes), 4000, test.width
		if got := mustNew(t, MethodGA, config).(*Adaptive).state.Width; math.Abs(got/test.want-1) > .001 {
			t.Errorf("%d genes, width %v: %.4f, want %.4f", test.genes, test.width, got, test.want)
		}
	}
}

// Config.Width replaces the width at the end of the budget.
func TestAdaptiveBeginsWithItsWidth(t *testing.T) {
	config := DefaultConfig()
	config.Genes, config.Budget, config.Width = landscapeGenes(5), 4000, .04
	if got := mustNew(t, MethodGA, config).Progress().Sigma; got != .04 {
		t.Errorf("the width is %v, want .04", got)
	}
}
