package analysis

import (
	"math"

	"quintune/evaluator"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// View is a line as `play analyze --json` prints it and the page shows it. Scores are for the side to move.
type View struct {
	Move     string   `json:"move"`
	Score    int32    `json:"score"`
	Win      *int     `json:"win"`                // see Plies
	Expected string   `json:"expected,omitempty"` // see Expected
	Chances  float64  `json:"chances"`            // of the side to move, in [0, 1]
	Depth    int      `json:"depth"`              // plies
	PV       []string `json:"pv"`                 // Move first
}

// Views returns the lines of a report with the chances that the set's scores mean, best first, never nil.
func (r *Report) Views(set *weights.Set) []View {
	views := make([]View, len(r.Lines))
	for i, l := range r.Lines {
		views[i] = View{l.Move().String(), l.Score, Plies(l.Score), Expected(l.Score), Chances(set, l.Score), l.Depth, Names(l.PV)}
	}
	return views
}

// Plies returns the number of plies to the win that a score proves, negative for a loss, nil where it proves
// neither.
func Plies(score int32) *int {
	plies := search.PliesToWin(score)
	if plies == 0 {
		return nil
	}
	return &plies
}

// pointsPerUnit is the number of open threes in a score at which a win is e times as likely as a loss. With the
// embedded weights a typical advantage in the opening then gives a chance of two in three.
const pointsPerUnit = 4

// Chances returns the probability, in [0, 1], that the side with the score wins, for bars and curves. It is a
// logistic function in units of the weights' own open three, so sets of any scale give similar values. Proven
// wins and losses are 1 and 0.
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

// Ends that a score expects; see Expected.
const (
	ExpectedWin  = "win"
	ExpectedLoss = "loss"
)

// Expected returns "win" or "loss" where a score predicts the end without proving it, else "". Such a score
// means that every reply that was searched loses, but some replies were not searched. It is not a sum of
// weights, so its points must not be shown.
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

// Written returns a score as it is written to files: points, or the plies to a proven end. An expected end
// without a proof is neither.
func Written(score int32) (points *int32, win int) {
	if win = search.PliesToWin(score); win == 0 && Expected(score) == "" {
		points = &score
	}
	return points, win
}

// ScoreBefore converts the score of a position to the score of the move that led to it, one ply earlier.
func ScoreBefore(score int32) int32 {
	switch plies := search.PliesToWin(score); {
	case plies > 0:
		return 1 - score
	case plies < 0:
		return -1 - score
	}
	return -score
}

// ScoreAfter converts the score of a move, which does not end the game, to the score of the position that it leads to.
func ScoreAfter(score int32) int32 {
	switch plies := search.PliesToWin(score); {
	case plies > 0:
		return -1 - score
	case plies < 0:
		return 1 - score
	}
	return -score
}
