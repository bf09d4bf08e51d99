package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"quintune/internal/strictmath"
)

// Estimate is a value in Elo (or nElo) with its two-sided 95 % interval: Low ≤ Elo ≤ High.
// All three are finite.
type Estimate struct {
	Elo  float64 `json:"elo"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// FewestPairs is the number of pairs from which on an interval is trusted: with fewer it is wide and lopsided, and equal players
// whose pairs are hardly ever split are told apart too often (10 % of the time with ten pairs).
const FewestPairs = 20

// Shown returns whose superiority the estimate of a number of pairs shows: 1 for A's, −1 for B's, 0 for nobody's, where the
// interval contains 0 or rests on fewer than FewestPairs.
func (e Estimate) Shown(pairs int64) int {
	switch {
	case pairs < FewestPairs:
		return 0
	case e.Low > 0:
		return 1
	case e.High < 0:
		return -1
	}
	return 0
}

// Confidence is the probability with which an Estimate's interval should contain the true value.
const Confidence = 0.95

const (
	// Mean scores are limited to minScore and 1 − minScore before they are mapped to Elo: ±1200 Elo.
	minScore = 0.001
	// normalisedUnit is the nElo of one standard deviation of a game.
	normalisedUnit = 800 / math.Ln10
)

// halfWidth is half the width of an interval in standard errors: the quantile (1+Confidence)/2 of the normal distribution.
const halfWidth = 1.9599639845400536

// around returns the estimate of a normally distributed value.
func around(value, standardError float64) Estimate {
	half := float64(halfWidth * standardError)
	return Estimate{Elo: value, Low: value - half, High: value + half}
}

// EloWidth returns half the width of the interval of an Elo near 0 after a number of games, if they are independent and none is drawn.
// The standard deviation of a game is half a point then, and Elo is nElo.
func EloWidth(games int) float64 { return halfWidth * normalisedUnit / math.Sqrt(float64(games)) }

// EloOf returns the difference in Elo for a mean score, 0..1. Scores below 0.001 or above 0.999 count as these
// bounds, so the result is within ±1200.
func EloOf(score float64) float64 {
	score = min(max(score, minScore), 1-minScore)
	return 400 * strictmath.Log10(score/(1-score))
}

// Elo returns A's strength less B's in Elo. The interval is that of the mean pair score, by the normal
// approximation from the moderated counts. From FewestPairs on it holds the truth in at least 90 % of cases up to 600 Elo. Do not trust
// it for fewer. Without pairs the result is 0 in [−1200, +1200].
func (p Pentanomial) Elo() Estimate {
	mean, _ := p.meanScore()
	centre, se := p.moderated().meanScore()
	half := float64(halfWidth * se)
	return Estimate{Elo: EloOf(mean), Low: EloOf(centre - half), High: EloOf(centre + half)}
}

// LOS returns the likelihood of superiority of A, 0..1: the probability that A is the stronger
// player, by the normal approximation from the moderated counts. It is 0.5 when there are no pairs. It has nine decimals: the last
// bits of the distribution depend on the processor.
func (p Pentanomial) LOS() float64 {
	const decimals = 1e9
	mean, se := p.moderated().meanScore()
	return math.Round(distuv.UnitNormal.CDF((mean-0.5)/se)*decimals) / decimals
}

// moderated returns the counts that errors are taken from: with one pair more won and one more lost where fewer than 10 pairs
// differ from the commonest score. The normal approximation of such counts is almost empty otherwise (A. Agresti & B. Coull 1998,
// The American Statistician 52; A. Agresti & B. Caffo 2000, ibid. 54). No pairs stay none.
func (p Pentanomial) moderated() Pentanomial {
	if n := p.Pairs(); n > 0 && n-slices.Max(p[:]) < 10 {
		p[0]++
		p[Outcomes-1]++
	}
	return p
}

// meanScore returns the mean score of a pair and its standard error, which is never 0.
func (p Pentanomial) meanScore() (mean, standardError float64) {
	freq, n := p.observed()
	mean = freq.mean()
	return mean, math.Sqrt(freq.variance(mean) / n)
}

// NElo returns A's normalised Elo against B: the mean score less one half, in standard deviations of a game,
// times 800/ln 10. (The variance of a game is taken as twice that of a pair.) Whatever the draw rate and the
// openings, it determines how many pairs a proof takes (M. Van den Bergh, "Normalized Elo").
//
// The interval is that of a mean over a standard deviation by the delta method, including skewness and kurtosis.
// Without pairs it is 0 in ±6810. Where all pairs are won or all are lost, emptyCount determines the value, and
// the interval is wide.
func (p Pentanomial) NElo() Estimate {
	freq, n := p.observed()
	mean := freq.mean()
	m2, m3, m4 := freq.central(mean)
	t := (mean - 0.5) / math.Sqrt(m2)
	skewness := m3 / float64(m2*math.Sqrt(m2))
	kurtosis := m4 / float64(m2*m2)
	variance := 1 - float64(t*skewness) + float64(float64(t*t)*(kurtosis-1)/4)
	unit := normalisedUnit / math.Sqrt2
	// The variance of a linear combination of two moments is never negative, except for rounding.
	return around(float64(t*unit), float64(unit*math.Sqrt(max(variance, 0)/n)))
}

// logistic returns 1/(1+e^−x) and its complement 1/(1+e^x), both to full relative precision. logistic(−x) is
// exactly the same two numbers, exchanged.
func logistic(x float64) (up, down float64) {
	e := strictmath.Exp(-min(math.Abs(x), 700)) // never 0
	large, small := 1/(1+e), e/(1+e)
	if x < 0 {
		return small, large
	}
	return large, small
}
