package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/evaluator"
	"quintune/internal/analysis"
	"quintune/internal/config"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/search"
)

// analyzeOptions are the options of `play analyze`.
type analyzeOptions struct {
	config.Common
	weightsOption
	config.Board
	searchOptions
	Depth    int // 0: no limit
	Moves    string
	Game     int // 0: the file must hold only one
	Position bool
	MultiPV  int
	Solve    string // "" for none
	Explain  bool
	Format   string
}

func (o *analyzeOptions) Declare(d *config.Declaration) {
	d.Group("What is analysed")
	config.Var(d, &o.Moves, "moves", "", config.Text("MOVES"), "position to analyse, such as h8i9", config.FlagOnly)
	config.Var(d, &o.Game, "game", "0", config.Whole(0, 100_000), "number of the game in a record of many; 0: its only one", config.FlagOnly)
	config.Var(d, &o.Position, "position", "false", config.Switch(), "search only the last position of the record", config.FlagOnly)
	config.Var(d, &o.Solve, "solve", "", config.Optional(config.OneOf("vcf", "vct")), "look only for a forced win, by continuous fours or threats", config.FlagOnly)
	config.Var(d, &o.MultiPV, "multipv", "1", config.Whole(1, analysis.MaxLines), "how many moves of the last position are searched, best first", config.FlagOnly)
	config.Var(d, &o.Explain, "explain", "false", config.Switch(), "list the weights that make up the static score", config.FlagOnly)
	config.Var(d, &o.Format, "format", "text", config.OneOf("text", "json", "sgf"), "form of the output; sgf: the game with comments", config.FlagOnly)
	o.Board.Declare(d)
	o.weightsOption.Declare(d)
	o.searchOptions.declare(d, math.MaxInt64, session.MaxTime)
	config.Var(d, &o.Depth, "depth", "0", config.Whole(0, search.MaxDepth), "plies; 0: no limit", config.FlagOnly)
}

func analyzeCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "analyze [RECORD]",
		Short: "Annotate a game, or search one position",
		Long: "With a file RECORD (- for stdin; psq, SGF, JSON lines or plain moves such as h8i9) goes through the game: the score of every\n" +
			"move, mistakes and blunders, missed wins by continuous fours; --format sgf writes the game with comments. With --moves,\n" +
			"or --position, searches the last position alone: best move, score, principal variation. Scores are points from the side\n" +
			"to move. --solve looks for a forced win of the last position alone, by continuous fours (vcf) or threats (vct), and prints\n" +
			"the winning sequence against the longest defence. Without --nodes, --time and --depth a position is searched for a second,\n" +
			"and each of a game with 50000 nodes. --size and --rule are for records that do not say them.",
		Example: "  play analyze game.psq\n  play analyze game.sgf --format sgf --nodes 200000 > annotated.sgf\n  play analyze --moves h8i9h9 --nodes 100000\n" +
			"  play analyze game.txt --size 20 --time 5s --position --json\n  play analyze game.txt --solve vct --time 10s\n  echo h8i9 | play analyze - --explain",
		Args: cobra.MaximumNArgs(1),
	}, &analyzeOptions{}, analyze)
}

