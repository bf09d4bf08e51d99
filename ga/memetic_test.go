package ga

import (
	"slices"
	"testing"

	"quintune/internal/stats"
)

// The trial chooses where the polish begins: at the averaged champion where that beats the start, else at the start.
func TestTrialChoosesWhereThePolishBegins(t *testing.T) {
	config := DefaultConfig()
	config.Genes, config.Budget, config.Seed = landscapeGenes(10), 4000, 3
	for _, test := range []struct {
		name     string
		result   func(pairs int64) stats.Pentanomial
		champion bool
	}{
		{"won", func(n int64) stats.Pentanomial { return stats.Pentanomial{4: n} }, true},
		{"lost", func(n int64) stats.Pentanomial { return stats.Pentanomial{0: n} }, false},
		{"even", func(n int64) stats.Pentanomial { return stats.Pentanomial{2: n} }, false},
		{"void", func(int64) stats.Pentanomial { return stats.Pentanomial{} }, false},
	} {
		m, err := NewMemetic(config)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := m.Ask()
		for ; b.Phase == MethodGA; b, _ = m.Ask() {
			tellSplits(t, m, b)
		}
		if b.Phase != PhaseTrial || b.Openings < leastBatch || b.Pairings[0].Pairs != b.Openings {
			t.Fatalf("%s: after the genetic algorithm comes %+v", test.name, b.Pairings)
		}
		champion := m.Champion()
		want := m.global.space.expand(m.global.space.start())
		if slices.Equal(champion, want) {
			t.Fatal("the genetic algorithm did not move")
		}
		if test.champion {
			want = champion
		}
		before, err := m.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		for _, again := range []bool{false, true} {
			if again { // from the checkpoint before the trial
				if err := m.Restore(before); err != nil {
					t.Fatal(err)
				}
				if _, more := m.Ask(); !more {
					t.Fatal("no trial after a restored one")
				}
			}
			if err := m.Tell([]stats.Pentanomial{test.result(int64(b.Openings))}); err != nil {
				t.Fatal(err)
			}
			if got := m.Champion(); !slices.Equal(got, want) {
				t.Errorf("%s: the polish begins at %v, want %v", test.name, got, want)
			}
		}
		if p := m.Progress(); p.Phase != PhaseTrial || p.Generation != b.Generation || p.Games != m.global.Progress().Games+b.Games() {
			t.Errorf("%s: progress %+v", test.name, p)
		}
		told, err := m.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		next, _ := m.Ask()
		if err := m.Restore(told); err != nil {
			t.Fatal(err)
		}
		if restored, _ := m.Ask(); restored.Generation != b.Generation+1 || !slices.EqualFunc(restored.Genomes, next.Genomes, slices.Equal) {
			t.Errorf("%s: another polish after a restore", test.name)
		}
	}
}

func tellSplits(t *testing.T, o Optimizer, b Batch) {
	t.Helper()
	results := make([]stats.Pentanomial, len(b.Pairings))
	for i, p := range b.Pairings {
		results[i][2] = int64(p.Pairs)
	}
	if err := o.Tell(results); err != nil {
		t.Fatal(err)
	}
}
