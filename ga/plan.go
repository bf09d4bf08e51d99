package ga

// plan is the size of a generation.
type plan struct {
	lambda, mu, pairs int
}

const (
	wantedGenerations = 40
	leastGenerations  = 12 // below this the population shrinks instead
	leastLambda       = 8
	usualLambda       = 128
	mostLambda        = 512
)

// planFor chooses the size of a generation for a number of games, of which one
// candidate's pair costs `cost` on average: λ for about forty generations within
// [128, 512], smaller where even 128 would leave fewer than twelve.
func planFor(c Config, games int, cost float64) plan {
	p := plan{lambda: c.Lambda, mu: c.Mu, pairs: c.Pairs}
	if p.pairs == 0 {
		p.pairs = pairsFor(c.Budget)
	}
	if p.lambda == 0 {
		p.lambda = lambdaFor(float64(games) / (float64(p.pairs) * cost))
	}
	if p.mu == 0 {
		p.mu = max(2, p.lambda/4)
	}
	p.mu = min(p.mu, p.lambda)
	return p
}

// pairsFor returns how many pairs a candidate plays: many cheaply measured
// candidates beat few well measured ones.
func pairsFor(budget int) int {
	switch {
	case budget >= 60_000:
		return 8
	case budget >= 2_000:
		return 4
	default:
		return 2
	}
}

// lambdaFor chooses λ so that whole generations use up the candidates that the
// games allow.
func lambdaFor(candidates float64) int {
	lambda := candidates / wantedGenerations
	lambda = max(usualLambda, min(mostLambda, lambda))
	lambda = max(leastLambda, min(lambda, candidates/leastGenerations))
	generations := int(candidates / lambda)
	if generations > 0 && lambda > leastLambda {
		lambda = min(mostLambda, candidates/float64(generations))
	}
	return int(lambda) / 4 * 4
}
