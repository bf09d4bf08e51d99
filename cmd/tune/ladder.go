package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/atomicfile"
	"quintune/internal/bench"
	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/ladder"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/report"
	"quintune/selfplay"
)

// ladderOptions are the options of `tune ladder`.
type ladderOptions struct {
	matchOptions
	Gauntlet string // "": everybody plays everybody
	Anchor   string // "": chosen among the players
	State    string // "": the database of the runs
	Picture  string // "": none
	Format   string
}

func (o *ladderOptions) Declare(d *config.Declaration) {
	o.declare(d, "opening list; without it the embedded ones", matchNodes)
	config.Var(d, &o.Pairs, "pairs", "50", config.Whole(1, maxPairs), "pairs of games of every two players that meet, without it 50, or one for each opening if there are fewer; a ladder goes on with more of them")
	config.Var(d, &o.Gauntlet, "gauntlet", "", config.Player(), "player that meets all others, who do not meet; without it all meet all")
	d.Group("The table")
	config.Var(d, &o.Anchor, "anchor", "", config.Player(), "player that is rated 1000; without it huang, else baseline:huang, else the first", config.FlagOnly)
	config.Var(d, &o.Format, "format", "text", config.OneOf("text", "markdown"), "form of the table", config.FlagOnly)
	config.Var(d, &o.Picture, "picture", "", config.Text("FILE"), "where to draw the ratings with their intervals, .svg or .png", config.FlagOnly)
	o.runsOption.Declare(d)
	config.Var(d, &o.State, "state", "", config.Text("FILE"), "database of the finished pairs; without it that of --runs", config.FlagOnly)
}

func ladderCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "ladder PLAYER PLAYER...",
		Short: "Rank players by a tournament",
		Long: `Plays a round robin, or with --gauntlet one player against all others, and rates the players (Bradley–Terry, 95 %
intervals). Every two that meet play pairs over openings of their own, each once with both colours, and every game to
its end.

Finished pairs are kept in the database of --runs. After an interruption the same command goes on with what is left; so it does with
more --pairs. With --nodes the result depends neither on --workers nor on interruptions. What a node is differs from
player to player; the table says it.

` + player.Help(),
		Example: `  tune ladder default huang zhang baseline:huang baseline:zhang --pairs 100
  tune ladder huang baseline:huang baseline:zhang baseline:finard --gauntlet huang --time 100ms
  tune ladder default huang "gomocup:./pbrain-other" --format markdown --picture ladder.svg`,
		Args: cobra.MinimumNArgs(2),
	}, &ladderOptions{}, playLadder)
}

// ladderResult is what `tune ladder --json` prints.
type ladderResult struct {
	*ladder.Standing
	Commit  string `json:"commit"`
	State   string `json:"state"`       // database of the pairs
	Drawn   string `json:"picture"`     // "" for none
	Stopped bool   `json:"interrupted"` // the figures are those of the finished pairs
}

func playLadder(cmd *cobra.Command, o *ladderOptions, args []string) error {
	format, err := pictureFormat(o.Picture)
	if err != nil {
		return err
	}
	anchor, err := anchorIndex(o.Anchor, args)
	if err != nil {
		return err
	}
	d := newDisplay(cmd, &o.Common)
	l, openings, err := newLadder(cmd.Context(), o, args, d)
	if err != nil {
		return err
	}
	records, err := createRecords(o.Records)
	if err != nil {
		return err
	}
	journal, err := openLadder(l, o)
	if err != nil {
		return errors.Join(err, records.Discard())
	}
	counted, err := journal.Counted()
	if err != nil {
		return errors.Join(err, journal.Close(), records.Discard())
	}
	broken, err := climb(cmd.Context(), l, journal, match.FailFast(selfplay.NewPool(o.Workers), counted), d)
	if err := errors.Join(err, endRecords(records, l, err == nil && broken == nil)); err != nil {
		return err
	}
	standing, err := l.Standing(anchor)
	if err != nil {
		return err
	}
	drawn := ""
	if broken == nil {
		if err := drawLadder(standing, o.Picture, format); err != nil {
			return err
		}
		drawn = o.Picture
	}
	text := standing.Text() + afterLadder(cmd, o, standing, args, openings, broken)
	if o.Format == "markdown" {
		text = standing.Markdown()
	}
	return errors.Join(show(cmd, &o.Common, text, ladderResult{standing, config.Commit(), journal.Path(), drawn, broken != nil}), broken)
}

// newLadder returns the ladder of the players, and the number of openings that it can have. It sets --pairs where that is not typed.
func newLadder(ctx context.Context, o *ladderOptions, args []string, d *display) (l *ladder.Ladder, openings int, err error) {
	c, err := ladderConfig(o, args)
	if err != nil {
		return nil, 0, err
	}
	if c.Book, err = partOf(ctx, &o.matchOptions, d, book.Match); err != nil {
		return nil, 0, err
	}
	openings = len(c.Book.Openings)
	o.Pairs = o.within(openings)
	c.Pairs = o.Pairs
	l, err = ladder.New(c)
	return l, openings, config.Usage(err)
}

