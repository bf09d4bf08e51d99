package ga

import (
	"fmt"
	"math"
	"testing"
)

const landscapes = 12

// landscapeCases are the reference landscapes of docs/results/landscapes.md.
var landscapeCases = []struct{ genes, games int }{
	{60, 400}, {60, 4_000}, {60, 40_000}, {60, 200_000}, {200, 200_000},
}

// BenchmarkLandscape reports the Elo reached, of 200, as the mean over twelve
// landscapes with its standard error.
func BenchmarkLandscape(b *testing.B) {
	for _, m := range []struct {
		name   string
		method string
		polish float64
	}{
		{"ga-alone", MethodGA, 0},
		{"ga", MethodGA, DefaultConfig().Polish},
		{"adaptive", MethodGA, adaptive},
		{"spsa", MethodSPSA, 0},
	} {
		reportLandscapes(b, m.name, func(c Config) (Optimizer, error) {
			return New(m.method, withPolish(c, m.polish))
		})
	}
}

// BenchmarkSettings does the same for the genetic algorithm alone with one of
// its settings changed.
func BenchmarkSettings(b *testing.B) {
	for _, v := range []struct {
		name   string
		change func(*Config, *habits)
	}{
		{"textbook", func(c *Config, h *habits) {
			c.SigmaFrom, c.SigmaTo = .20, .07
			*h = habits{blend: .3, byGroup: .5, resample: .02, founders: .20}
		}},
		{"sigma=.20-.07", func(c *Config, _ *habits) { c.SigmaFrom, c.SigmaTo = .20, .07 }},
		{"sigma=.40-.10", func(c *Config, _ *habits) { c.SigmaFrom, c.SigmaTo = .40, .10 }},
		{"blx=.3", func(_ *Config, h *habits) { h.blend = .3 }},
		{"by-group=0", func(_ *Config, h *habits) { h.byGroup = 0 }},
		{"by-group=1", func(_ *Config, h *habits) { h.byGroup = 1 }},
		{"reset=0", func(_ *Config, h *habits) { h.resample = 0 }},
		{"reset=.02", func(_ *Config, h *habits) { h.resample = .02 }},
		{"founders=.20", func(_ *Config, h *habits) { h.founders = .20 }},
		{"peers-only", func(c *Config, _ *habits) { c.PeerShare, c.ChampionShare, c.AnchorShare = 1, 0, 0 }},
		{"pairs=16", func(c *Config, _ *habits) { c.Pairs = 16 }},
	} {
		reportLandscapes(b, v.name, func(c Config) (Optimizer, error) {
			c.Polish = 0
			h := measuredHabits()
			v.change(&c, &h)
			g, err := NewGA(c)
			if err == nil {
				g.habits = h
			}
			return g, err
		})
	}
}

// BenchmarkPolish does the same for shares of the local finish.
func BenchmarkPolish(b *testing.B) {
	for _, share := range []float64{.5, .7, .8, .9, .95} {
		reportLandscapes(b, fmt.Sprintf("share=%v", share), func(c Config) (Optimizer, error) {
			c.Polish = share
			return NewMemetic(c)
		})
	}
}

func reportLandscapes(b *testing.B, name string, build func(Config) (Optimizer, error)) {
	for _, c := range landscapeCases {
		b.Run(fmt.Sprintf("%s/genes=%d/games=%d", name, c.genes, c.games), func(b *testing.B) {
			var mean, se float64
			for b.Loop() {
				mean, se = measure(b, build, c.games, c.genes)
			}
			b.ReportMetric(mean, "elo")
			b.ReportMetric(se, "se")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// measure returns the mean Elo that an optimiser with the default settings
// reaches over the landscapes, and its standard error. Seeds are fixed.
func measure(tb testing.TB, build func(Config) (Optimizer, error), games, genes int) (mean, se float64) {
	tb.Helper()
	config := DefaultConfig()
	config.Budget = games
	config.Genes = landscapeGenes(genes)
	config.Opponents = []Opponent{{Name: "start", Kind: Anchor}}
	sum, squares := 0.0, 0.0
	for i := range uint64(landscapes) {
		l := newLandscape(1000+i, genes)
		config.Seed = i + 1
		o, err := build(config)
		if err != nil {
			tb.Fatal(err)
		}
		if err := run(o, l); err != nil {
			tb.Fatal(err)
		}
		r := l.reached(o.Champion())
		sum += r
		squares += r * r
	}
	mean = sum / landscapes
	return mean, math.Sqrt((squares/landscapes - mean*mean) / (landscapes - 1))
}
