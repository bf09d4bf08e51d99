package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/config"
	"quintune/internal/review"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// judgement is the analysis of a position as --json prints it.
type judgement struct {
	Best  string `json:"best"`
	Score int32  `json:"score"` // points from the side to move
	Win   *int   `json:"win"`   // plies to a proven win, negative for a loss, null where nothing is proven
	// Expected is "win" or "loss" where the score predicts it without a proof.
	Expected string `json:"expected,omitempty"`

	Depth   int             `json:"depth"`
	Nodes   int64           `json:"nodes"`
	NPS     int64           `json:"nps"`
	PV      []string        `json:"pv"`
	Lines   []analysis.View `json:"lines"`             // best first
	Explain []term          `json:"explain,omitempty"` // the terms of the static score, with --explain
	// Forbidden lists Black's forbidden cells whoever is to move, under renju only.
	Forbidden []string `json:"forbidden,omitzero"`
}

// term is the part of one weight in the static score.
type term struct {
	Weight string `json:"weight"`
	Count  int    `json:"count"`
	Points int32  `json:"points"`
}

// newJudgement returns the analysis of a position. There must be at least one line.
func newJudgement(position *board.Board, set *weights.Set, found analysis.Report, elapsed time.Duration) judgement {
	best := &found.Lines[0]
	j := judgement{
		Best: best.Move().String(), Score: best.Score, Win: analysis.Plies(best.Score), Expected: analysis.Expected(best.Score),
		Depth: best.Depth, Nodes: found.Nodes, NPS: analysis.Speed(found.Nodes, elapsed), PV: analysis.Names(best.PV),
	}
	if position.Rule() == pattern.Renju {
		j.Forbidden = analysis.Names(position.AllForbidden(nil))
	}
	j.Lines = found.Views(set)
	return j
}

// printFound prints the text and then the JSON object where it was asked for. Where JSON is the format, it
// leaves out the text.
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
	score := review.ScoreText(j.Score)
	if j.Depth == 0 && j.Win == nil && j.Expected == "" {
		score = "unknown, since no depth was finished"
		if position.Stones() == 0 {
			score = "unknown, since an empty board is not searched"
		}
	}
	b.WriteString(draw(position))
	fmt.Fprintf(&b, "%v to move\nbest   %s\nscore  %s\ndepth  %d\nnodes  %d\nnps    %d\npv     %s\n",
		position.SideToMove(), j.Best, score, j.Depth, j.Nodes, j.NPS, strings.Join(j.PV, " "))
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

// solution is what --solve prints with --json.
type solution struct {
	Solve     string   `json:"solve"`
	Best      *string  `json:"best"`      // first move of the win, null without one
	Win       *int     `json:"win"`       // greatest number of plies to the win, null without one
	Exhausted bool     `json:"exhausted"` // the solver tried everything: greater limits would not find a win
	Nodes     int64    `json:"nodes"`
	NPS       int64    `json:"nps"`
	PV        []string `json:"pv"` // the winning sequence, both sides
}

// checkSolve returns an error when an option is set that has no meaning for the solvers.
func checkSolve(o *analyzeOptions) error {
	switch {
	case o.Solve == "":
		return nil
	case o.IsSet(&o.Depth):
		return config.Usagef("--solve and --depth exclude each other")
	case o.Explain:
		return config.Usagef("--solve and --explain exclude each other")
	}
	return nil
}

// runSolve looks for a forced win with the solver of --solve, within --nodes and --time.
func runSolve(ctx context.Context, o *analyzeOptions, engine *search.Engine, position *board.Board, out io.Writer) error {
	solve := engine.SolveVCF
	if o.Solve == "vct" {
		solve = engine.SolveVCT
	}
	limits, limited := o.searchOptions.limits(), ctx
	if limits.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	start := time.Now()
	s := newSolution(o.Solve, solve(limited, position, limits.Nodes), time.Since(start))
	if err := printFound(out, o, s.text(position), s); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return config.ErrInterrupted
	}
	return nil
}

func newSolution(name string, found search.Solution, elapsed time.Duration) solution {
	s := solution{
		Solve: name, Exhausted: found.Exhausted, Nodes: found.Nodes, NPS: analysis.Speed(found.Nodes, elapsed), PV: analysis.Names(found.Line),
	}
	if found.Win {
		s.Best, s.Win = &s.PV[0], &found.Plies
	}
	return s
}

// text returns the solution for people.
func (s *solution) text(position *board.Board) string {
	best, found := "-", fmt.Sprintf("no %s found within the limits", s.Solve)
	switch {
	case s.Win != nil:
		best, found = *s.Best, fmt.Sprintf("in %d plies", *s.Win)
	case s.Exhausted:
		found = fmt.Sprintf("no %s", s.Solve)
	}
	return fmt.Sprintf("%s%v to move\nbest   %s\nwin    %s\nnodes  %d\nnps    %d\npv     %s\n",
		draw(position), position.SideToMove(), best, found, s.Nodes, s.NPS, strings.Join(s.PV, " "))
}

// Marks left and right of a cell.
const (
	markNone = ' '
	markWin  = '*'
)

// stones are the characters for the colours. An empty cell is a dot, a cell forbidden to Black a #.
var stones = [2]byte{board.Black: 'X', board.White: 'O'}

// draw returns the board as plain text: column letters, rows numbered from the top, X black, O
// white, # forbidden to Black, the last move in brackets, the winning row between stars.
func draw(b *board.Board) string { return drawIn(session.Pos, b) }

// drawIn is draw with rows numbered by the notation.
func drawIn(n session.Notation, b *board.Board) string {
	var text strings.Builder
	text.WriteString("   ")
	for x := range b.Size() {
		fmt.Fprintf(&text, " %c", 'a'+x)
	}
	text.WriteByte('\n')
	won := session.WinningRow(b)
	for y := range b.Size() {
		fmt.Fprintf(&text, "%2d %s\n", n.Row(y, b.Size()), strings.TrimRight(drawRow(b, y, won), " "))
	}
	return text.String()
}

// drawRow returns one row: a mark, then each cell and the mark right of it.
func drawRow(b *board.Board, y int, won []board.Cell) string {
	row := []byte(strings.Repeat(string(rune(markNone)), 2*b.Size()+1))
	for x := range b.Size() {
		cell := board.At(x, y)
		row[2*x+1] = '.'
		if colour, ok := b.Stone(cell); ok {
			row[2*x+1] = stones[colour]
		} else if b.Outcome() == board.Ongoing && b.Forbidden(cell) {
			row[2*x+1] = '#'
		}
		if slices.Contains(won, cell) {
			row[2*x], row[2*x+2] = markWin, markWin
		}
	}
	if last := b.LastMove(); last != board.NoCell && last.Y() == y {
		row[2*last.X()], row[2*last.X()+2] = '[', ']'
	}
	return string(row)
}
