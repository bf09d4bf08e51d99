package analysis

import (
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

// View returns the line with the chances that a set's scores mean.
func (l *Line) View(set *weights.Set) View {
	return View{l.Move().String(), l.Score, Plies(l.Score), Expected(l.Score), Chances(set, l.Score), l.Depth, Names(l.PV)}
}

// Views returns the lines of a report, best first, never nil.
func (r *Report) Views(set *weights.Set) []View {
	views := make([]View, len(r.Lines))
	for i := range r.Lines {
		views[i] = r.Lines[i].View(set)
	}
	return views
}

// Plies returns the plies to the proven win that a score tells, negative to the loss, nil where it tells neither.
func Plies(score int32) *int {
	plies := search.PliesToWin(score)
	if plies == 0 {
		return nil
	}
	return &plies
}
