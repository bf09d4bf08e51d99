package ga

import (
	"fmt"

	"quintune/internal/stats"
)

// precision is the safety net of a generation's measurement: where the candidates of several generations differ no
// more than equal ones would by chance, their pairs are doubled, within a bound; where they differ clearly
// again, they are halved. Many cheaply measured candidates beat few well measured ones, so it waits until there
// is nothing to be seen at all.
type precision struct {
	Doubled int       `json:"doubled"` // times that the pairs are doubled now
	Ratios  []float64 `json:"ratios"`  // of the last generations since the last change, oldest first
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
