package tuner

import (
	"quintune/internal/run"
)

// Shares of a budget that do not go to the evolution. The gates' share that is not needed is left
// unplayed.
const (
	gateShare       = .20
	validationShare = .15
	checkShare      = .03
)

const (
	mostGateGames       = 20_000 // games of one gate
	mostValidationGames = 9_000  // games of all validations together
	mostChecks          = 20
	leastCheckPairs     = 8  // pairs of one check match: fewer give no interval worth showing
	leastFurtherPairs   = 25 // pairs of one validation other than the first
	mostShippedPairs    = 100
	shippedPart         = 4 // the validation against the shipped set has at most a quarter of all their pairs
)

// plan says what the games of a run are for. Everything in it is at least 1, but what a run without
// a gate leaves out, and the checks of a run that is too short for any.
type plan struct {
	evolution  int // games of the optimiser
	gates      int // planned, the final one included; their α is divided by it
	gateGames  int // of all gates together
	checks     int // check matches over the run
	checkPairs int // of one check match

	validationPairs  int // pairs of the validation against the start
	deeperPairs      int // pairs of the validation at more nodes; 0, here and below: the budget is too small
	previousPairs    int // pairs of the validation against the champion before the last
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
		p.gateGames = min(share(gateShare), p.gates*mostGateGames)
		p.evolution -= p.gateGames + p.validate(min(share(validationShare), mostValidationGames)/2, anchors, shipped)
	}
	return p
}

// plan divides a budget of the run. Where time limits moves there is no validation at more nodes.
func (c *Config) plan(budget int) plan {
	p := planFor(budget, !c.NoGate, len(c.Anchors), c.Shipped != nil)
	if c.control().Move > 0 {
		p.validationPairs, p.deeperPairs = p.validationPairs+p.deeperPairs, 0
	}
	return p
}

// validate divides the pairs of the validations, except those against the shipped set, in ninths, and returns how many
// games all have: four for
// the figure that is quoted, two for that at more nodes, one for the champion before, two for the anchors. What
// is too short to say anything is left out, and its pairs go to the first.
func (p *plan) validate(pairs, anchors int, shipped bool) (games int) {
	games = 2 * pairs
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
	return games
}

// weight returns what all games of a budget cost, counted in games at the tuning nodes.
func (p *plan) weight(budget int) int { return budget + 2*(deeper-1)*p.deeperPairs }

// gatesFor returns the planned number of gates: interim ones find opponents and keep what is
// gained, but each costs a part of the error that all may make together.
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

// gateDue returns the evolution games after which gate number k of 1..gates is played; the final
// one follows the evolution.
func (p plan) gateDue(k int) int { return k * p.evolution / p.gates }

// gateCap returns the most pairs of the next gate after a number of gates that took a number of games: an even
// part of what is left, or all of it for the final gate, which is what a lost interim gate leaves
// more for.
func (p plan) gateCap(played, games int, final bool) int {
	left := p.gateGames - games
	if !final {
		left /= max(1, p.gates-played)
	}
	return max(1, min(left, mostGateGames)/2)
}

// checkDue reports whether another check match is due after a number of evolution games. The due points are spread evenly over
// the evolution. A generation that passes several of them has one check. A run that goes on with a greater budget has the
// checks of its new plan that are still ahead, as long as there are pairs for them.
func (p plan) checkDue(done []run.Check, evolution int) bool {
	last, pairs := 0, int64(p.checkPairs)
	for _, c := range done {
		last = c.Games
		pairs += c.Pairs.Pairs()
	}
	if p.checks == 0 || pairs > int64(p.checks*p.checkPairs) {
		return false
	}
	passed := min(p.checks, ((evolution+1)*p.checks-1)/p.evolution)
	return last < passed*p.evolution/p.checks
}

// Shares returns the games of a budget that are for the evolution, at most for all gates, and for the validation that is
// quoted, in a run without anchors.
func Shares(budget int) (evolution, gates, validation int) {
	p := planFor(budget, true, 0, false)
	return p.evolution, p.gateGames, 2 * p.validationPairs
}
