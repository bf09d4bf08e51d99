package main

import (
	"bufio"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/search"
)

func terminalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play Gomoku against tuned weights",
		Long: "Plays a game in the terminal, moves written h8: column letter from the left, row number from the top.\n" +
			"Without --nodes and --time the engine takes a second a move. Works in pipes too: one command a line.",
		Example: "  play\n  play --level 3\n  play --weights weights.json --size 20 --color white --time 3s\n  play --against gomocup:./pbrain-other --rule standard",
		Args:    cobra.NoArgs,
		RunE: config.Loaded(func(cmd *cobra.Command, v *config.Values, _ []string) error {
			return runTerminal(cmd.Context(), v, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		}),
	}
	config.Declare(cmd, "play")
	return cmd
}

// runTerminal plays games until quit or the end of input.
func runTerminal(ctx context.Context, v *config.Values, in io.Reader, out, log io.Writer) (err error) {
	t, closeAll, err := newTable(v, out, log)
	if err != nil {
		return err
	}
	defer func() {
		if late := closeAll(); err == nil {
			err = late
		}
	}()
	lines := readLines(ctx, in)
	t.prompt = isTerminal(in) && isTerminal(out)
	if err := t.newGame(ctx); err != nil {
		return err
	}
	for !t.left {
		t.ask()
		if err := t.failure; err != nil {
			return err
		}
		select {
		case line, ok := <-lines:
			if !ok {
				t.left = true
				break
			}
			if err := t.obey(ctx, line); err != nil {
				return err
			}
		case <-ctx.Done():
			return config.ErrInterrupted
		}
	}
	if ctx.Err() != nil { // it ends the lines, too
		return config.ErrInterrupted
	}
	if v.Bool("json") {
		return config.WriteJSON(out, t.summary())
	}
	return nil
}

// newTable seats the players. closeAll ends their engines.
func newTable(v *config.Values, out, log io.Writer) (t *table, closeAll func() error, err error) {
	logger := config.NewLogger(log, v)
	own, err := chosenWeights(v, ".", logger)
	if err != nil {
		return nil, nil, err
	}
	opponent := own
	if argument := v.String("against"); argument != "" {
		if opponent, err = player.Parse(argument); err != nil {
			return nil, nil, config.Usage(err)
		}
		if opponent.Weights != nil {
			tellWeights(logger, opponent)
		}
	}
	b, err := board.New(v.Int("size"), v.Rule("rule"))
	if err != nil {
		return nil, nil, err
	}
	t = &table{board: b, name: opponent.Name, limits: limitsOf(v), out: out}
	if v.String("color") == "white" {
		t.human = board.White
	}
	if t.engine, err = openOpponent(v, opponent, b); err != nil {
		return nil, nil, err
	}
	closeAll = func() error {
		if c, ok := t.engine.(io.Closer); ok {
			return c.Close()
		}
		return nil
	}
	t.adviser, err = search.NewEngine(own.Weights, b.Size(), b.Rule(), homeOptions(v))
	return t, closeAll, err
}

// maxLine bounds a line of input, bytes.
const maxLine = 4096

// readLines sends the lines of in until its end, an overlong line or ctx.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// isTerminal says whether a stream is a character device, as a terminal is.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// summary is what --json prints of the last game.
type summary struct {
	Moves   string `json:"moves"`
	Outcome string `json:"outcome"` // as board.Outcome says
	You     string `json:"you"`     // colour
	Against string `json:"against"`
}

func (t *table) summary() summary {
	return summary{board.FormatMoves(t.board.Moves()), t.board.Outcome().String(), t.human.String(), t.name}
}
