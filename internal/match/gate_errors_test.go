package match

import (
	"math"
	"math/rand/v2"
	"testing"

	"quintune/internal/stats"
)

// pairScores holds the probability of each score of a pair.
type pairScores [stats.Outcomes]float64

// tilted returns the distribution with the given normalised Elo that exponential tilting makes of base.
func tilted(base pairScores, nElo float64) pairScores {
	low, high := -5.0, 5.0
	for range 100 {
		middle := (low + high) / 2
		if base.tilt(middle).nElo() < nElo {
			low = middle
		} else {
			high = middle
		}
	}
	return base.tilt(low)
}

func (p pairScores) tilt(by float64) (q pairScores) {
	sum := 0.0
	for i := range p {
		q[i] = p[i] * math.Exp(by*float64(i)/4)
		sum += q[i]
	}
	for i := range q {
		q[i] /= sum
	}
	return q
}

func (p pairScores) nElo() float64 {
	mean, squares := 0.0, 0.0
	for i, x := range p {
		a := float64(i) / 4
		mean += x * a
		squares += x * a * a
	}
	return (mean - .5) / math.Sqrt(2*(squares-mean*mean)) * 800 / math.Ln10
}

func (p pairScores) draw(rng *rand.Rand) int {
	x := rng.Float64()
	for i := range p[:stats.Outcomes-1] {
		if x < p[i] {
			return i
		}
		x -= p[i]
	}
	return stats.Outcomes - 1
}

// mostPairs is the cap of the longest gate that a run can plan.
const mostPairs = 10_000

// simulated plays a gate with simulated pairs. It computes the exact likelihood ratio only where a quick
// estimate is near a bound. Elsewhere the estimate decides the same.
func simulated(sprt stats.SPRT, p pairScores, rng *rand.Rand) stats.Verdict {
	const near = .2
	lower, upper := sprt.Bounds()
	unit := math.Ln10 / 800
	t0, t1 := sprt.NElo0*unit, sprt.NElo1*unit
	var counts stats.Pentanomial
	sum, squares := 0.0, 0.0
	for n := 1.0; n <= mostPairs; n++ {
		i := p.draw(rng)
		counts[i]++
		a := float64(i) / 4
		sum += a
		squares += a * a
		mean := sum / n
		variance := max(1e-6, squares/n-mean*mean)
		t := (mean - .5) / math.Sqrt(2*variance)
		quick := n * ((t-t0)*(t-t0) - (t-t1)*(t-t1)) / (1 + t*t)
		if quick > lower+near && quick < upper-near {
			continue
		}
		switch llr := sprt.LLR(counts); {
		case llr >= upper:
			return stats.AcceptH1
		case llr <= lower:
			return stats.AcceptH0
		}
	}
	return stats.Inconclusive
}

// A gate between equal players passes in at most 6 % of 2 000 trials. At the upper hypothesis it fails in at
// most 6 %. The gate is that of a run with a single gate, with the cap of such a run.
func TestGateErrors(t *testing.T) {
	const trials, most = 2000, .06
	shapes := map[string]pairScores{
		"usual":        {.1, .1, .55, .1, .15},
		"mostly split": {.05, .02, .86, .02, .05},
		"no draws":     {.25, 0, .5, 0, .25},
	}
	sprt := GateTest(1, 0)
	for name, shape := range shapes {
		for _, test := range []struct {
			name string
			nElo float64
			bad  stats.Verdict
		}{{"equals", sprt.NElo0, stats.AcceptH1}, {"upper bound", sprt.NElo1, stats.AcceptH0}} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				p := tilted(shape, test.nElo)
				if got := p.nElo(); math.Abs(got-test.nElo) > 1e-6 {
					t.Fatalf("the games have %v nElo, want %v", got, test.nElo)
				}
				rng := rand.New(rand.NewPCG(1, uint64(len(t.Name()))))
				verdicts := map[stats.Verdict]int{}
				for range trials {
					verdicts[simulated(sprt, p, rng)]++
				}
				t.Logf("%v", verdicts)
				if share := float64(verdicts[test.bad]) / trials; share > most {
					t.Errorf("%.1f %% of %d gates erred", 100*share, trials)
				}
			})
		}
	}
}

// The simulation gives the same verdicts as the sequential test.
func TestSimulatedGatesAreGates(t *testing.T) {
	sprt := GateTest(1, 0)
	p := tilted(pairScores{.1, .1, .55, .1, .15}, 40)
	for seed := range uint64(20) {
		test, err := stats.NewTest(sprt, mostPairs)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 2))
		for test.Verdict() == stats.Continue {
			test.Add(p.draw(rng))
		}
		if got := simulated(sprt, p, rand.New(rand.NewPCG(seed, 2))); got != test.Verdict() {
			t.Errorf("seed %d: %v, simulated %v", seed, test.Verdict(), got)
		}
	}
}
