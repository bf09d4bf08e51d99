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

// precision is the safety net of a generation's measurement: where the candidates of several generations differ no
// more than equal ones would by chance, their pairs are doubled, within a bound; where they differ clearly
// again, they are halved. Many cheaply measured candidates beat few well measured ones, so it waits until there
// is nothing to be seen at all.
type precision struct {
	Doubled int       `json:"doubled"` // times that the pairs are doubled now
	Ratios  []float64 `json:"ratios"`  // ratios of the last generations since the last change, oldest first
}

const (
	mostDoubled  = 2
	ratioWindow  = 8   // generations that are judged together
	noSignal     = 1.0 // mean ratio at which the candidates look alike: chance alone gives 1, and most healthy generations 1.1
	clearSignal  = 2.0 // as much signal as noise
	leastJudged  = 16  // candidates; fewer say too little
	ratioEntries = 100 // a stored list is never longer
)

// add notes a closed generation.
func (p *precision) add(ratio float64) {
	p.Ratios = append(p.Ratios, ratio)
	if len(p.Ratios) < ratioWindow {
		return
	}
	p.Ratios = p.Ratios[len(p.Ratios)-ratioWindow:]
	switch seen := mean(p.Ratios); {
	case seen < noSignal && p.Doubled < mostDoubled:
		p.Doubled, p.Ratios = p.Doubled+1, nil
	case seen > clearSignal && p.Doubled > 0:
		p.Doubled, p.Ratios = p.Doubled-1, nil
	}
}

// check reports a stored precision that no run can have left.
func (p precision) check() error {
	if p.Doubled < 0 || p.Doubled > mostDoubled || len(p.Ratios) > ratioEntries {
		return fmt.Errorf("ga: checkpoint: pairs are doubled %d times, outside [0, %d], by %d generations", p.Doubled, mostDoubled, len(p.Ratios))
	}
	return nil
}

// signalRatio returns the variance of the candidates' mean scores over what chance alone would give them, about 1
// where all are equal (the F of a one-way analysis of variance); 0 pairs or too few candidates give false.
func signalRatio(b Batch, results []stats.Pentanomial) (ratio float64, ok bool) {
	scores := make([]stats.Pentanomial, len(b.Genomes))
	for i, p := range b.Pairings {
		scores[p.A] = scores[p.A].Add(results[i])
		if p.B >= 0 {
			scores[p.B] = scores[p.B].Add(results[i].Mirror())
		}
	}
	var means []float64
	within, pairs := 0.0, 0.0
	for _, s := range scores {
		n := float64(s.Pairs())
		if n < 2 {
			continue
		}
		means = append(means, s.Score())
		for i, count := range s {
			away := float64(i)/(stats.Outcomes-1) - s.Score()
			within += float64(float64(count) * away * away)
		}
		pairs += n
	}
	k := float64(len(means))
	if k < leastJudged || within == 0 {
		return 0, false
	}
	centre, between := mean(means), 0.0
	for _, m := range means {
		between += float64((m - centre) * (m - centre))
	}
	chance := within / (pairs - k) / (pairs / k) // variance of a candidate's mean
	return between / (k - 1) / chance, true
}