// afterLadder returns the last lines for people: who leads, and the next command. openings is the number of all.
func afterLadder(cmd *cobra.Command, o *ladderOptions, s *ladder.Standing, args []string, openings int, broken error) string {
	if broken != nil {
		return next("goes on with what is left", config.Repeat(cmd, args)...)
	}
	if openings == o.Pairs {
		return s.Conclusion() + "\nEvery two players have met on all openings: a longer ladder needs a longer list of --openings.\n"
	}
	if o.Openings == "" && book.Embedded(o.Rule, o.Size) == nil && book.CountFor(o.Pairs) > book.CountFor(0) {
		return s.Conclusion() + "\nMore --pairs need more openings than were made for these, and begin another ladder.\n"
	}
	more := append(config.Repeat(cmd, args, "pairs", "records"), "--pairs", strconv.Itoa(min(4*o.Pairs, openings, maxPairs)))
	return s.Conclusion() + "\n" + next("goes on with more pairs and narrows the intervals", more...)
}

// climb plays the rest of the ladder. broken is an interruption, with the way to continue.
func climb(ctx context.Context, l *ladder.Ladder, journal *ladder.Journal, runner selfplay.Runner, d *display) (broken, err error) {
	finished, all := l.Pairs()
	d.log.Info("ladder", "state", journal.Path(), "pairs", all, "finished", finished)
	err = l.Play(ctx, runner, journal, d.climbing(l))
	d.end()
	if closing := journal.End(err); closing != nil {
		return nil, errors.Join(err, closing)
	}
	if errors.Is(err, context.Canceled) {
		finished, all = l.Pairs()
		return fmt.Errorf("%w: %d of %d pairs are kept in %s: the same command goes on", config.ErrInterrupted, finished, all, journal.Path()), nil
	}
	return nil, err
}

// climbing returns a function that shows the progress of a ladder.
func (d *display) climbing(l *ladder.Ladder) func() {
	return func() {
		finished, all := l.Pairs()
		d.drawSometimes(finished == all, func() string {
			return bar(float64(finished)/float64(all)) + fmt.Sprintf(" %d of %d pairs", finished, all)
		})
	}
}

// ladderConfig returns the configuration of the ladder, still without openings and the number of pairs.
func ladderConfig(o *ladderOptions, args []string) (ladder.Config, error) {
	c := ladder.Config{
		Gauntlet: ladder.AllPlayAll, Rule: o.Rule, Size: o.Size, Seed: o.Seed,
		Engine: bench.Signature(), Commit: config.Commit(),
	}
	var err error
	if c.Nodes, c.TimeControl, err = o.limit(); err != nil {
		return c, err
	}
	for _, argument := range args {
		p, err := contender(argument, c.Rule)
		if err != nil {
			return c, err
		}
		c.Players = append(c.Players, ladder.Player{
			Argument: argument, Name: p.Name, Identity: p.Identity(argument), Unit: p.Unit, Contestant: p.Contestant(c.TimeControl),
		})
	}
	if o.Gauntlet != "" {
		if c.Gauntlet = slices.Index(args, o.Gauntlet); c.Gauntlet < 0 {
			return c, config.Usagef("gauntlet is %.80q, not one of the players %s", o.Gauntlet, strings.Join(args, ", "))
		}
	}
	return c, nil
}

// anchorIndex returns the index of the player whose rating is fixed.
func anchorIndex(name string, args []string) (int, error) {
	if name != "" {
		i := slices.Index(args, name)
		if i < 0 {
			return 0, config.Usagef("anchor is %.80q, not one of the players %s", name, strings.Join(args, ", "))
		}
		return i, nil
	}
	for _, usual := range []string{"huang", "baseline:huang"} {
		if i := slices.Index(args, usual); i >= 0 {
			return i, nil
		}
	}
	return 0, nil
}

// openLadder opens the journal of the finished pairs: the database at --state, or that of the runs.
func openLadder(l *ladder.Ladder, o *ladderOptions) (*ladder.Journal, error) {
	if o.State != "" {
		return l.OpenFile(o.State)
	}
	return l.Open(o.Runs)
}

// pictureFormat returns the format of a picture's file by its ending, "" for no picture.
func pictureFormat(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	format := strings.TrimPrefix(filepath.Ext(path), ".")
	if !slices.Contains(report.Formats(), format) {
		return "", config.Usagef("picture is %.80q, which ends in none of .%s", path, strings.Join(report.Formats(), ", ."))
	}
	return format, checkOutput("picture", path)
}

// endRecords writes the games of a ladder to the records, or none where it is not whole.
func endRecords(records *record.Writer, l *ladder.Ladder, whole bool) error {
	if !whole {
		return records.Discard()
	}
	games := l.Games()
	for i := range games {
		if err := records.Add(&games[i]); err != nil {
			return errors.Join(err, records.Discard())
		}
	}
	return records.Commit()
}

// drawLadder draws the picture of a standing, where a path is given.
func drawLadder(s *ladder.Standing, path, format string) error {
	if path == "" {
		return nil
	}
	picture := report.Ladder{Title: s.Title()}
	for _, r := range s.Rungs {
		picture.Rungs = append(picture.Rungs, report.Rung{Name: r.Name, Elo: r.Elo, Low: r.EloLow, High: r.EloHigh})
	}
	data, err := picture.Render(format)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, data)
}