func analyze(cmd *cobra.Command, o *analyzeOptions, args []string) error {
	if err := checkAnalyze(o, args); err != nil {
		return err
	}
	game, err := analyzedGame(o, args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	if wantsReview(o, args) {
		return runReview(cmd.Context(), o, game, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	position, err := lastPosition(game)
	if err != nil {
		return err
	}
	return runAnalyze(cmd.Context(), o, position, cmd.OutOrStdout(), cmd.ErrOrStderr())
}

// wantsReview reports whether the arguments ask for a review of the whole game, not for an analysis of its last
// position.
func wantsReview(o *analyzeOptions, args []string) bool {
	if o.Format == "sgf" {
		return true
	}
	return len(args) > 0 && !o.Position && !o.Explain && o.Solve == ""
}

// checkAnalyze returns an error when options exclude each other.
func checkAnalyze(o *analyzeOptions, args []string) error {
	if len(args) > 0 && o.IsSet(&o.Moves) {
		return config.Usagef("a record and --moves exclude each other")
	}
	if o.Game > 0 && len(args) == 0 {
		return config.Usagef("--game chooses from a record, and none is named")
	}
	if o.MultiPV > 1 && (wantsReview(o, args) || o.Solve != "") {
		return config.Usagef("--multipv is for the search of one position: take --position, and not --solve")
	}
	for _, other := range []struct {
		name string
		set  bool
	}{{"position", o.Position}, {"explain", o.Explain}, {"solve", o.Solve != ""}, {"json", o.JSON && o.Typed(&o.JSON)}} {
		if o.Format == "sgf" && other.set {
			return config.Usagef("--format sgf writes the whole game alone: it excludes --%s", other.name)
		}
	}
	return checkSolve(o)
}

// maxRecord bounds a record on stdin, bytes.
const maxRecord = 16 << 20

// analyzedGame returns the game of --moves or of the record. Errors in --moves are usage errors.
func analyzedGame(o *analyzeOptions, args []string, in io.Reader) (*record.Game, error) {
	conditions := record.Conditions{Size: o.Size, Rule: o.Rule}
	if len(args) == 0 {
		games, err := record.Parse([]byte(o.Moves), record.Plain, conditions)
		if err != nil {
			return nil, config.Usage(fmt.Errorf("--moves: %w", err))
		}
		return &games[0], nil
	}
	game, err := readGame(args[0], in, conditions, o.Game)
	if err != nil {
		return nil, err
	}
	if err := conditions.Check(game, o.Typed(&o.Size), o.Typed(&o.Rule)); err != nil {
		return nil, config.Usagef("%s: %w", args[0], err)
	}
	return game, nil
}

// readGame returns a game of a file or of stdin: the one with the number, counted from 1, or the only one.
func readGame(name string, in io.Reader, c record.Conditions, number int) (*record.Game, error) {
	games, err := readGames(name, in, c)
	switch {
	case err != nil:
		return nil, err
	case number > len(games):
		return nil, config.Usagef("%s: --game is %d, outside [1, %d]", name, number, len(games))
	case number > 0:
		return &games[number-1], nil
	case len(games) > 1:
		return nil, config.Usagef("%s holds %d games: name one with --game 1 to %d", name, len(games), len(games))
	}
	return &games[0], nil
}

// readGames returns the games of a file, or of stdin for "-".
func readGames(name string, in io.Reader, c record.Conditions) ([]record.Game, error) {
	if name != "-" {
		return record.ReadFile(name, c)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxRecord+1))
	if err == nil && len(data) > maxRecord {
		err = fmt.Errorf("it is longer than %d bytes", maxRecord)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return record.ParseFile(name, data, c)
}

// lastPosition returns the position after all moves of a game that is not over.
func lastPosition(game *record.Game) (*board.Board, error) {
	b, err := game.Board(len(game.Moves))
	if err != nil {
		return nil, err
	}
	if b.Outcome() != board.Ongoing || game.Fouled() {
		return nil, fmt.Errorf("there is nothing to search: the game is over (%v, %s)", game.Outcome, game.Reason)
	}
	return b, nil
}

// runAnalyze searches and prints. An interrupt ends the search; what it has found is still printed.
func runAnalyze(ctx context.Context, o *analyzeOptions, position *board.Board, out, log io.Writer) error {
	p, err := o.choose(".", position.Rule(), position.Size())
	if err != nil {
		return err
	}
	if p, err = onBoard(p, position.Rule(), position.Size(), config.NewLogger(log, &o.Common)); err != nil {
		return err
	}
	engine, err := search.NewEngine(p.Weights, position.Size(), position.Rule(), o.engine())
	if err != nil {
		return err
	}
	if o.Solve != "" {
		return runSolve(ctx, o, engine, position, out)
	}
	start := time.Now()
	found := analysis.Lines(ctx, engine, position, o.limits(), o.MultiPV, nil)
	j := newJudgement(position, p.Weights, found, time.Since(start))
	if o.Explain {
		j.Explain = termsOf(engine.Explain(position))
	}
	if err := printFound(out, o, j.text(position), j); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return config.ErrInterrupted
	}
	return nil
}

// limits returns the limits of a search of one position.
func (o *analyzeOptions) limits() search.Limits {
	limits := o.searchOptions.limits()
	if limits.Depth = o.Depth; limits.Depth > 0 && o.Time == 0 {
		limits.Time = 0 // a limit of depth replaces the default time
	}
	return limits
}

func termsOf(terms []evaluator.Term) []term {
	list := make([]term, len(terms))
	for i, t := range terms {
		list[i] = term(t)
	}
	return list
}
