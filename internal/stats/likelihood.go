package stats

import (
	"math"

	"quintune/internal/strictmath"
)

// LLR returns the logarithm of the likelihood ratio of two hypotheses on A's normalised Elo, high over low. The
// likelihood of a hypothesis is that of the most likely pentanomial distribution that agrees with it. LLR is
// exact, except that counts of 0 are taken as 0.001. It depends on the counts only, not on the order of the
// pairs. It is finite for hypotheses within ±MaxHypothesis nElo.
//
// Source: M. Van den Bergh, "Comments on Normalized Elo" and "The Generalized Maximum Likelihood Ratio for the
// Expectation Value of a Distribution".
func (p Pentanomial) LLR(low, high float64) float64 {
	freq, n := p.observed()
	h0 := mostLikely(freq, tValue(low))
	h1 := mostLikely(freq, tValue(high))
	sum := 0.0
	for i, f := range freq {
		sum += float64(f * strictmath.Log(h1[i]/h0[i]))
	}
	return float64(n * sum)
}

// tValue returns the mean score of a pair less one half, in standard deviations of a pair, for a normalised Elo.
func tValue(nElo float64) float64 { return math.Sqrt2 * nElo / normalisedUnit }

const (
	// refinements bounds the number of linearisations of the t-value. A few are enough, except for hypotheses far from
	// zero when nearly all pairs have the same score.
	refinements = 10
	// settled is the change of a probability below which a distribution counts as final.
	settled = 1e-9
)

// mostLikely returns the distribution with t-value t under which the observed frequencies are most likely. It
// linearises the condition on t around the last distribution, first around the uniform one, and solves each
// linear condition exactly.
func mostLikely(freq distribution, t float64) distribution {
	found := distribution{0.2, 0.2, 0.2, 0.2, 0.2}
	for range refinements {
		mean := found.mean()
		sd := math.Sqrt(found.variance(mean))
		var b [Outcomes]float64
		for i := range b {
			z := (mean - pairScore(i)) / sd
			b[i] = pairScore(i) - 0.5 - float64(float64(t*sd)*(1+float64(z*z))/2)
		}
		x, ok := zeroMean(freq, b)
		if !ok {
			break
		}
		change := 0.0
		for i, f := range freq {
			prob := f / (1 + float64(x*b[i]))
			change = max(change, math.Abs(prob-found[i]))
			found[i] = prob
		}
		if change < settled {
			break
		}
	}
	return found
}

// zeroMean returns the x with Σ freq_i b_i / (1 + x b_i) = 0 and every 1 + x b_i > 0. The sum falls from +∞ to
// −∞ between its poles. So there is exactly one such x when b has both signs; otherwise there is none, and
// zeroMean returns false. It uses Newton's method, and bisection wherever a step would leave the bracket.
func zeroMean(freq distribution, b [Outcomes]float64) (float64, bool) {
	least, most := b[0], b[0]
	for _, v := range b {
		least, most = min(least, v), max(most, v)
	}
	if least >= 0 || most <= 0 {
		return 0, false
	}
	const (
		steps     = 200   // bisection alone would reach neighbouring floating-point numbers in fewer
		precision = 1e-12 // relative to the distance of the nearer pole
	)
	first, last := -1/most, -1/least
	left, right, x := first, last, 0.0
	for range steps {
		sum, slope := 0.0, 0.0
		for i, f := range freq {
			q := b[i] / (1 + float64(x*b[i]))
			sum += float64(f * q)
			slope -= float64(f * float64(q*q))
		}
		if sum > 0 {
			left = x
		} else {
			right = x
		}
		next := x - sum/slope
		if next <= left || next >= right {
			next = left + float64((right-left)/2)
		}
		if math.Abs(next-x) <= precision*min(next-first, last-next) {
			break
		}
		x = next
	}
	return x, true
}
