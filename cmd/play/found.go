package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/config"
	"quintune/internal/review"
	"quintune/pattern"
	"quintune/search"
)

// judgement is what --json prints of a position.
type judgement struct {
	Best  string `json:"best"`
	Score int32  `json:"score"` // points from the side to move
	Win   *int   `json:"win"`   // plies to the proven win, negative to the loss, null for neither
	// Expected is "win" or "loss" where the score expects one that is not proven.
	Expected string `json:"expected,omitempty"`

	Depth   int       `json:"depth"`
	Nodes   int64     `json:"nodes"`
	NPS     int64     `json:"nps"`
	PV      []string  `json:"pv"`
	Lines   []variant `json:"lines"`             // best first
	Explain []term    `json:"explain,omitempty"` // the terms of the static score, with --explain
	// Forbidden are Black's forbidden cells, under renju alone, whoever is to move.
	Forbidden []string `json:"forbidden,omitzero"`
}

// variant is one root move with its line.
type variant struct {
	Move     string   `json:"move"`
	Score    int32    `json:"score"`
	Win      *int     `json:"win"`
	Expected string   `json:"expected,omitempty"`
	PV       []string `json:"pv"`
}

// term is one weight's part of the static score.
type term struct {
	Weight string `json:"weight"`
	Count  int    `json:"count"`
	Points int32  `json:"points"`
}

// newJudgement returns what was found of the position in the time; there is at least one line.
func newJudgement(position *board.Board, found analysis.Report, elapsed time.Duration) judgement {
	best := &found.Lines[0]
	j := judgement{
		Best: best.Move().String(), Score: best.Score, Win: pliesOf(best.Score), Expected: analysis.Expected(best.Score),
		Depth: best.Depth, Nodes: found.Nodes, NPS: speed(found.Nodes, elapsed), PV: names(best.PV),
	}
	if position.Rule() == pattern.Renju {
		j.Forbidden = names(position.AllForbidden(nil))
	}
	for i := range found.Lines {
		line := &found.Lines[i]
		j.Lines = append(j.Lines, variant{line.Move().String(), line.Score, pliesOf(line.Score), analysis.Expected(line.Score), names(line.PV)})
	}
	return j
}

// pliesOf returns the plies to the proven end that a score tells, nil where it tells none.
func pliesOf(score int32) *int {
	plies := search.PliesToWin(score)
	if plies == 0 {
		return nil
	}
	return &plies
}

// printFound prints the text unless JSON is the format, then the object where it is wanted.
func printFound(out io.Writer, o *analyzeOptions, text string, object any) error {
	onlyJSON := o.Format == "json"
	if !onlyJSON {
		if _, err := io.WriteString(out, text); err != nil {
			return err
		}
	}
	if onlyJSON || o.JSON {
		return config.WriteJSON(out, object)
	}
	return nil
}

// text returns the judgement for people.
func (j *judgement) text(position *board.Board) string {
	var b strings.Builder
	b.WriteString(draw(position))
	fmt.Fprintf(&b, "%v to move\nbest   %s\nscore  %s\ndepth  %d\nnodes  %d\nnps    %d\npv     %s\n",
		position.SideToMove(), j.Best, review.ScoreText(j.Score), j.Depth, j.Nodes, j.NPS, strings.Join(j.PV, " "))
	for i, line := range j.Lines[1:] {
		fmt.Fprintf(&b, "%-6d %s  %s\n", i+2, review.ScoreText(line.Score), strings.Join(line.PV, " "))
	}
	if j.Explain == nil {
		return b.String()
	}
	var sum int32
	b.WriteString("\nstatic score by weights:\n")
	for _, t := range j.Explain {
		fmt.Fprintf(&b, "%8d  %+d × %s\n", t.Points, t.Count, t.Weight)
		sum += t.Points
	}
	fmt.Fprintf(&b, "%8d  points for %v\n", sum, position.SideToMove())
	return b.String()
}
