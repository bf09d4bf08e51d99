package ga

import (
	"fmt"

	"quintune/internal/stats"
	"quintune/internal/strictmath"
)

// standstill compares what the centre scored against the start in two successive stretches of a run, each ending at twice
// the pairs of the one before: it finds out whether twice the games still gain.
type standstill struct {
	Ends    int               `json:"ends"`    // pairs since the centre was last on the start, at which the running stretch ends
	Running stats.Pentanomial `json:"running"` // results of the centre against the start
	Before  stats.Pentanomial `json:"before"`  // the same of the finished stretch before it
	Settled bool              `json:"settled"` // by the last two finished stretches
}

const (
	firstStretch = 8000 // pairs: shorter runs end by their budget
	// A run has settled where the upper end of the 95 % interval of the gain is below this many Elo; run.SettledWords names it. The centre
	// meets the start in one pair of 32, so a stretch is often judged by chance. Of runs that gain 0 Elo with twice the games 8 % have
	// settled by 32 000 games, 40 % by 128 000 and 90 % by 512 000. Of those that gain 10 it is 10, 19 and 35 %, and of 15 6, 12 and 15 %.
	settledGain = 15
	mostTelling = .95 // score against the start beyond which it no longer tells what is gained
)

func newStandstill() standstill { return standstill{Ends: firstStretch} }

// note adds pairs of the centre against the start, which was last the centre a number of pairs ago.
func (s *standstill) note(result stats.Pentanomial, pairs int) {
	s.Running = s.Running.Add(result)
	if pairs < s.Ends {
		return
	}
	late, early := s.Running.Elo(), s.Before.Elo()
	gain := late.Elo - early.Elo + strictmath.Hypot(late.High-late.Elo, early.Elo-early.Low)
	s.Settled = gain < settledGain && s.Running.Pairs() > 0 && s.Running.Score() < mostTelling
	s.Before, s.Running = s.Running, stats.Pentanomial{}
	s.Ends = 2 * pairs
}

// lost returns how many pairs more the centre has lost than won, in the running stretch and the one before it. A pair of one and a
// half points counts as half a pair won.
func (s standstill) lost() float64 {
	p := s.Running.Add(s.Before)
	return float64(2*(p[0]-p[4])+p[1]-p[3]) / 2
}

// lostAll reports whether the centre has lost all pairs of the same stretches, and at least two.
func (s standstill) lostAll() bool {
	p := s.Running.Add(s.Before)
	return p.Pairs() >= 2 && p[0]+p[1] == p.Pairs()
}

// met returns the pairs of the same stretches.
func (s standstill) met() int64 { return s.Running.Pairs() + s.Before.Pairs() }

// check returns an error if no run of that many pairs can have stored such a standstill.
func (s standstill) check(pairs int) error {
	total := int64(0)
	for _, stretch := range []stats.Pentanomial{s.Running, s.Before} {
		for points, n := range stretch {
			if n < 0 || n > mostBudget {
				return fmt.Errorf("ga: checkpoint: standstill: %d pairs of %d points, outside [0, %v]", n, points, int64(mostBudget))
			}
			total += n
		}
	}
	if total > int64(pairs) {
		return fmt.Errorf("ga: checkpoint: standstill: %d pairs of the %d that were asked", total, pairs)
	}
	if s.Ends <= 0 {
		return fmt.Errorf("ga: checkpoint: standstill: a stretch ends at %d pairs, not above 0", s.Ends)
	}
	return nil
}
