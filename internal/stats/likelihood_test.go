package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"quintune/internal/stats/statstest"
	"quintune/internal/stream"
)

func TestGoldenLLR(t *testing.T) {
	for _, g := range golden {
		if llr := g.p.LLR(g.low, g.high); math.Abs(llr-g.exact) > 0.00005 {
			t.Errorf("%v: LLR is %.5f, want %.4f", g.p, llr, g.exact)
		}
		if llr := g.p.ApproximateLLR(g.low, g.high); math.Abs(llr-g.approx) > 0.00005 {
			t.Errorf("%v: approximate LLR is %.5f, want %.4f", g.p, llr, g.approx)
		}
	}
}

func TestLLRMirrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPentanomial().Draw(t, "p")
		low := rapid.Float64Range(-MaxHypothesis, MaxHypothesis-1).Draw(t, "low")
		high := rapid.Float64Range(low+0.1, MaxHypothesis).Draw(t, "high")
		a, b := p.LLR(low, high), p.Mirror().LLR(-high, -low)
		if math.IsNaN(a) || math.IsInf(a, 0) || !near(a, -b, 1e-6) {
			t.Fatalf("LLR of %v between %g and %g is %g, of the mirror %g", p, low, high, a, b)
		}
		if c := p.LLR(high, low); !near(a, -c, 1e-9) {
			t.Fatalf("LLR of %v between %g and %g is %g, with the hypotheses exchanged %g", p, low, high, a, c)
		}
	})
}

func TestLLRRisesWithTheScore(t *testing.T) {
	previous := math.Inf(-1)
	for won := int64(0); won <= 400; won += 5 {
		p := Pentanomial{400 - won, 100, 300, 100, won}
		llr := p.LLR(0, 10)
		if llr <= previous {
			t.Fatalf("%v has LLR %g, with five wins fewer %g", p, llr, previous)
		}
		previous = llr
	}
}

func TestApproximationApproachesLLR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pentanomial
		for i := range p {
			p[i] = rapid.Int64Range(100, 1000).Draw(t, "count")
		}
		// The approximation is good for hypotheses near the observed nElo.
		p = p.Add(p.Mirror())
		low := rapid.Float64Range(-5, 0).Draw(t, "low")
		high := low + rapid.Float64Range(1, 5).Draw(t, "width")
		if exact, approx := p.LLR(low, high), p.ApproximateLLR(low, high); math.Abs(exact-approx) > 0.002 {
			t.Fatalf("LLR of %v between %g and %g is %g, approximately %g", p, low, high, exact, approx)
		}
	})
}

// The distribution found must have the t-value, sum to one, and be more likely than any other distribution with
// that t-value.
func TestMostLikely(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		freq, _ := anyPentanomial().Draw(t, "p").observed()
		other, _ := anyPentanomial().Draw(t, "other").observed()
		want := tValue(rapid.Float64Range(-20, 20).Draw(t, "nElo"))
		found, rival := mostLikely(freq, want), mostLikely(other, want)
		sum := 0.0
		for _, prob := range found {
			sum += prob
		}
		if !near(sum, 1, 1e-7) {
			t.Fatalf("%v sums to %g", found, sum)
		}
		if got := tOf(found); !near(got, want, 1e-4) {
			t.Fatalf("%v has t-value %g, want %g", found, got, want)
		}
		if a, b := likelihood(freq, found), likelihood(freq, rival); a < b-1e-5 {
			t.Fatalf("%v has log-likelihood %g a pair, %v has %g", found, a, rival, b)
		}
	})
}

func tOf(d distribution) float64 {
	mean := d.mean()
	return (mean - 0.5) / math.Sqrt(d.variance(mean))
}

// likelihood returns the log-likelihood per pair of observed frequencies.
func likelihood(freq, d distribution) float64 {
	sum := 0.0
	for i, f := range freq {
		sum += f * math.Log(d[i])
	}
	return sum
}

func TestZeroMean(t *testing.T) {
	uniform := distribution{0.2, 0.2, 0.2, 0.2, 0.2}
	tests := []struct {
		name string
		freq distribution
		b    [Outcomes]float64
		ok   bool
	}{
		{"symmetric", uniform, [Outcomes]float64{-2, -1, 0, 1, 2}, true},
		{"root at the left pole", distribution{1e-12, 0.25, 0.25, 0.25, 0.25}, [Outcomes]float64{9, -1, -1, -1, -1}, true},
		{"root at the right pole", distribution{1e-12, 0.25, 0.25, 0.25, 0.25}, [Outcomes]float64{-9, 1, 1, 1, 1}, true},
		{"tiny and huge", distribution{0.999, 0.001, 1e-9, 1e-9, 1e-9}, [Outcomes]float64{1e-6, -1e-9, 3, -1e4, 0}, true},
		{"all positive", uniform, [Outcomes]float64{1, 2, 3, 4, 5}, false},
		{"all negative", uniform, [Outcomes]float64{-1, -2, -3, -4, -5}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x, ok := zeroMean(test.freq, test.b)
			if ok != test.ok {
				t.Fatalf("ok is %v", ok)
			}
			if !ok {
				return
			}
			sum, size := 0.0, 0.0
			for i, f := range test.freq {
				if 1+float64(x*test.b[i]) <= 0 {
					t.Fatalf("x = %g is beyond the pole of %g", x, test.b[i])
				}
				term := f * test.b[i] / (1 + float64(x*test.b[i]))
				sum += term
				size += math.Abs(term)
			}
			if math.Abs(sum) > 1e-6*size {
				t.Errorf("at x = %g the sum is %g of terms of size %g", x, sum, size)
			}
		})
	}
}

