package ga

import (
	"fmt"

	"quintune/internal/stats"
)

// priorSD is the standard deviation of the normal prior of a generation's
// ratings, in Elo.
const priorSD = 50

// checkResults reports results that do not fit the pairings, and returns how
// many pairs were void.
func checkResults(pairings []Pairing, results []stats.Pentanomial) (void int, err error) {
	if len(results) != len(pairings) {
		return 0, fmt.Errorf("ga: %d results for %d pairings", len(results), len(pairings))
	}
	for i, r := range results {
		pairs := 0
		for score, n := range r {
			if n < 0 || n > int64(pairings[i].Pairs) {
				return 0, fmt.Errorf("ga: result %d has %d pairs of score %d/4, outside [0, %d]", i, n, score, pairings[i].Pairs)
			}
			pairs += int(n)
		}
		if pairs > pairings[i].Pairs {
			return 0, fmt.Errorf("ga: result %d has %d pairs, %d were asked", i, pairs, pairings[i].Pairs)
		}
		void += pairings[i].Pairs - pairs
	}
	return void, nil
}

// rate returns the Elo of a generation's candidates by index, fitted together
// with the outside opponents that took part, and shifted so that the anchors'
// mean is zero (without anchors the prior's mean is).
func rate(b Batch, results []stats.Pentanomial, opponents roster) ([]float64, error) {
	lambda := len(b.Genomes)
	games := make([]stats.Pairing, len(b.Pairings))
	met := make([]bool, len(opponents))
	for i, p := range b.Pairings {
		other := p.B
		if other < 0 {
			met[-1-other] = true
			other = lambda - 1 - p.B
		}
		games[i] = stats.Pairing{A: p.A, B: other, Result: results[i]}
	}
	ratings, err := stats.Model{Players: lambda + len(opponents), PriorSD: priorSD}.Fit(games)
	if err != nil {
		return nil, fmt.Errorf("ga: %w", err)
	}
	var anchors []float64
	for k, o := range opponents {
		if met[k] && o.Kind == Anchor {
			anchors = append(anchors, ratings.Elo(lambda+k))
		}
	}
	zero := mean(anchors)
	elo := ratings.All()[:lambda]
	for i := range elo {
		elo[i] -= zero
	}
	return elo, nil
}
