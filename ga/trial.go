package ga

import (
	"math"

	"quintune/internal/stats"
)

const (
	// Trials, and what is learnt before the first with a width: shares of all pairs, and bounds below which the games of
	// either tell nothing. A run of fewer than shortestTried trials has none.
	learnShare    = .04
	leastLearnt   = 600
	triedShare    = .01
	leastTried    = 150
	shortestTried = 12
	trialMargin   = 1.      // standard errors that decide a trial
	doubleMargin  = 2       // times as many for losing it with a width that was given, which is known to be good, or after few pairs
	fewPairs      = 6       // pairs a gene: after fewer hardly anything can be gained yet, so a lost trial is mostly chance
	trialNarrows  = 1. / 3. // factor of the width after a lost trial
)

// trialDue reports whether the width is to be tried. With generations in flight the trail may not have begun yet.
func (a *Adaptive) trialDue() bool {
	s := &a.state
	return !s.Trusted && s.Pairs >= s.NextTrial && s.Trail.Closed > 0
}

// trialPairs returns the number of pairs of a trial, 0 where the budget is too small for any.
func (a *Adaptive) trialPairs() int {
	pairs := max(leastTried, int(triedShare*float64(a.config.pairs())))
	if a.config.pairs() < shortestTried*pairs {
		return 0
	}
	return pairs
}

// trial lets the average of the centre play the start.
func (a *Adaptive) trial(d drawing) *openBatch {
	return &openBatch{drawing: d, batch: Batch{
		Generation: d.Generation, Phase: PhaseTrial, Openings: d.Pairs,
		Genomes:  [][]float64{a.space.expand(d.Centre), a.space.expand(a.space.start())},
		Pairings: []Pairing{{A: 0, B: 1, Pairs: d.Pairs, Block: d.Generation}},
	}}
}

// tried judges the width by a trial.
func (a *Adaptive) tried(result stats.Pentanomial) {
	s := &a.state
	ahead := math.Sqrt(float64(result.Pairs())) * (result.Score() - .5) / pairDeviation // in standard errors
	lost := -trialMargin
	if a.config.Width > 0 || s.Pairs-s.Begun < fewPairs*len(a.space.free) {
		lost *= doubleMargin
	}
	switch {
	case result.Pairs() == 0 || lost < ahead && ahead < trialMargin:
		s.NextTrial = s.Pairs + 2*(s.Pairs-s.Begun)
	case ahead > 0:
		s.Trusted = true
	default:
		a.narrow(trialNarrows)
		a.restart()
	}
}
