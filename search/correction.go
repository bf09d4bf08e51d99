package search

import (
	"quintune/pattern"
)

// corrections hold by how much the static score was below the result of the search in positions that
// look alike, points: a moving mean for each side to move. Chess engines know the idea as correction
// history by pawn structure; here the structure is what both sides threaten and what the last move was.
type corrections struct {
	threat   [2][1 << 8]int32           // [colour][best cell classes of both sides]
	lastMove [2][pattern.NumCodes]int32 // [colour][what the other side's last move made in its four lines]
}

const (
	correctionRate   = 256 // observations of weight one that a mean is over
	correctionWeight = 8   // greatest weight of an observation; the weight grows with the depth
)

// correction is the entries of a position; nil where the feature is off.
type correction struct{ threat, lastMove *int32 }

func (c *corrections) clear() { *c = corrections{} }

// correctionAt returns the entries of the position.
func (e *Engine) correctionAt() correction {
	if !e.has(Corrections) {
		return correction{}
	}
	us := e.board.SideToMove() & 1
	own, other := e.state.BestClass(us), e.state.BestClass(us.Other())
	code := pattern.Code(0)
	if changed := e.board.Changed(); len(changed) > 0 {
		code = changed[0].Old(us.Other()).Code()
	}
	return correction{&e.corrections.threat[us][int(own&15)<<4|int(other&15)], &e.corrections.lastMove[us][code%pattern.NumCodes]}
}

// correctionScore returns what to add to the static score, points.
func (e *Engine) correctionScore(c correction) int32 {
	if c.threat == nil {
		return 0
	}
	return *c.threat*e.params.correctionThreat>>10 + *c.lastMove*e.params.correctionLastMove>>10
}

// correct records by how much a search to the depth exceeded the static score.
func (e *Engine) correct(c correction, difference int32, depth int) {
	if c.threat == nil || depth <= 0 {
		return
	}
	weight := int32(min(depth+1, correctionWeight))
	difference = max(-e.params.correctionMax, min(difference, e.params.correctionMax))
	*c.threat += (difference - *c.threat) * weight / correctionRate
	*c.lastMove += (difference - *c.lastMove) * weight / correctionRate
}
