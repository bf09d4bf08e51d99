package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/selfplay"
)

func matchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "Play two players against each other",
		Long: `Plays pairs of games: each opening once with both colours. Without --openings they are drawn from the built-in ones
that neither runs nor gates use. All figures are seen from A, with 95 % intervals.

` + player.Help(),
		Example: "  tune match weights.json huang --pairs 200\n  tune match weights.json huang --time 100ms --pairs 50\n" +
			"  tune match weights.json gomocup:./pbrain-other --tc 60s+0.1s --pairs 100 --records games.sgf\n  tune match weights.json huang --sprt 0,5",
		Args: cobra.ExactArgs(2),
		RunE: config.Loaded(playMatch),
	}
	config.Declare(cmd, "tune match")
	return cmd
}

func playMatch(cmd *cobra.Command, v *config.Values, args []string) error {
	m, err := newMatch(v, args[0], args[1])
	if err != nil {
		return err
	}
	d := newDisplay(cmd, v)
	b, err := partOf(cmd.Context(), v, d, book.Match)
	if err != nil {
		return err
	}
	if m.Openings, err = b.Series(m.Seed, "match", v.Int("pairs")); err != nil {
		return config.Usage(err)
	}
	pool := selfplay.NewPool(v.Int("workers"))
	if !v.IsSet("sprt") {
		return playAll(cmd, v, m, pool, d)
	}
	bounds := v.Bounds("sprt")
	sprt := stats.SPRT{NElo0: bounds.Low, NElo1: bounds.High, Alpha: .05, Beta: .05}
	return playGate(cmd, v, m, sprt, pool, d)
}

// playAll plays all pairs of a match and shows its end.
func playAll(cmd *cobra.Command, v *config.Values, m *match.Match, pool *selfplay.Pool, d *display) error {
	done, err := keepGames(v, m)
	if err != nil {
		return err
	}
	t, err := m.Play(cmd.Context(), pool, d.tally(m))
	d.end()
	stopped, err := interruption(err, done(), t.Pairs.Pairs()+t.Void, m)
	if err != nil {
		return err
	}
	report := m.Report(t)
	result := matchResult{report, stopped != nil}
	return errors.Join(show(cmd, v, matchText(&report)+stoppedText(stopped), result), stopped)
}

// matchResult is what `tune match --json` prints.
type matchResult struct {
	match.Report
	Interrupted bool `json:"interrupted"` // the figures are those of the pairs that were finished
}

// interruption returns as stopped the error of a match that was interrupted, whose figures so far are worth showing, and as
// err any other one.
func interruption(playing, keeping error, pairs int64, m *match.Match) (stopped, err error) {
	if errors.Is(playing, context.Canceled) {
		stopped, playing = fmt.Errorf("%w after %d of %d pairs", config.ErrInterrupted, pairs, len(m.Openings)), nil
	}
	return stopped, errors.Join(playing, keeping)
}

// stoppedText marks figures of an interrupted match.
func stoppedText(stopped error) string {
	if stopped == nil {
		return ""
	}
	return stopped.Error() + "\n"
}

// newMatch returns the match of two player arguments without openings.
func newMatch(v *config.Values, a, b string) (*match.Match, error) {
	m := &match.Match{Rule: v.Rule("rule"), Size: v.Int("size"), Seed: v.Uint64("seed"), Purpose: "match"}
	var err error
	if m.Nodes, m.TimeControl, err = timeControlOf(v); err != nil {
		return nil, err
	}
	return m, seat(m, a, b)
}

// timeControlOf returns what a move is limited by: nodes, or else a clock; and the threads.
func timeControlOf(v *config.Values) (nodes int64, tc player.TimeControl, err error) {
	clock := v.TimeControl("tc")
	tc = player.TimeControl{Game: clock.Game, Increment: clock.Increment, Threads: v.Int("threads")}
	if nodes, tc.Move, err = moveLimit(v); err != nil || tc.Game == 0 {
		return nodes, tc, err
	}
	for _, name := range []string{"nodes", "time"} {
		if v.IsSet(name) {
			return 0, tc, config.Usagef("%s and tc are both given: a move has one limit", name)
		}
	}
	return 0, tc, nil
}

// moveLimit returns what a move is limited by: nodes, or time where it is given; the other one is 0.
func moveLimit(v *config.Values) (nodes int64, time time.Duration, err error) {
	nodes, time = v.Int64("nodes"), v.Duration("time")
	if time == 0 {
		return nodes, 0, nil
	}
	if v.IsSet("nodes") {
		return 0, 0, config.Usagef("nodes and time are both given: a move has one limit")
	}
	return 0, time, nil
}

// tally shows how a match stands.
func (d *display) tally(m *match.Match) func(match.Tally) {
	faults := d.faults(m)
	return func(t match.Tally) {
		faults(&t)
		done := t.Pairs.Pairs() + t.Void
		d.drawSometimes(done == int64(len(m.Openings)), func() string {
			elo := t.Pairs.Elo()
			return bar(float64(done)/float64(len(m.Openings))) +
				fmt.Sprintf(" +%d =%d -%d, %s", t.Wins, t.Draws, t.Losses, text.Elo(elo.Elo, elo.Low, elo.High))
		})
	}
}

// faults warns of the first failure of each kind of either player.
func (d *display) faults(m *match.Match) func(*match.Tally) {
	told := map[string]bool{}
	return func(t *match.Tally) {
		for _, side := range []struct {
			name  string
			first map[string]string
		}{{m.A.Name, t.FirstA}, {m.B.Name, t.FirstB}} {
			for _, kind := range slices.Sorted(maps.Keys(side.first)) {
				if key := side.name + "\n" + kind; !told[key] {
					told[key] = true
					d.log.Warn("a player failed; a pair in which one fails is played once more, then it is void",
						"player", side.name, "fault", side.first[kind])
				}
			}
		}
	}
}

// matchText tells a report to people.
func matchText(r *match.Report) string {
	var b strings.Builder
	limit := fmt.Sprintf("%d nodes a move", r.Nodes)
	switch {
	case r.GameMS > 0:
		limit = fmt.Sprintf("%d ms a game + %d ms a move", r.GameMS, r.IncrementMS)
	case r.TimeMS > 0:
		limit = fmt.Sprintf("%d ms a move", r.TimeMS)
	}
	if r.Threads > 1 {
		limit += fmt.Sprintf(", %d threads", r.Threads)
	}
	fmt.Fprintf(&b, "%s against %s: +%d =%d -%d of %d games (%s, %d×%d, %s, openings %s)\n",
		r.A, r.B, r.Wins, r.Draws, r.Losses, r.Games, r.Rule, r.Size, r.Size, limit, r.Openings)
	fmt.Fprintf(&b, "pairs by points 0 ½ 1 1½ 2: %d\n", r.Pentanomial)
	fmt.Fprintf(&b, "%s, nElo %+.1f, LOS %.1f %%\n", text.Elo(r.Elo, r.EloLow, r.EloHigh), r.NElo, 100*r.LOS)
	if r.Void > 0 {
		fmt.Fprintf(&b, "void pairs: %d\n", r.Void)
	}
	for i, faults := range []map[string]int64{r.Faults.A, r.Faults.B} {
		if len(faults) > 0 {
			fmt.Fprintf(&b, "faults of %s: %v\n", [2]string{r.A, r.B}[i], faults)
		}
	}
	return b.String()
}
