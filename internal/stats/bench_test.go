package stats

import "testing"

func BenchmarkLLR(b *testing.B) {
	for _, bench := range []struct {
		name string
		llr  func(p Pentanomial, low, high float64) float64
	}{{"exact", Pentanomial.LLR}, {"approximate", Pentanomial.ApproximateLLR}} {
		b.Run(bench.name, func(b *testing.B) {
			p := Pentanomial{120, 15, 500, 18, 160}
			for b.Loop() {
				bench.llr(p, 0, 10)
			}
		})
	}
}

// generation returns a tournament as large as a large generation: 512 players and 5120 pairings.
func generation() (Model, []Pairing) {
	played := newTournament(stream("benchmark"), gameKinds[1], 512, 20, 2, 50)
	return Model{Players: 512, PriorSD: 50}, played.pairings
}

func BenchmarkFit(b *testing.B) {
	m, pairings := generation()
	for b.Loop() {
		if _, err := m.Fit(pairings); err != nil {
			b.Fatal(err)
		}
	}
}

// Almost without a prior, the same tournament takes more steps.
func BenchmarkFitWidePrior(b *testing.B) {
	m, pairings := generation()
	m.PriorSD = 2000
	for b.Loop() {
		if _, err := m.Fit(pairings); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStandardErrors(b *testing.B) {
	m, pairings := generation()
	r, err := m.Fit(pairings)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.StandardErrors(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDifference(b *testing.B) {
	m, pairings := generation()
	r, err := m.Fit(pairings)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r.Difference(1, 2)
	}
}
