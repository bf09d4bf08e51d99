package ga

import (
	"fmt"
	"math"
	"testing"
)

const landscapes = 12

// landscapeCases are the reference landscapes of docs/results/landscapes.md.
var landscapeCases = []struct{ genes, games int }{{60, 40_000}, {60, 200_000}, {200, 200_000}}

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
		{"spsa", MethodSPSA, 0},
	} {
		for _, c := range landscapeCases {
			b.Run(fmt.Sprintf("%s/genes=%d/games=%d", m.name, c.genes, c.games), func(b *testing.B) {
				var mean, se float64
				for b.Loop() {
					config := DefaultConfig()
					config.Polish = m.polish
					config.Budget = c.games
					mean, se = measure(b, m.method, config, c.genes)
				}
				b.ReportMetric(mean, "elo")
				b.ReportMetric(se, "se")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// measure returns the mean Elo reached over the landscapes and its standard
// error.
func measure(tb testing.TB, method string, config Config, genes int) (mean, se float64) {
	tb.Helper()
	config.Genes = landscapeGenes(genes)
	config.Opponents = []Opponent{{Name: "start", Kind: Anchor}}
	sum, squares := 0.0, 0.0
	for i := range uint64(landscapes) {
		l := newLandscape(1000+i, genes)
		config.Seed = i + 1
		o, err := New(method, config)
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
