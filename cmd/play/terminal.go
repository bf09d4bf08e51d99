package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/internal/config"
	"quintune/internal/console/tui"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/internal/text"
	"quintune/weights"
)

// terminalOptions are the options of bare `play`.
type terminalOptions struct {
	config.Common
	weightsOption
	config.Board
	opponentOptions
	Against  string
	Color    string
	Seed     uint64
	Opening  string
	Record   string
	ASCII    bool
	Notation string
}

func (o *terminalOptions) Declare(d *config.Declaration) {
	o.weightsOption.Declare(d)
	config.Var(d, &o.Against, "against", "", config.Player(), "opponent: a preset, a weights file, baseline:NAME, gomocup:COMMAND LINE; without it --weights")
	config.Var(d, &o.Seed, "seed", "1", config.Seed(), "of the choices among nearly equal moves below level 10, and of opponents that choose at random")
	o.opponentOptions.declare(d, math.MaxInt64, session.MaxTime)
	o.Board.Declare(d)
	config.Var(d, &o.Color, "color", "black", config.OneOf("black", "white"), "your side")
	config.Var(d, &o.Opening, "opening", "free", config.OneOf("free", "swap2"), "how games begin; under swap2 --color black opens", config.FlagOnly)
	config.Var(d, &o.Record, "record", "", config.Text("FILE"), "where games are saved, by ending .psq, .sgf, .txt or .jsonl, none: nowhere; the board in the terminal saves to game-N.sgf without it", config.FlagOnly)
	d.Group("The board on the screen")
	config.Var(d, &o.ASCII, "ascii", "false", config.Switch(), "draw the board in ASCII only")
	config.Var(d, &o.Notation, "notation", "pos", config.OneOf(session.NotationNames()...), "how rows are numbered: pos from the top, renju from the bottom")
}

func terminalCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "play",
		Short: "Play Gomoku against tuned weights",
		Long: "Shows a board in the terminal, played by keyboard or mouse; ? lists the keys. When it is left the game is saved, see --record.\n" +
			"In pipes, where there is no terminal, it takes a command a line, moves written h8: column letter from the left, row number\n" +
			"from the top. Without --nodes and --time the engine takes a second a move. The board has no colours where NO_COLOR is set.\n\n" +
			player.Help(),
		Example: "  play\n  play --level 3\n  play --weights weights.json --size 20 --color white --time 3s\n  play --rule renju --notation renju --ascii\n  play --opening swap2\n  play --against baseline:zhang\n  play --against gomocup:./pbrain-other --rule standard --record game.psq",
		Args:    cobra.NoArgs,
	}, &terminalOptions{}, func(cmd *cobra.Command, o *terminalOptions, _ []string) error {
		return runTerminal(cmd.Context(), o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
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

// seated holds the players of a game in the terminal.
type seated struct {
	game     *session.Game
	opponent *session.Thinker
	adviser  *session.Thinker
	own      *player.Player // its weights give the hints
	advice   session.Strength
	notation session.Notation
	saver    *session.Saver
	swap2    bool // games begin with a swap2 opening
}

// runTerminal plays games until quit or the end of input.
func runTerminal(ctx context.Context, o *terminalOptions, in io.Reader, out, log io.Writer) (err error) {
	if device(in) {
		return config.Usagef("standard input is a device, but not a terminal: play needs a terminal, or commands in a pipe or a file")
	}
	s, err := seat(o, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.opponent.Close()) }()
	if text.IsTerminal(in) && text.CanDraw(out) {
		err = runBoard(ctx, o, s, in, out)
	} else {
		err = runTable(ctx, s, in, out)
	}
	if err == nil && o.JSON {
		return config.WriteJSON(out, summaryOf(s.game))
	}
	return err
}

// seat seats the players. Their engines start when they are needed.
func seat(o *terminalOptions, log io.Writer) (*seated, error) {
	logger := config.NewLogger(log, &o.Common)
	own, err := o.choose(".", o.Rule, o.Size)
	if err != nil {
		return nil, err
	}
	engine := session.Seat{Player: own, Strength: o.strength()}
	if o.Against != "" {
		if engine.Player, err = player.Parse(o.Against); err != nil {
			return nil, config.UsageIf(player.Misused(err), err)
		}
		if engine.Player.External() && !o.Typed(&o.Against) {
			return nil, config.Usagef("against: %s would start a program that was not typed on this command line", o.Against)
		}
		if engine.Player.Weights == nil && o.Typed(&o.Against) && !o.Typed(&o.Level) {
			engine.Strength.Level = 0 // that of a configuration is for our own engine
		}
	}
	if engine, err = engine.OnBoard(o.Size, o.Rule); err != nil {
		return nil, config.Usage(err)
	}
	if own, err = onBoard(own, o.Rule, o.Size, logger); err != nil {
		return nil, err
	}
	if o.Against != "" && engine.Player.Weights != nil {
		tellWeights(logger, engine.Player)
	}
	s := &seated{own: own, advice: session.Strength{Nodes: engine.Strength.Nodes, Time: engine.Strength.Time}}
	if s.game, err = session.New(o.Seed, o.Size, o.Rule); err != nil {
		return nil, err
	}
	if o.Color == "white" {
		s.game.Seats[board.Black] = engine
	} else {
		s.game.Seats[board.White] = engine
	}
	if s.swap2 = o.Opening == "swap2"; s.swap2 {
		if err := s.game.BeginSwap2(); err != nil {
			return nil, config.Usage(err)
		}
	}
	if s.notation, err = session.ParseNotation(o.Notation); err != nil {
		return nil, err
	}
	s.opponent, s.adviser = session.NewThinker(o.engine()), session.NewThinker(o.engine())
	s.saver, err = session.NewSaver(o.Record)
	return s, config.UsageIf(session.Misnamed(err), err)
}

// maxLine bounds a line of input, bytes.
const maxLine = 4096

// readLines sends the lines of in until it ends, a line is too long, or ctx is done. Once lines is closed, failed returns why in could
// not be read to its end.
func readLines(ctx context.Context, in io.Reader) (lines chan string, failed func() error) {
	lines = make(chan string)
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	go func() {
		defer close(lines)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines, func() error {
		if errors.Is(scanner.Err(), bufio.ErrTooLong) {
			return fmt.Errorf("standard input: a line is longer than %d bytes", maxLine)
		}
		return scanner.Err()
	}
}

// summary is what --json prints of the last game.
type summary struct {
	Moves   string `json:"moves"`
	Outcome string `json:"outcome"` // text of board.Outcome
	You     string `json:"you"`     // colour of the person; "both" or "neither" where the person has both sides or none
	Against string `json:"against"`
}

func summaryOf(g *session.Game) summary {
	game := g.Record() // the board may show an earlier position
	s := summary{board.FormatMoves(game.Cells()), game.Outcome.String(), "neither", ""}
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

// runBoard shows the board in a terminal until the person leaves, and then prints where the game was saved.
func runBoard(ctx context.Context, o *terminalOptions, s *seated, in io.Reader, out io.Writer) error {
	choices, err := opponents(s)
	if err != nil {
		return err
	}
	c := tui.Config{
		Game: s.game, Opponent: s.opponent, Adviser: s.adviser, Own: s.own, Advice: s.advice, Choices: choices, Save: s.saver.Save,
		Look: tui.Look{ASCII: o.ASCII, Plain: os.Getenv("NO_COLOR") != "", Notation: s.notation},
	}
	game, saved, err := tui.Run(ctx, c, in, out)
	s.game = game
	if saved != "" && !o.Quiet {
		fmt.Fprintf(out, "saved as %s\n", saved)
	}
	return err
}

// opponents returns the players that a new game can be played against: the present opponent, our own weights,
// the presets and the baselines.
func opponents(s *seated) ([]tui.Choice, error) {
	var choices []tui.Choice
	add := func(p *player.Player) {
		if !slices.ContainsFunc(choices, func(c tui.Choice) bool { return c.Player.Name == p.Name }) {
			choices = append(choices, tui.Choice{Name: session.Label(p), Player: p})
		}
	}
	for _, colour := range []board.Colour{board.White, board.Black} {
		if seat := s.game.Seats[colour]; !seat.Person() {
			add(seat.Player.Chosen())
		}
	}
	add(s.own.Chosen())
	arguments := weights.PresetNames()
	for _, name := range baseline.Names() {
		arguments = append(arguments, baseline.Prefix+name)
	}
	for _, argument := range arguments {
		p, err := player.Parse(argument)
		if err != nil {
			return nil, err
		}
		add(p)
	}
	return choices, nil
}
