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
	for _, method := range Methods() {
		reportLandscapes(b, method, func(c Config) (Optimizer, error) { return New(method, c) })
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
