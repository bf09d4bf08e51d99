package tuner

import (
	"quintune/internal/run"
)

// Shares of the budget that are not for the evolution; chosen, not measured. Games that the gates do not need are not played.
const (
	gateShare       = .20
	validationShare = .15
	checkShare      = .03
)

// Bounds of these games, chosen, not measured.
const (
	MostGateGames       = 20_000 // games of one gate
	mostValidationGames = 9_000  // games of all validations together: the reported one has 4 000, and some ±9 Elo
	mostChecks          = 20     // points of a curve
	leastCheckPairs     = 8      // pairs of one check match; with fewer the interval says nothing
	leastFurtherPairs   = 25     // pairs of one validation other than the first and that against the shipped set
	mostShippedPairs    = 100
	shippedPart         = 4 // the validation against the shipped set gets at most 1/shippedPart of the pairs of all validations
)

// plan divides the games of a run among its purposes. Every number is at least 1, where its comment does not
// allow 0: a run without a gate leaves its games out, and a run that is too short its checks.
type plan struct {
	evolution  int // games of the evolution
	gates      int // planned gates, the final one included; each may make 1/gates of the errors that match.GateTest allows
	gateGames  int // of all gates together
	checks     int // number of check matches
	checkPairs int // of one check match

	validationPairs  int // pairs of the reported validation, which is against the start
	deeperPairs      int // pairs of the validation at more nodes; here and below 0 means that the budget is too small
	previousPairs    int // pairs of the validation against the champion before the present one
	anchorPairs      int // pairs of the validation against each of the first anchors
	validatedAnchors int
	shippedPairs     int // pairs of the validation against the shipped set; 0: there is none
}

// planFor divides a budget. Without a gate there is no validation either.
func planFor(budget int, gated bool, anchors int, shipped bool) plan {
	share := func(s float64) int { return int(float64(budget) * s) }
	checkPairs := share(checkShare) / 2
	p := plan{checks: min(checkPairs/leastCheckPairs, mostChecks)}
	if p.checks > 0 {
		p.checkPairs = checkPairs / p.checks
	}
	p.evolution = budget - 2*p.checks*p.checkPairs
	if gated {
		p.gates = gatesFor(budget)
		p.gateGames = min(share(gateShare), p.gates*MostGateGames)
		pairs := min(share(validationShare), mostValidationGames) / 2
		p.shareValidations(pairs, anchors, shipped)
		p.evolution -= p.gateGames + 2*pairs
	}
	p.evolution &^= 1 // games come in pairs: at an odd end the last check would never be due
	return p
}

// evolutionOf returns the games of a budget that planFor leaves to the evolution, before it rounds them.
func evolutionOf(budget int, gated bool) float64 {
	games := float64(budget)
	if !gated {
		return games * (1 - checkShare)
	}
	unplayed := max(0, float64(games*gateShare)-float64(gatesFor(budget)*MostGateGames)) + max(0, float64(games*validationShare)-mostValidationGames)
	return float64(games*(1-gateShare-validationShare-checkShare)) + unplayed
}

// plan divides a budget of the run.
func (c *Config) plan(budget int) plan {
	p := planFor(budget, !c.NoGate, len(c.Anchors), c.Shipped != nil)
	if c.control().Move > 0 {
		p.limitTime()
	}
	return p
}

// limitTime gives the pairs of the validation at more nodes to the reported one: where time limits moves there is none at more nodes.
func (p *plan) limitTime() { p.validationPairs, p.deeperPairs = p.validationPairs+p.deeperPairs, 0 }

// shareValidations divides the pairs of all validations. The validation against the shipped set gets its part first. The rest is
// divided in ninths: four for the reported validation, two for that at more nodes, one for the previous champion, two for the anchors.
// A validation that would be too short is left out, and the reported one gets its pairs.
func (p *plan) shareValidations(pairs, anchors int, shipped bool) {
	if shipped {
		p.shippedPairs = min(mostShippedPairs, pairs/shippedPart)
		pairs -= p.shippedPairs
	}
	ninth := pairs / 9
	p.validationPairs = pairs
	if 2*ninth >= leastFurtherPairs {
		p.deeperPairs = 2 * ninth
		p.validatedAnchors = min(anchors, 2*ninth/leastFurtherPairs)
		if p.validatedAnchors > 0 {
			p.anchorPairs = 2 * ninth / p.validatedAnchors
		}
	}
	if ninth >= leastFurtherPairs {
		p.previousPairs = ninth
	}
	p.validationPairs -= p.deeperPairs + p.previousPairs + p.validatedAnchors*p.anchorPairs
}

// cost returns the cost of all games of a budget, counted in games at the tuning nodes.
func (p *plan) cost(budget int) int { return budget + 2*(deeper-1)*p.deeperPairs }

// gatesFor returns the number of planned gates. Interim gates find new opponents and secure gains, but each uses
// up a part of the errors that all gates together may make.
func gatesFor(budget int) int {
	switch {
	case budget < 20_000:
		return 1
	case budget < 100_000:
		return 2
	default:
		return 3
	}
}

// gateDue returns the number of evolution games after which gate k (1 to gates) is played. The final gate
// follows the evolution.
func (p plan) gateDue(k int) int { return k * p.evolution / p.gates }

// gateCap returns the greatest number of pairs of the next gate, after the given number of gates with the given
// number of games in all. An interim gate gets an equal part of what is left; the final gate gets all of it,
// including what interim gates did not need.
func (p plan) gateCap(played, games int, final bool) int {
	left := p.gateGames - games
	if !final {
		left /= max(1, p.gates-played)
	}
	return max(1, min(left, MostGateGames)/2)
}

// checkDue reports whether another check match is due after a number of evolution games. Checks are spread
// evenly over the evolution. Where a generation passes several of their points, there is one check. After an
// extension, the points of the new plan that are still ahead count, while there are pairs left for checks.
func (p plan) checkDue(done []run.Check, evolution int) bool {
	last, pairs := 0, int64(p.checkPairs)
	for _, c := range done {
		last = c.Games
		pairs += c.Pairs.Pairs()
	}
	if p.checks == 0 || pairs > int64(p.checks*p.checkPairs) {
		return false
	}
	checks, whole := int64(p.checks), int64(p.evolution) // their product needs more than 32 bits
	passed := min(checks, ((int64(evolution)+1)*checks-1)/whole)
	return int64(last) < passed*whole/checks
}

// left returns the most games that are left while the evolution is open, which may end after a number of its games; 0: it does not. They
// are not what is left of the budget: in an extended run games of earlier validations have been played too.
func (p *plan) left(s *run.State, end int) int {
	evolution := p.evolution
	if end > 0 {
		evolution = min(evolution, end)
	}
	checkPairs := p.checks * p.checkPairs
	for _, c := range s.Checks {
		checkPairs -= int(c.Pairs.Pairs())
	}
	validations := p.validationPairs + p.deeperPairs + p.previousPairs + p.validatedAnchors*p.anchorPairs + p.shippedPairs
	return max(0, evolution-s.Evolution) + 2*max(0, checkPairs) + max(0, p.gateGames-s.GateGames()) + 2*validations
}

// Shares returns how the games of a budget are divided in a run that meets neither anchors nor a shipped set: for the evolution, at
// most for all gates, and for the validation that is reported. timed reports whether time limits the moves.
func Shares(budget int, timed bool) (evolution, gates, validation int) {
	p := planFor(budget, true, 0, false)
	if timed {
		p.limitTime()
	}
	return p.evolution, p.gateGames, 2 * p.validationPairs
}
