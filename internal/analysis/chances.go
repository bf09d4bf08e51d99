package analysis

import (
	"math"

	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// pointsPerUnit is how many open threes a score is worth that makes a win e times as likely as a loss;
// with the embedded weights a typical advantage in the opening gives two in three.
const pointsPerUnit = 4

// Chances returns how likely the side with the score wins, in [0, 1], for bars and curves: a logistic
// function in units of the weights' own open three, so that sets of any scale look alike. Proven ends are 0 and 1.
func Chances(set *weights.Set, score int32) float64 {
	switch plies := search.PliesToWin(score); {
	case plies > 0:
		return 1
	case plies < 0:
		return 0
	}
	unit := pointsPerUnit * float64(max(set.Line()[pattern.OpenThree2][weights.Self], 1))
	return 1 / (1 + math.Exp(-float64(score)/unit))
}
