package review

import (
	"math"

	"quintune/board"
	"quintune/internal/record"
)

// Accuracy returns how well a side moved after the first moves of the game, in [0, 100]: the mean over its moves, where one
// that loses nothing counts 100, one that loses 15 % of the chance to win 51, and one that loses half of it 9. The curve is
// that of lichess.org (accuracy of a move). ok is false where the side has no move.
func (r *Review) Accuracy(side board.Colour, opening int) (accuracy float64, ok bool) {
	sum, moves := 0.0, 0
	for i := opening; i < len(r.Notes); i++ {
		if record.Colour(i) == side {
			sum += accuracyOf(r.Notes[i].Loss)
			moves++
		}
	}
	if moves == 0 {
		return 0, false
	}
	return sum / float64(moves), true
}

// accuracyOf returns the accuracy of a move that lost a share of the chance to win.
func accuracyOf(loss float64) float64 {
	return max(0, min(100, 103.1668*math.Exp(-4.354*loss)-3.1669))
}

// Count returns the moves of a side with the verdict.
func (r *Review) Count(side board.Colour, v Verdict) (n int) {
	for i := range r.Notes {
		if record.Colour(i) == side && r.Notes[i].Verdict == v {
			n++
		}
	}
	return n
}
