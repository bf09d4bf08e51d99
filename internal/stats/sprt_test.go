package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"quintune/internal/stream"
)

// gate is the test of a champion; wide is a test that ends soon.
var (
	gate = SPRT{NElo0: 0, NElo1: 10, Alpha: 0.05, Beta: 0.05}
	wide = SPRT{NElo0: 0, NElo1: 50, Alpha: 0.05, Beta: 0.05}
)

func TestBounds(t *testing.T) {
	tests := []struct{ alpha, beta, lower, upper float64 }{
		{0.05, 0.05, -2.9444, 2.9444},
		{0.01, 0.05, -2.9857, 4.5539},
		{0.05, 0.2, -1.5581, 2.7726},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("alpha %g, beta %g", test.alpha, test.beta), func(t *testing.T) {
			lower, upper := SPRT{NElo1: 1, Alpha: test.alpha, Beta: test.beta}.Bounds()
			if math.Abs(lower-test.lower) > 5e-5 || math.Abs(upper-test.upper) > 5e-5 {
				t.Errorf("alpha %g, beta %g: bounds are %.4f, %.4f, want %.4f, %.4f",
					test.alpha, test.beta, lower, upper, test.lower, test.upper)
			}
		})
	}
}

func TestSPRTErrors(t *testing.T) {
	tests := []struct {
		name     string
		s        SPRT
		capPairs int64
		want     string
	}{
		{"alpha", SPRT{0, 5, 0.5, 0.05}, 10, "alpha is 0.5, outside (0, 0.5)"},
		{"beta", SPRT{0, 5, 0.05, 0}, 10, "beta is 0, outside (0, 0.5)"},
		{"not a number", SPRT{0, 5, math.NaN(), 0.05}, 10, "alpha is NaN"},
		{"order", SPRT{5, 5, 0.05, 0.05}, 10, "lower bound is 5 nElo, not below the upper bound 5"},
		{"lower", SPRT{-201, 5, 0.05, 0.05}, 10, "lower bound is -201 nElo, outside [-200, 200]"},
		{"upper", SPRT{0, math.Inf(1), 0.05, 0.05}, 10, "upper bound is +Inf nElo, outside [-200, 200]"},
		{"cap", gate, 0, "cap is 0 pairs, below 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := NewTest(test.s, test.capPairs)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
		})
	}
}

func TestVerdictNames(t *testing.T) {
	for v, want := range map[Verdict]string{
		Continue: "continue", AcceptH1: "accept H1", AcceptH0: "accept H0", Inconclusive: "inconclusive", 9: "verdict(9)",
	} {
		t.Run(want, func(t *testing.T) {
			if v.String() != want {
				t.Errorf("verdict %d is %q, want %q", uint8(v), v, want)
			}
		})
	}
}

// draw returns the index of a pair drawn from the distribution.
func (d distribution) draw(rng *rand.Rand) int {
	x := rng.Float64()
	for i, prob := range d[:Outcomes-1] {
		if x < prob {
			return i
		}
		x -= prob
	}
	return Outcomes - 1
}

// The verdict is that of the shortest sequence of pairs whose LLR reaches a bound. Scores after it change
// nothing.
func TestVerdictIsThatOfTheSmallestPrefix(t *testing.T) {
	const capPairs = 400
	lower, upper := wide.Bounds()
	seen := map[Verdict]int{}
	for n := range 60 {
		rng := stream.New(1, "prefix %d", n)
		truth := mostLikely(distribution{0.1, 0.2, 0.4, 0.2, 0.1}, tValue(float64(n)-10))
		test, err := NewTest(wide, capPairs)
		if err != nil {
			t.Fatal(err)
		}
		want, prefix := Continue, Pentanomial{}
		for i := 1; i <= 2*capPairs; i++ {
			score := truth.draw(rng)
			if want == Continue {
				prefix[score]++
				switch llr := wide.LLR(prefix); {
				case llr >= upper:
					want = AcceptH1
				case llr <= lower:
					want = AcceptH0
				case i == capPairs:
					want = Inconclusive
				}
			}
			if got := test.Add(score); got != want || test.Verdict() != want {
				t.Fatalf("test %d, pair %d: verdict is %v, want %v", n, i, got, want)
			}
		}
		if test.result != prefix || test.LLR() != wide.LLR(prefix) {
			t.Errorf("test %d counted %v with LLR %g, want %v", n, test.result, test.LLR(), prefix)
		}
		seen[want]++
	}
	for _, v := range []Verdict{AcceptH0, AcceptH1, Inconclusive} {
		if seen[v] == 0 {
			t.Errorf("no test ended with %v: %v", v, seen)
		}
	}
}

