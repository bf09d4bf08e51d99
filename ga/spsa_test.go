package ga

import (
	"math"
	"slices"
	"testing"

	"quintune/internal/stats"
)

func TestScheduleEndsAtItsSettings(t *testing.T) {
	c := smallConfig(0)
	c.Perturb, c.Rate = .3, .004
	s, err := NewSPSA(c)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10_000
	endC, endR := s.schedule(n-1, n)
	if math.Abs(endC-.3) > 1e-9 || math.Abs(endR-.004) > 1e-9 {
		t.Errorf("the schedule ends at c %v, r %v, want .3 and .004", endC, endR)
	}
	lastC, lastR := s.schedule(0, n)
	for k := 1; k < n; k += 100 {
		c, r := s.schedule(k, n)
		if c >= lastC || c*c*r >= lastC*lastC*lastR {
			t.Fatalf("c or gain does not fall at pair %d", k)
		}
		lastC, lastR = c, r
	}
}

func TestPerturbationIsMirrored(t *testing.T) {
	s, err := NewSPSA(smallConfig(0))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := s.Ask()
	up := 0
	for _, p := range b.Pairings {
		plus, minus := b.Genomes[p.A], b.Genomes[p.B]
		for _, i := range []int{0, 1, 2, 3, 6, 7, 8} { // start 0, free
			if plus[i] == 0 || plus[i] != -minus[i] {
				t.Fatalf("gene %d is %v against %v", i, plus[i], minus[i])
			}
			if plus[i] > 0 {
				up++
			}
		}
	}
	if total := 7 * len(b.Pairings); up == 0 || up == total {
		t.Errorf("%d of %d signs are positive", up, total)
	}
}

func TestStepGoesTowardsTheWinner(t *testing.T) {
	for _, aWins := range []bool{true, false} {
		s, err := NewSPSA(smallConfig(0))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := s.Ask()
		results := make([]stats.Pentanomial, len(b.Pairings))
		for i := range results {
			results[i][2] = 1
		}
		winner := b.Genomes[b.Pairings[0].B]
		results[0] = stats.Pentanomial{1}
		if aWins {
			winner = b.Genomes[b.Pairings[0].A]
			results[0] = stats.Pentanomial{4: 1}
		}
		if err := s.Tell(results); err != nil {
			t.Fatal(err)
		}
		for i, x := range s.Champion()[:4] {
			if x*winner[i] <= 0 {
				t.Errorf("A wins %v: gene %d moved to %v, the winner has %v", aWins, i, x, winner[i])
			}
		}
	}
}

func TestPolishStartsFromTheEvolvedChampion(t *testing.T) {
	c := smallConfig(.5)
	o, l := mustNew(t, MethodGA, c), newLandscape(3, 9)
	games := map[string]int{}
	for b, more := o.Ask(); more; b, more = o.Ask() {
		if b.Phase == PhasePolish && games[PhasePolish] == 0 {
			centre := make([]float64, len(c.Genes))
			for i := range centre {
				centre[i] = (b.Genomes[0][i] + b.Genomes[1][i]) / 2
			}
			for i, x := range o.Champion() {
				if math.Abs(x) < .2 && math.Abs(x-centre[i]) > 1e-12 {
					t.Errorf("gene %d: the polish starts at %v, the champion has %v", i, centre[i], x)
				}
			}
			if slices.Equal(o.Champion(), newSpace(c.Genes).expand(newSpace(c.Genes).start())) {
				t.Error("the polish starts from the start genome")
			}
		}
		games[b.Phase] += b.Games()
		if err := o.Tell(l.play(b)); err != nil {
			t.Fatal(err)
		}
	}
	if games[MethodGA] < 500 || games[PhasePolish] < 500 {
		t.Errorf("games by phase %v, want about 600 each", games)
	}
}

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
		t.Run(test.name, func(t *testing.T) {
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
		})
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
