package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/evaluator"
	"quintune/internal/config"
	"quintune/search"
)

func analyzeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "analyze [RECORD]",
		Short: "Search one position: best move, score, principal variation",
		Long: "Searches the position after --moves, or after the moves in the file RECORD (- for stdin), written h8i9….\n" +
			"Scores are points from the side to move. --solve looks for a forced win alone, by continuous fours (vcf) or threats\n" +
			"(vct), and prints the winning sequence against the longest defence. Without --nodes, --time and --depth the search takes a second.",
		Example: "  play analyze --moves h8i9h9 --nodes 100000\n  play analyze game.txt --size 20 --time 5s --json\n  play analyze game.txt --solve vct --time 10s\n  echo h8i9 | play analyze - --explain",
		Args:    cobra.MaximumNArgs(1),
		RunE: config.Loaded(func(cmd *cobra.Command, v *config.Values, args []string) error {
			if err := checkSolve(v); err != nil {
				return err
			}
			position, err := analyzed(v, args, cmd.InOrStdin())
			if err != nil {
				return err
			}
			return runAnalyze(cmd.Context(), v, position, cmd.OutOrStdout(), cmd.ErrOrStderr())
		}),
	}
	config.Declare(cmd, "play analyze")
	return cmd
}

// maxRecord bounds the record file, bytes.
const maxRecord = 1 << 20

// analyzed returns the position that is asked for: an ongoing game.
func analyzed(v *config.Values, args []string, in io.Reader) (*board.Board, error) {
	text, source := v.String("moves"), "moves"
	if len(args) > 0 {
		if v.IsSet("moves") {
			return nil, config.Usagef("a record and --moves exclude each other")
		}
		var err error
		if text, err = readRecord(args[0], in); err != nil {
			return nil, err
		}
		source = args[0]
	}
	b, err := board.New(v.Int("size"), v.Rule("rule"))
	if err != nil {
		return nil, err
	}
	if err := playMoves(b, text); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if b.Outcome() != board.Ongoing {
		return nil, fmt.Errorf("%s: there is nothing to analyse: the game is over (%v)", source, b.Outcome())
	}
	return b, nil
}

func readRecord(name string, in io.Reader) (string, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxRecord+1))
	if err == nil && len(data) > maxRecord {
		err = fmt.Errorf("%s is longer than %d bytes", name, maxRecord)
	}
	return string(data), err
}

// playMoves plays moves in pos notation. The error names the first illegal one by its number.
func playMoves(b *board.Board, text string) error {
	moves, err := board.ParseMoves(text)
	if err != nil {
		return err
	}
	for i, m := range moves {
		if err := b.Legal(m); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		b.Play(m)
	}
	return nil
}

// analysis is what --json prints.
type analysis struct {
	Best    string    `json:"best"`
	Score   int32     `json:"score"` // points from the side to move
	Win     *int      `json:"win"`   // plies to the proven win, negative to the loss, null for neither
	Depth   int       `json:"depth"`
	Nodes   int64     `json:"nodes"`
	NPS     int64     `json:"nps"`
	PV      []string  `json:"pv"`
	Lines   []variant `json:"lines"`             // best first
	Explain []term    `json:"explain,omitempty"` // the terms of the static score, with --explain
}

// variant is one root move with its line.
type variant struct {
	Move  string   `json:"move"`
	Score int32    `json:"score"`
	Win   *int     `json:"win"`
	PV    []string `json:"pv"`
}

// term is one weight's part of the static score.
type term struct {
	Weight string `json:"weight"`
	Count  int    `json:"count"`
	Points int32  `json:"points"`
}

// runAnalyze searches and prints. An interrupt ends the search; what it has found is still printed.
func runAnalyze(ctx context.Context, v *config.Values, position *board.Board, out, log io.Writer) error {
	p, err := chosenWeights(v, ".", config.NewLogger(log, v))
	if err != nil {
		return err
	}
	engine, err := search.NewEngine(p.Weights, position.Size(), position.Rule(), homeOptions(v))
	if err != nil {
		return err
	}
	if solver := v.String("solve"); solver != "" {
		return runSolve(ctx, v, solver, engine, position, out)
	}
	limits := limitsOf(v)
	if limits.Depth = v.Int("depth"); limits.Depth > 0 && !v.IsSet("time") {
		limits.Time = 0 // a depth is limit enough
	}
	start := time.Now()
	result := engine.Search(ctx, position, limits, nil)
	a := newAnalysis(result, time.Since(start))
	if v.Bool("explain") {
		a.Explain = termsOf(engine.Explain(position))
	}
	if err := printFound(out, v, a.text(position), a); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return config.ErrInterrupted
	}
	return nil
}

func newAnalysis(r search.Result, elapsed time.Duration) analysis {
	var win *int
	if plies := search.PliesToWin(r.Score); plies != 0 {
		win = &plies
	}
	pv := names(r.PV)
	return analysis{
		Best: r.Best.String(), Score: r.Score, Win: win, Depth: r.Depth, Nodes: r.Nodes,
		NPS: speed(r.Nodes, elapsed), PV: pv, Lines: []variant{{r.Best.String(), r.Score, win, pv}},
	}
}

func termsOf(terms []evaluator.Term) []term {
	list := make([]term, len(terms))
	for i, t := range terms {
		list[i] = term{t.Weight, t.Count, t.Points}
	}
	return list
}

// printFound prints the text unless JSON is the format, then the object where it is wanted.
func printFound(out io.Writer, v *config.Values, text string, object any) error {
	onlyJSON := v.String("format") == "json"
	if !onlyJSON {
		if _, err := io.WriteString(out, text); err != nil {
			return err
		}
	}
	if onlyJSON || v.Bool("json") {
		return config.WriteJSON(out, object)
	}
	return nil
}

// text returns the analysis for people.
func (a *analysis) text(position *board.Board) string {
	var b strings.Builder
	b.WriteString(draw(position))
	fmt.Fprintf(&b, "%v to move\nbest   %s\nscore  %s\ndepth  %d\nnodes  %d\nnps    %d\npv     %s\n",
		position.SideToMove(), a.Best, a.judged(), a.Depth, a.Nodes, a.NPS, strings.Join(a.PV, " "))
	if a.Explain == nil {
		return b.String()
	}
	var sum int32
	b.WriteString("\nstatic score by weights:\n")
	for _, t := range a.Explain {
		fmt.Fprintf(&b, "%8d  %+d × %s\n", t.Points, t.Count, t.Weight)
		sum += t.Points
	}
	fmt.Fprintf(&b, "%8d  points for %v\n", sum, position.SideToMove())
	return b.String()
}

// judged returns the score in points, or the proven end.
func (a *analysis) judged() string {
	switch {
	case a.Win == nil:
		return fmt.Sprintf("%+d", a.Score)
	case *a.Win > 0:
		return fmt.Sprintf("win in %d plies", *a.Win)
	}
	return fmt.Sprintf("loss in %d plies", -*a.Win)
}
