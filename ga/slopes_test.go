package ga

import (
	"math"
	"slices"
	"testing"

	"quintune/internal/stats"
	"quintune/internal/stream"
)

// bowl tells slopes what couples see that walk from the start towards the best point and around it: in every gene the score a gene
// unit of distance is curvature·(best − centre), beside noise.
func bowl(s *slopes, best, curvature []float64, generations int, noise float64) {
	rng := stream.New(5, "bowl")
	for k := range generations {
		all := newRecombination(len(best))
		centre := make([]float64, len(best))
		for i := range best {
			centre[i] = float64(k) / float64(generations) * best[i]
			all.squares[i] = 4
			all.sum[i] = 4*curvature[i]*(best[i]-centre[i]) + noise*pairDeviation*2*rng.NormFloat64()
		}
		s.add(centre, all)
	}
}

// unitOptimum returns where the slopes vanish of genes whose unit is 1.
func unitOptimum(s slopes) []float64 { return s.optimum(slices.Repeat([]float64{1}, len(s.Weights))) }

// The optimum is found where the centre has not yet come, gene by gene, whatever its own curvature.
func TestSlopesFindTheOptimum(t *testing.T) {
	best, curvature := []float64{.5, -.6, .1, .7, -.3}, []float64{.3, .1, .2, .15, .4}
	s := newSlopes(len(best))
	bowl(&s, best, curvature, 2000, .25)
	got := unitOptimum(s)
	if len(got) != len(best) {
		t.Fatalf("optimum %v, want %v", got, best)
	}
	for i := range best {
		if math.Abs(got[i]-best[i]) > .05 {
			t.Errorf("gene %d: the optimum is at %.3f, want %.3f", i, got[i], best[i])
		}
	}
}

// Where little was told the estimate is drawn to the start, and a gene that nobody moved stays there.
func TestSlopesShrinkToTheStart(t *testing.T) {
	best := slices.Repeat([]float64{.6}, 40)
	s := newSlopes(len(best))
	bowl(&s, best, slices.Repeat([]float64{.2}, len(best)), 60, 1)
	s.Weights[7], s.Centres[7], s.Squares[7], s.Pulls[7], s.Products[7] = 0, 0, 0, 0, 0
	got := unitOptimum(s)
	if len(got) != len(best) {
		t.Fatalf("optimum %v", got)
	}
	if m := mean(got); m < .1 || m > .55 {
		t.Errorf("the mean optimum is %.2f, between the start at 0 and .55 expected", m)
	}
	if got[7] != 0 {
		t.Errorf("a gene that was never moved has its optimum at %v, want 0", got[7])
	}
}

// On a plane, and where only chance speaks, there is no optimum to be seen.
func TestSlopesWithoutABend(t *testing.T) {
	for name, noise := range map[string]float64{"plane": 0, "noise": 1} {
		t.Run(name, func(t *testing.T) {
			s := newSlopes(3)
			for k := range 100 {
				all := newRecombination(3)
				for i := range all.sum {
					all.squares[i] = 4
					all.sum[i] = 4 * .2
				}
				if noise > 0 {
					all.sum = []float64{.1, -.1, .1}
				}
				s.add([]float64{.01 * float64(k), 0, -.005 * float64(k)}, all)
			}
			if got := unitOptimum(s); got != nil {
				t.Errorf("optimum %v, want none", got)
			}
		})
	}
	if s := newSlopes(3); unitOptimum(s) != nil {
		t.Error("an optimum before the first generation")
	}
}

// A couple that plays a rival tells half as much as one whose twins play each other, and the same slope.
func TestRivalsShowTheSameSlope(t *testing.T) {
	away := []float64{.2}
	direct, rival := newRecombination(1), newRecombination(1)
	twins := couple{pairing: 0}
	against := couple{pairing: 0, rival: true}
	// The first twin is 20 % of a pair ahead of its mate, so 10 % against an equal rival where the mate is 10 % behind.
	score, signal, _ := twins.score([]stats.Pentanomial{{0, 3, 0, 7, 0}})
	direct.add(score, signal, away)
	score, signal, _ = against.score([]stats.Pentanomial{{0, 4, 0, 6, 0}, {0, 6, 0, 4, 0}})
	rival.add(score, signal, away)
	if math.Abs(direct.sum[0]/direct.squares[0]-rival.sum[0]/rival.squares[0]) > 1e-12 || rival.squares[0] != direct.squares[0]/2 {
		t.Errorf("twins: %v over %v, against a rival: %v over %v", direct.sum, direct.squares, rival.sum, rival.squares)
	}
}

// Twins lie on both sides of the centre, near a bound too, where they are nearer to it.
func TestTwinsNearABound(t *testing.T) {
	const width = .4
	for _, test := range []struct{ centre, away float64 }{{0, .4}, {.55, .4}, {.8, .2}, {-.8, .2}, {.95, .1}} {
		first := &twin{point: []float64{test.centre}, away: []float64{0}, width: width, kin: alone(1)}
		second := first.Clone().(*twin)
		rng := streamV1(1, "near a bound")
		first.Mutate(rng)
		first.Crossover(second, rng)
		if test.centre == .95 { // the least move leaves the range on one side
			if high := max(first.point[0], second.point[0]); high != 1 {
				t.Errorf("centre %v: twins %v and %v", test.centre, first.point[0], second.point[0])
			}
			continue
		}
		middle := (first.point[0] + second.point[0]) / 2
		if math.Abs(middle-test.centre) > 1e-12 || math.Abs(math.Abs(first.away[0])-test.away) > 1e-12 {
			t.Errorf("centre %v: twins %v and %v", test.centre, first.point[0], second.point[0])
		}
	}
}

// A strategy that came back to the start recommends it until the new centre has met it often enough.
func TestChampionAfterAReturn(t *testing.T) {
	config := DefaultConfig()
	config.Genes, config.Budget = landscapeGenes(5), 8_000
	a := newAdaptive(config)
	start, lost, met := mustJSON(t, a.space.expand(a.space.start())), false, false
	for b, more := a.Ask(); more; b, more = a.Ask() {
		results := lots(b)
		judged := len(b.Pairings) - 1
		if b.Phase == MethodGA && b.Pairings[judged].A == len(b.Genomes)-2 && !lost {
			results[judged] = stats.Pentanomial{int64(b.Pairings[judged].Pairs)}
		}
		before := a.state.Begun
		if err := a.Tell(results); err != nil {
			t.Fatal(err)
		}
		lost = lost || a.state.Begun > before
		switch champion := mustJSON(t, a.Champion()); {
		case lost && a.state.Standstill.met() < leastMet:
			if champion != start {
				t.Fatalf("after %d pairs since its return the champion is not the start", a.state.Standstill.met())
			}
		case lost && champion != start:
			met = true
		}
	}
	if !lost || !met {
		t.Errorf("returned to the start: %v, another champion later: %v", lost, met)
	}
}

// The width of a strategy whose centre loses for ever stays above what a user may set.
func TestWidthHasABound(t *testing.T) {
	a := newAdaptive(smallConfig())
	for range 100 {
		a.narrow(trialNarrows)
	}
	if a.state.Width != leastSetting {
		t.Errorf("width %v, want %v", a.state.Width, leastSetting)
	}
}
