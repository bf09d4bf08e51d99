package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/internal/text"
	"quintune/search"
)

func terminalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play Gomoku against tuned weights",
		Long: "Shows a board in the terminal, played by keyboard or mouse; ? lists the keys. When it is left the game is saved, see --record.\n" +
			"In pipes, where there is no terminal, it takes a command a line, moves written h8: column letter from the left, row number\n" +
			"from the top. Without --nodes and --time the engine takes a second a move. The board has no colours where NO_COLOR is set.\n\n" +
			player.Help(),
		Example: "  play\n  play --level 3\n  play --weights weights.json --size 20 --color white --time 3s\n  play --rule renju --notation renju --ascii\n  play --opening swap2\n  play --against baseline:zhang\n  play --against gomocup:./pbrain-other --rule standard --record game.psq",
		Args:    cobra.NoArgs,
		RunE: config.Loaded(func(cmd *cobra.Command, v *config.Values, _ []string) error {
			return runTerminal(cmd.Context(), v, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		}),
	}
	config.Declare(cmd, "play")
	return cmd
}

// device reports whether a stream is a character device other than a terminal, such as /dev/null.
func device(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok || text.IsTerminal(stream) {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// seated is what both boards of the terminal play with.
type seated struct {
	game     *session.Game
	opponent *session.Thinker
	adviser  *session.Thinker
	own      *player.Player // whose weights give hints
	advice   session.Strength
	notation session.Notation
	saver    *saver
	swap2    bool // games begin with an opening under swap2
}

// runTerminal plays games until quit or the end of input.
func runTerminal(ctx context.Context, v *config.Values, in io.Reader, out, log io.Writer) (err error) {
	if device(in) {
		return config.Usagef("standard input is a device, but not a terminal: play needs a terminal, or commands in a pipe or a file")
	}
	s, err := seat(v, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.opponent.Close()) }()
	if text.IsTerminal(in) && text.IsTerminal(out) {
		err = runBoard(ctx, v, s, in, out)
	} else {
		err = runTable(ctx, s, in, out)
	}
	if config.Exit(err) == config.ExitInterrupted {
		return config.ErrInterrupted
	}
	if err == nil && v.Bool("json") {
		return config.WriteJSON(out, summaryOf(s.game))
	}
	return err
}

// seat seats the players. Their engines start when they are needed.
func seat(v *config.Values, log io.Writer) (*seated, error) {
	logger := config.NewLogger(log, v)
	own, _, err := chosenWeights(v, ".", v.Rule("rule"), v.Int("size"), logger)
	if err != nil {
		return nil, err
	}
	engine := session.Seat{Player: own, Strength: strengthOf(v)}
	if argument := v.String("against"); argument != "" {
		if engine.Player, err = player.Parse(argument); err != nil {
			return nil, config.Usage(err)
		}
		if engine.Player.Weights != nil {
			tellWeights(logger, engine.Player)
		}
	}
	if err := checkSeat(engine, v); err != nil {
		return nil, err
	}
	s := &seated{own: own, advice: session.Strength{Nodes: engine.Strength.Nodes, Time: engine.Strength.Time}}
	if s.game, err = session.New(v.Uint64("seed"), v.Int("size"), v.Rule("rule")); err != nil {
		return nil, err
	}
	s.game.Seats[board.White] = engine
	if v.String("color") == "white" {
		s.game.SwapSides()
	}
	if s.swap2 = v.String("opening") == "swap2"; s.swap2 {
		if err := s.game.BeginSwap2(); err != nil {
			return nil, config.Usage(err)
		}
	}
	if s.notation, err = session.ParseNotation(v.String("notation")); err != nil {
		return nil, err
	}
	s.opponent, s.adviser = session.NewThinker(homeOptions(v)), session.NewThinker(homeOptions(v))
	s.saver, err = newSaver(v.String("record"))
	return s, err
}

// strengthOf returns what --level, --nodes and --time say.
func strengthOf(v *config.Values) session.Strength {
	return session.Strength{Level: search.Level(v.Int("level")), Nodes: v.Int64("nodes"), Time: v.Duration("time")}
}

// checkSeat returns an error when the player does not play on such a board. A level of a player that has none
// is wrong usage.
func checkSeat(s session.Seat, v *config.Values) error {
	err := s.Check(v.Int("size"), v.Rule("rule"))
	if errors.Is(err, session.ErrNoLevels) {
		return config.Usage(err)
	}
	return err
}

// homeOptions are those of engines for games and analysis of people.
func homeOptions(v *config.Values) search.Options {
	return search.Options{TableEntries: homeEntries, Threads: v.Int("threads")}
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

// summary is what --json prints of the last game.
type summary struct {
	Moves   string `json:"moves"`
	Outcome string `json:"outcome"` // as board.Outcome says
	You     string `json:"you"`     // colour; "both" or "neither" where that is so
	Against string `json:"against"`
}

func summaryOf(g *session.Game) summary {
	s := summary{board.FormatMoves(g.Board().Moves()), g.Board().Outcome().String(), "neither", ""}
	people := 0
	for colour, seat := range g.Seats {
		if seat.Person() {
			s.You = board.Colour(colour).String()
			people++
		} else {
			s.Against = seat.Player.Name
		}
	}
	if people == 2 {
		s.You = "both"
	}
	return s
}
