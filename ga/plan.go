package ga

import "math"

// plan is the size of a generation.
type plan struct {
	lambda, mu, pairs int
}

const (
	wantedGenerations = 40
	leastGenerations  = 4 // below this the population shrinks instead
	leastLambda       = 8
	usualLambda       = 128
	mostLambda        = 512
	usualElite        = 8 // parents of a small population, up to half of it
)

// planFor chooses the size of the next generation, when `spent` games of the
// budget are used up and one candidate's pair costs `cost` games on average. λ
// makes about forty generations within [128, 512]; a small budget gets fewer
// generations before it gets smaller ones, since the mean of a few parents only
// drifts.
func planFor(c Config, spent int, cost float64) plan {
	p := plan{lambda: c.Lambda, mu: c.Mu, pairs: c.Pairs}
	if p.pairs == 0 {
		p.pairs = pairsFor(c.Budget)
	}
	if p.lambda == 0 {
		price := float64(p.pairs) * cost // of a candidate
		p.lambda = lambdaFor(float64(c.Budget)/price, float64(c.Budget-spent)/price)
	}
	if p.mu == 0 {
		p.mu = max(p.lambda/3, min(p.lambda/2, usualElite))
	}
	p.mu = min(p.mu, p.lambda)
	return p
}

// pairsFor returns how many pairs a candidate plays: many cheaply measured
// candidates beat few well measured ones.
func pairsFor(budget int) int {
	switch {
	case budget >= 60_000:
		return 6
	case budget >= 2_000:
		return 3
	case budget >= 500:
		return 2
	default:
		return 1
	}
}

// lambdaFor chooses λ, a multiple of four, from the number of candidates that
// the whole budget allows and that its rest allows: what is left is divided into
// whole generations.
func lambdaFor(whole, rest float64) int {
	lambda := max(usualLambda, min(mostLambda, whole/wantedGenerations))
	lambda = max(leastLambda, min(lambda, whole/leastGenerations))
	if generations := math.Floor(rest / lambda); generations > 0 {
		lambda = max(leastLambda, min(mostLambda, rest/generations))
	} else if rest > lambda/2 {
		lambda = max(leastLambda, rest)
	}
	return int(lambda) / 4 * 4
}
