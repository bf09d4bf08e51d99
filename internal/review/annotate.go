package review

import (
	"fmt"
	"slices"
	"strings"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
	"quintune/search"
)

// Annotated returns the game with score and comment of every move; what it held before stays in
// front of the comments.
func (r *Review) Annotated(game *record.Game) *record.Game {
	annotated := *game
	annotated.Moves = slices.Clone(game.Moves)
	for i := range annotated.Moves {
		m, n := &annotated.Moves[i], &r.Notes[i]
		m.Score, m.Win = analysis.Written(n.Score)
		text := n.Text(m.Cell)
		if analysis.Expected(n.Score) != "" {
			text = strings.TrimSpace(ScoreText(n.Score) + "\n" + text)
		}
		if text != "" {
			m.Comment = strings.TrimSpace(m.Comment + "\n" + text)
		}
	}
	return &annotated
}

// Text explains in a few lines what is wrong with the move, "" where nothing is wrong.
func (n *Note) Text(played board.Cell) string {
	if n.Verdict == Fine {
		return ""
	}
	text := fmt.Sprintf("%s: %.0f %% of the chances lost; better %v (%s)", n.Verdict, 100*n.Loss, n.Best, ScoreText(n.BestScore))
	if n.MissedVCF != nil {
		text += fmt.Sprintf("\nmissed a %s by continuous fours: %s", record.WinText(len(n.MissedVCF)), cellsText(n.MissedVCF))
	}
	if len(n.Line) > 1 {
		text += "\nexpected " + cellsText(n.Line)
	}
	return text
}

// ScoreText returns a score for people: points with their sign, or the end that is proven or expected.
func ScoreText(score int32) string {
	if plies := search.PliesToWin(score); plies != 0 {
		return record.WinText(plies)
	}
	if end := analysis.Expected(score); end != "" {
		return end + " expected, not proven"
	}
	return fmt.Sprintf("%+d", score)
}

func cellsText(cells []board.Cell) string { return strings.Join(analysis.Names(cells), " ") }
