package ga

import (
	"math"
	"testing"

	"quintune/internal/stats"
)

func TestScheduleEndsAtItsSettings(t *testing.T) {
	c := smallConfig()
	c.Perturb, c.Rate = .3, .004
	s := newSPSA(c)
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
	s := newSPSA(smallConfig())
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
		s := newSPSA(smallConfig())
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
