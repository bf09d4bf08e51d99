package ga

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Equal candidates have a ratio of 1; with candidates as far apart as the noise it is 2.
func TestSignalRatio(t *testing.T) {
	for _, test := range []struct {
		reach     float64 // of the founders, gene units
		low, high float64
	}{{1e-9, .9, 1.1}, {.8, 1.3, 20}} {
		t.Run(fmt.Sprint(test.reach), func(t *testing.T) {
			sum, n := 0.0, 0
			for seed := range uint64(20) {
				config := DefaultConfig()
				config.Seed, config.Genes, config.Budget = seed, landscapeGenes(20), 100_000
				config.Founders = test.reach
				g, err := NewGA(config)
				if err != nil {
					t.Fatal(err)
				}
				b, _ := g.Ask()
				ratio, ok := signalRatio(b, newLandscape(seed, 20).play(b))
				if !ok {
					t.Fatal("no ratio")
				}
				sum += ratio
				n++
			}
			if mean := sum / float64(n); mean < test.low || mean > test.high {
				t.Errorf("founders within %v have a ratio of %.2f, want [%v, %v]", test.reach, mean, test.low, test.high)
			}
		})
	}
}

// Where nothing can be seen the pairs are doubled twice and no more; where something can, they are not.
func TestPairsAreDoubledWhereThereIsNoSignal(t *testing.T) {
	for _, test := range []struct {
		name string
		flat bool
	}{{"flat", true}, {"steep", false}} {
		t.Run(test.name, func(t *testing.T) {
			config := DefaultConfig()
			config.Genes, config.Budget, config.Polish = landscapeGenes(20), 60_000, 0
			g, err := NewGA(config)
			if err != nil {
				t.Fatal(err)
			}
			l := newLandscape(1000, 20)
			if test.flat {
				clear(l.curvature)
			}
			var doubled []int
			for {
				b, more := g.Ask()
				if !more {
					break
				}
				want := pairsFor(config.Budget) << g.state.Precision.Doubled
				if b.Openings != want {
					t.Fatalf("%d pairs a candidate, want %d", b.Openings, want)
				}
				if err := g.Tell(l.play(b)); err != nil {
					t.Fatal(err)
				}
				doubled = append(doubled, g.state.Precision.Doubled)
			}
			most := slices.Max(doubled)
			if test.flat && most == 0 || most > mostDoubled || !test.flat && most > 0 {
				t.Errorf("%s: the pairs were doubled %d times at most: %v", test.name, most, doubled)
			}
			if g.Progress().Games > config.Budget {
				t.Errorf("%s: %d games of %d", test.name, g.Progress().Games, config.Budget)
			}
		})
	}
}

func TestPrecisionComesBack(t *testing.T) {
	var p precision
	for range ratioWindow * (mostDoubled + 3) {
		p.add(.9)
	}
	if p.Doubled != mostDoubled {
		t.Errorf("doubled %d times", p.Doubled)
	}
	for range ratioWindow * (mostDoubled + 3) {
		p.add(3)
	}
	if p.Doubled != 0 || math.IsNaN(mean(p.Ratios)) {
		t.Errorf("still doubled %d times", p.Doubled)
	}
	if (precision{Doubled: mostDoubled + 1}).check() == nil || (precision{Doubled: -1}).check() == nil {
		t.Error("a state that cannot be is accepted")
	}
}
