package stats

import (
	"testing"

	"quintune/internal/stream"
)

func BenchmarkLLR(b *testing.B) {
	p := Pentanomial{120, 15, 500, 18, 160}
	for b.Loop() {
		p.LLR(0, 10)
	}
}

// large returns a tournament of 512 players and 5120 pairings.
func large() (Model, []Pairing) {
	played := newTournament(stream.New(1, "benchmark"), gameKinds[1], 512, 20, 2, 50)
	return Model{Players: 512, PriorSD: 50}, played.pairings
}

func BenchmarkFit(b *testing.B) {
	m, pairings := large()
	for b.Loop() {
		if _, err := m.Fit(pairings); err != nil {
			b.Fatal(err)
		}
	}
}

// Almost without a prior, the same tournament takes more steps.
func BenchmarkFitWidePrior(b *testing.B) {
	m, pairings := large()
	m.PriorSD = 2000
	for b.Loop() {
		if _, err := m.Fit(pairings); err != nil {
			b.Fatal(err)
		}
	}
}
