package search

import "quintune/evaluator"

// Scores are in points, from the side to move. Win-n is a win in n plies, n-Win a loss in n.
const (
	Win int32 = 1 << 28
	// MaxWin is the longest win that a score can tell, in plies.
	MaxWin = 1000
	// provenWin is the least score that claims a win.
	provenWin = Win - MaxWin
	// unproven is the greatest score that claims none: a loss that was found with some replies
	// left out is no more than this.
	unproven = provenWin - 1
	infinite = Win + 1
)

// The evaluator's scores must stay below the claims.
var _ [unproven - evaluator.MaxScore]struct{}

// winIn returns the score of a win in n plies.
func winIn(n int) int32 { return Win - int32(n) }

// PliesToWin returns in how many plies the score says the game is won, negative for a loss, and 0
// where the score claims neither.
func PliesToWin(score int32) int {
	switch {
	case score >= provenWin:
		return int(Win - score)
	case score <= -provenWin:
		return -int(Win + score)
	}
	return 0
}

// toTable makes a claim relative to the node at the given ply, as the TT stores it.
func toTable(score int32, ply int) int32 {
	switch {
	case score >= provenWin:
		return score + int32(ply)
	case score <= -provenWin:
		return score - int32(ply)
	}
	return score
}

// fromTable undoes toTable at another ply.
func fromTable(score int32, ply int) int32 {
	switch {
	case score >= provenWin:
		return score - int32(ply)
	case score <= -provenWin:
		return score + int32(ply)
	}
	return score
}