// While a test goes on, its LLR is that of the counts, in whatever order they came.
func TestLLRForgetsTheOrder(t *testing.T) {
	rng := stream.New(1, "order")
	scores := make([]int, 200)
	for i := range scores {
		scores[i] = (distribution{0.1, 0.2, 0.4, 0.2, 0.1}).draw(rng)
	}
	llr := func() float64 {
		test, err := NewTest(gate, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range scores {
			test.Add(s)
		}
		if test.result.Pairs() != int64(len(scores)) {
			t.Fatalf("the test ended after %d pairs", test.result.Pairs())
		}
		return test.LLR()
	}
	first := llr()
	for range 5 {
		rng.Shuffle(len(scores), func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
		if again := llr(); again != first {
			t.Errorf("LLR is %v, in another order %v", first, again)
		}
	}
}

func TestDegenerateMatchesEnd(t *testing.T) {
	tests := []struct {
		name  string
		score int
		want  Verdict
	}{
		{"all lost", 0, AcceptH0}, {"all split", 2, AcceptH0}, {"all won", 4, AcceptH1},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			test, err := NewTest(wide, 10000)
			if err != nil {
				t.Fatal(err)
			}
			for test.Add(c.score) == Continue {
				continue
			}
			if test.Verdict() != c.want {
				t.Errorf("verdict is %v after %d pairs, want %v", test.Verdict(), test.result.Pairs(), c.want)
			}
		})
	}
}

// Where one hypothesis is true, the other is accepted no more often than the error that was set.
func TestSPRTErrorRates(t *testing.T) {
	const runs = 2000
	shapes := []struct {
		name string
		freq distribution
	}{
		{"usual", distribution{0.1, 0.2, 0.4, 0.2, 0.1}},
		{"mostly split", distribution{0.05, 0.01, 0.88, 0.01, 0.05}},
		{"no splits", distribution{0.45, 0.03, 0.04, 0.03, 0.45}},
	}
	for _, shape := range shapes {
		for _, truth := range []Verdict{AcceptH0, AcceptH1} {
			t.Run(fmt.Sprintf("%s/%v", shape.name, truth), func(t *testing.T) {
				t.Parallel()
				nElo, allowed := wide.NElo0, wide.Alpha
				if truth == AcceptH1 {
					nElo, allowed = wide.NElo1, wide.Beta
				}
				played := mostLikely(shape.freq, tValue(nElo))
				if got := tOf(played); !near(got, tValue(nElo), 1e-9) {
					t.Fatalf("the games have t-value %g, want %g", got, tValue(nElo))
				}
				rng := stream.New(1, "errors/%s", t.Name())
				wrong, pairs := 0, int64(0)
				for range runs {
					test, err := NewTest(wide, 100000)
					if err != nil {
						t.Fatal(err)
					}
					for test.Add(played.draw(rng)) == Continue {
						continue
					}
					if test.Verdict() != truth {
						wrong++
					}
					pairs += test.result.Pairs()
				}
				rate := float64(wrong) / runs
				t.Logf("%.2f %% wrong verdicts, %.0f pairs a test", 100*rate, float64(pairs)/runs)
				if rate > allowed+0.01 {
					t.Errorf("%.2f %% wrong verdicts, more than %.2f %% and a point", 100*rate, 100*allowed)
				}
			})
		}
	}
}