func interval(t *testing.T, r *Ratings, player int) Estimate {
	t.Helper()
	e, err := r.Interval(player)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A player with one anchored opponent and hardly any prior has the likelihood of a single score. At both ends of
// the interval the log-likelihood must be lower by the same amount: that of a normal distribution with the
// variance of the pairs.
func TestIntervalEndsCostTheSame(t *testing.T) {
	for _, p := range []Pentanomial{
		{10, 20, 200, 40, 30}, {0, 1, 10, 30, 400}, {1, 0, 3, 0, 96}, {300, 40, 2, 1, 0},
	} {
		r := fit(t, Model{Players: 2, PriorSD: MaxPriorSD, Anchors: []Anchor{{0, 1000}}}, []Pairing{{1, 0, p}})
		e := interval(t, r, 1)
		score := p.Score()
		cost := func(elo float64) float64 {
			q := statstest.ScoreOf(elo - 1000)
			return 2 * float64(p.Pairs()) / r.Dispersion() * (score*math.Log(score/q) + (1-score)*math.Log((1-score)/(1-q)))
		}
		model := math.Sqrt(r.Dispersion()/(2*float64(p.Pairs())*score*(1-score))) * nat
		want := halfWidth * halfWidth / 2 * math.Pow(standardErrors(t, r)[1]/model, 2)
		if low, high := cost(e.Low), cost(e.High); !near(low, want, 0.02*want) || !near(high, want, 0.02*want) {
			t.Errorf("%v: %v costs %.3f and %.3f nats at its ends, want %.3f", p, e, low, high, want)
		}
	}
}

// With even players and many pairs both kinds of intervals agree.
func TestIntervalIsNormalForEvenPlayers(t *testing.T) {
	played := newTournament(stream.New(1, "normal"), gameKinds[4], 8, 6, 2000, 40)
	r := fit(t, Model{Players: 8, PriorSD: 2000, Anchors: []Anchor{{0, 0}}}, played.pairings)
	for i := range 8 {
		got, want := interval(t, r, i), r.Rating(i)
		if got.Elo != want.Elo || !near(got.Low, want.Low, 0.2) || !near(got.High, want.High, 0.2) {
			t.Errorf("player %d: %v, by the normal approximation %v", i, got, want)
		}
	}
}

// For a player who has won every game only the prior bounds the rating from above. Mirrored results give the
// mirrored interval.
// Where nearly all of very many pairs are split, the log posterior is so large that its rounding hides small falls.
func TestIntervalOfManySplitPairs(t *testing.T) {
	for _, result := range []Pentanomial{{0, 0, 1_000_000, 0, 0}, {3, 0, 1_000_000, 0, 5}, {0, 0, 200_000, 0, 0}, {10_000, 0, 1_000_000, 0, 11_000}} {
		t.Run(fmt.Sprint(result), func(t *testing.T) {
			var pairings []Pairing
			for b := range 4 {
				for a := range b {
					pairings = append(pairings, Pairing{A: a, B: b, Result: result})
				}
			}
			r := fit(t, Model{Players: 4, PriorSD: 2000, Anchors: []Anchor{{0, 0}}}, pairings)
			for i, se := range standardErrors(t, r) {
				e, err := r.Interval(i)
				if err != nil {
					t.Fatal(err)
				}
				if half := halfWidth * se; math.Abs(e.Low-(e.Elo-half)) > 0.01*half || math.Abs(e.High-(e.Elo+half)) > 0.01*half {
					t.Errorf("player %d: %+v, want ± %v", i, e, half)
				}
			}
		})
	}
}

func TestIntervalAtTheEdges(t *testing.T) {
	m := Model{Players: 3, PriorSD: 2000, Anchors: []Anchor{{0, 0}}}
	won := []Pairing{{1, 0, Pentanomial{4: 100}}, {2, 0, Pentanomial{1, 2, 5, 2, 1}}}
	lost := []Pairing{{1, 0, Pentanomial{0: 100}}, {2, 0, Pentanomial{1, 2, 5, 2, 1}}}
	up, down := interval(t, fit(t, m, won), 1), interval(t, fit(t, m, lost), 1)
	if !(up.Low > 500 && up.High > 2000 && up.High < 10000 && up.Low < up.Elo && up.Elo < up.High) {
		t.Errorf("all won: %v", up)
	}
	if !near(up.Low, -down.High, 1e-3) || !near(up.High, -down.Low, 1e-3) {
		t.Errorf("%v is not the mirror of %v", down, up)
	}
	if anchor := interval(t, fit(t, m, won), 0); anchor != (Estimate{}) {
		t.Errorf("the anchor has %v", anchor)
	}
	if idle := interval(t, fit(t, Model{Players: 1, PriorMean: 40, PriorSD: 70}, nil), 0); !near(idle.High, 40+70*halfWidth, 1e-2) {
		t.Errorf("without games: %v", idle)
	}
}

// ApproximateLLR returns an approximation of LLR in closed form, good for many pairs and small differences. LLR
// is tested against it. It is about ten times as fast.
func (p Pentanomial) ApproximateLLR(low, high float64) float64 {
	freq, n := p.observed()
	mean := freq.mean()
	t := (mean - 0.5) / math.Sqrt(freq.variance(mean))
	// Here t is that of a pair: √2 times that of a game. So the squares are divided by 2.
	d0, d1 := t-tValue(low), t-tValue(high)
	return float64(n * math.Log((1+float64(d0*d0/2))/(1+float64(d1*d1/2))))
}
