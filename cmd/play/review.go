package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/config"
	"quintune/internal/record"
	"quintune/internal/review"
	"quintune/search"
	"quintune/weights"
)

// Limits of the search of each position where no flag sets them. They are in nodes, so results are the same on
// every machine.
const (
	reviewNodes = 50_000
	vcfNodes    = 20_000
)

// gameReview is what --json prints of a game. The keys of a position describe the last one, except nps, which is the speed of
// the whole review. Where the game is over, best is null and the others are absent.
type gameReview struct {
	*judgement
	Best *string       `json:"best"`
	Game reviewedMoves `json:"game"`
}

// reviewedMoves holds what was found about the moves of a game.
type reviewedMoves struct {
	Size     int            `json:"size"`
	Rule     string         `json:"rule"`
	Black    string         `json:"black"`
	White    string         `json:"white"`
	Result   string         `json:"result"` // such as "black wins"
	Reason   string         `json:"reason"`
	Moves    []reviewedMove `json:"moves"`
	Blunders map[string]int `json:"blunders"` // by colour
	// Accuracy is the accuracy of each side after the opening, by colour, in [0, 100]. A side without a move is left out.
	Accuracy map[string]float64 `json:"accuracy"`
}

// reviewedMove is one move; its scores are points for the side that moved.
type reviewedMove struct {
	Ply       int      `json:"ply"` // from 1
	Side      string   `json:"side"`
	Move      string   `json:"move"`
	Score     int32    `json:"score"`
	Win       *int     `json:"win"` // plies to the proven win, this move included; negative to the loss
	Best      string   `json:"best"`
	BestScore int32    `json:"best_score"`
	BestWin   *int     `json:"best_win"`
	PV        []string `json:"pv"`   // continuation that the search expects
	Loss      float64  `json:"loss"` // lost chance to win, 0 to 1; 0 for a move of the opening
	// Expected is "win" or "loss" where the score predicts it without a proof. BestExpected is the same for the best move.
	Expected     string `json:"expected,omitempty"`
	BestExpected string `json:"best_expected,omitempty"`

	Verdict   string   `json:"verdict"`
	MissedVCF []string `json:"missed_vcf"` // missed win by continuous fours, null where there was none
}

// runReview reviews the game and prints the result.
func runReview(ctx context.Context, o *analyzeOptions, game *record.Game, out, log io.Writer) error {
	p, err := o.choose(".", game.Rule, game.Size)
	if err != nil {
		return err
	}
	if p, err = onBoard(p, game.Rule, game.Size, config.NewLogger(log, &o.Common)); err != nil {
		return err
	}
	engine, err := search.NewEngine(p.Weights, game.Size, game.Rule, o.engine())
	if err != nil {
		return err
	}
	limits := review.Limits{Search: o.limits(), VCF: vcfNodes}
	if !o.IsSet(&o.Nodes) && !o.IsSet(&o.Time) && !o.IsSet(&o.Depth) {
		limits.Search = search.Limits{Nodes: reviewNodes}
	}
	start := time.Now()
	found, err := review.Game(ctx, engine, p.Weights, game, limits, nil)
	if err != nil {
		return err
	}
	if o.Format == "sgf" {
		return record.Write(out, record.SGF, found.Annotated(game))
	}
	last, err := game.Board(len(game.Moves))
	if err != nil {
		return err
	}
	return printFound(out, o, reviewText(found, game, last), newGameReview(found, p.Weights, game, last, time.Since(start)))
}

// newGameReview returns what --json prints of a review that took the time; last is the position after all moves.
func newGameReview(found *review.Review, set *weights.Set, game *record.Game, last *board.Board, elapsed time.Duration) gameReview {
	r := gameReview{Game: reviewedMoves{
		Size: game.Size, Rule: game.Rule.String(), Black: game.Players[board.Black], White: game.Players[board.White],
		Result: game.Outcome.String(), Reason: string(game.Reason), Moves: []reviewedMove{}, Blunders: blunders(found), Accuracy: accuracies(found, game.Opening),
	}}
	if found.Last != nil {
		j := newJudgement(last, set, analysis.ReportOf(*found.Last), elapsed)
		j.NPS = analysis.Speed(found.Nodes, elapsed)
		r.judgement, r.Best = &j, &j.Best
	}
	for i := range game.Moves {
		n := &found.Notes[i]
		m := reviewedMove{
			Ply: i + 1, Side: record.Colour(i).String(), Move: game.Moves[i].Cell.String(),
			Score: n.Score, Win: analysis.Plies(n.Score), Best: n.Best.String(), BestScore: n.BestScore, BestWin: analysis.Plies(n.BestScore),
			Expected: analysis.Expected(n.Score), BestExpected: analysis.Expected(n.BestScore),
			PV: analysis.Names(n.Line), Loss: float64(int(1000*n.Loss+.5)) / 1000, Verdict: string(n.Verdict),
		}
		if n.MissedVCF != nil {
			m.MissedVCF = analysis.Names(n.MissedVCF)
		}
		r.Game.Moves = append(r.Game.Moves, m)
	}
	return r
}

// blunders counts the blunders by colour.
func blunders(found *review.Review) map[string]int {
	return map[string]int{
		board.Black.String(): found.Count(board.Black, review.Blundered), board.White.String(): found.Count(board.White, review.Blundered),
	}
}

// accuracies returns the accuracy of each side that has moved, by colour, with one decimal.
func accuracies(found *review.Review, opening int) map[string]float64 {
	of := map[string]float64{}
	for _, side := range []board.Colour{board.Black, board.White} {
		if accuracy, ok := found.Accuracy(side, opening); ok {
			of[side.String()] = math.Round(10*accuracy) / 10
		}
	}
	return of
}

// reviewText returns the review for people: the last position, one line for each move, and below each mistake
// what was found.
func reviewText(found *review.Review, game *record.Game, last *board.Board) string {
	var b strings.Builder
	b.WriteString(draw(last))
	fmt.Fprintf(&b, "%s (black) against %s (white), %v, %v", named(game, board.Black), named(game, board.White), game.Rule, game.Outcome)
	if game.Reason != record.ReasonUnknown {
		fmt.Fprintf(&b, " (%s)", game.Reason)
	}
	b.WriteString("\n\n ply  side   move  score\n")
	for i := range game.Moves {
		n, cell := &found.Notes[i], game.Moves[i].Cell
		fmt.Fprintf(&b, "%4d  %-5v  %-4v  %s\n", i+1, record.Colour(i), cell, review.ScoreText(n.Score))
		for line := range strings.Lines(n.Text(cell)) {
			b.WriteString("                   " + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	if found.Last != nil {
		fmt.Fprintf(&b, "\n%v to move: %v, %s\n", last.SideToMove(), found.Last.Best, review.ScoreText(found.Last.Score))
	}
	count := blunders(found)
	fmt.Fprintf(&b, "\nblunders: black %d, white %d\n", count[board.Black.String()], count[board.White.String()])
	for _, side := range []board.Colour{board.Black, board.White} {
		if accuracy, ok := found.Accuracy(side, game.Opening); ok {
			fmt.Fprintf(&b, "accuracy of %v: %.0f %%\n", side, accuracy)
		}
	}
	return b.String()
}

// named returns a player's name.
func named(game *record.Game, colour board.Colour) string {
	if name := game.Players[colour]; name != "" {
		return name
	}
	return "unknown"
}
