package analysis

import (
	"quintune/evaluator"
	"quintune/search"
)

// Ends that a score expects; see Expected.
const (
	ExpectedWin  = "win"
	ExpectedLoss = "loss"
)

// Expected returns the end that a score expects of the game without claiming it, "" where it expects none: every reply
// that was searched loses, but replies were left out. Such a score is not a sum of weights, so that it is not to be shown.
func Expected(score int32) string {
	switch {
	case search.PliesToWin(score) != 0:
		return ""
	case score > evaluator.MaxScore:
		return ExpectedWin
	case score < -evaluator.MaxScore:
		return ExpectedLoss
	}
	return ""
}

// Written returns what is written down of a score: points, or the plies to a proven end. An end that is expected
// without a proof is neither.
func Written(score int32) (points *int32, win int) {
	if win = search.PliesToWin(score); win == 0 && Expected(score) == "" {
		points = &score
	}
	return points, win
}
