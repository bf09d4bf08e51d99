package ga

import (
	"testing"

	"quintune/internal/stats"
)

// A run has settled when the last half of its games shows that twice the games gained little.
func TestStandstill(t *testing.T) {
	even, ahead := stats.Pentanomial{1, 0, 2, 0, 1}, stats.Pentanomial{1, 0, 2, 0, 2}
	for _, test := range []struct {
		name        string
		early, late stats.Pentanomial
		times       int // that each is told in its stretch
		settled     bool
	}{
		{"no gain in many games", ahead, ahead, 1500, true},
		{"no gain in few games", ahead, ahead, 150, false},
		{"a gain", even, ahead, 1500, false},
		{"a loss", ahead, even, 1500, true},
		{"too strong for the start to tell", stats.Pentanomial{0, 0, 0, 0, 4}, stats.Pentanomial{0, 0, 0, 0, 4}, 1500, false},
		{"void", stats.Pentanomial{}, stats.Pentanomial{}, 10, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStandstill()
			tell := func(result stats.Pentanomial, from, to int) {
				for k := range test.times {
					s.note(result, from+(to-from)*(k+1)/test.times)
				}
			}
			tell(test.early, 0, firstStretch)
			if s.Settled {
				t.Error("settled after the first stretch")
			}
			tell(test.late, firstStretch, 2*firstStretch)
			if s.Settled != test.settled {
				t.Errorf("settled: %v, want %v", s.Settled, test.settled)
			}
		})
	}
}

// On a landscape that is climbed to its top the strategy says so in a long run, and never while it climbs.
func TestAdaptiveSettles(t *testing.T) {
	config := DefaultConfig()
	config.Genes, config.Budget = landscapeGenes(3), 2_000_000
	o, l := mustNew(t, MethodGA, config), newLandscape(1000, 3)
	for b, more := o.Ask(); more; b, more = o.Ask() {
		if err := o.Tell(l.play(b)); err != nil {
			t.Fatal(err)
		}
		if o.Progress().Settled {
			break
		}
	}
	if !o.Progress().Settled {
		t.Fatal("it never settled")
	}
	if got := l.reached(o.Champion()); got < 190 {
		t.Errorf("it settled after %d games with %.0f Elo of %v", o.Progress().Games, got, startLoss)
	}
	t.Logf("settled after %d games", o.Progress().Games)
}
