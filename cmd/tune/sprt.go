package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/search"
)

// sprtOptions are the options of `tune sprt`.
type sprtOptions struct {
	matchOptions
	NElo     config.Bounds
	Features []string // NAME=off
}

func (o *sprtOptions) Declare(d *config.Declaration) {
	o.declare(d, "opening list; without it the embedded ones", "10000")
	config.Var(d, &o.Pairs, "pairs", "4000", config.Whole(1, maxPairs), "most pairs of games; without it 4000, or one for each opening if there are fewer")
	config.Var(d, &o.NElo, "nelo", "0,10", config.NEloBounds(), "bounds of the test in normalised Elo: 0,10 for a gain, -10,0 for a simplification")
	config.Var(d, &o.Features, "feature", "", config.Several("NAME=off"), "feature of the search that NEW does without, of "+strings.Join(featureNames(), ", "), config.FlagOnly)
	o.runsOption.Declare(d)
}

func featureNames() []string {
	var names []string
	for _, f := range search.Features() {
		names = append(names, f.String())
	}
	return names
}

func sprtCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "sprt NEW OLD",
		Short: "Test a change of the search against what it replaces, by a sequential test",
		Long: `Plays pairs on the openings of matches until the test of --nelo (α = β = 0.05) ends, or --pairs are played. The result is
passed (the games fit the upper bound better than the lower), not passed, or undecided; none of them is a failure.
NEW and OLD are builds (gomocup:COMMAND) or weights, whose group "search" holds the numbers of the search. --feature
switches parts of NEW's search off. Builds have as large a table as weights; a win that a build announces ends the game
where our solvers confirm it. See also tune gate.

` + keptHelp,
		Example: "  tune sprt 'gomocup:bin/play gomocup' 'gomocup:../old/bin/play gomocup'\n" +
			"  tune sprt changed.json default --nelo 0,5 --nodes 40000\n" +
			"  tune sprt default default --feature Futility=off --nelo -10,0",
		Args: cobra.ExactArgs(2),
	}, &sprtOptions{}, sprt)
}

// sprtReport is what `tune sprt --json` prints.
type sprtReport struct {
	testReport
	Features []string `json:"features_off"` // features switched off in NEW
}

func sprt(cmd *cobra.Command, o *sprtOptions, args []string) error {
	off, err := parseFeatures(o.Features)
	if err != nil {
		return err
	}
	m := &match.Match{Rule: o.Rule, Size: o.Size, Seed: o.Seed, Purpose: "sprt"}
	if m.Nodes, m.TimeControl, err = o.limit(); err != nil {
		return err
	}
	d := newDisplay(cmd, &o.Common)
	if err := setBuilds(m, args[0], args[1], off, d); err != nil {
		return err
	}
	b, err := o.draw(cmd.Context(), d, m, book.Match, "sprt")
	if err != nil {
		return err
	}
	p := newPlayed(cmd, args, m, b)
	report, stopped, err := playTest(&o.matchOptions, p, match.NewSPRT(o.NElo.Low, o.NElo.High), d, d.live(m))
	if err != nil {
		return err
	}
	result := sprtReport{testReport{report, report.Plain()}, append([]string{}, o.Features...)}
	return errors.Join(show(cmd, &o.Common, testText(&result.testReport)+p.afterSPRTText(&report, stopped), result), stopped)
}

// parseFeatures returns the features that texts of the form NAME=off switch off.
func parseFeatures(list []string) (off search.Feature, err error) {
	for _, text := range list {
		name, value, _ := strings.Cut(text, "=")
		if value != "off" {
			return 0, config.Usagef("feature is %.80q, not NAME=off", text)
		}
		f, err := search.ParseFeature(name)
		if err != nil {
			return 0, config.Usage(err)
		}
		off |= f
	}
	return off, nil
}

// setBuilds sets the players of the match: NEW, with the features in off switched off, and OLD.
func setBuilds(m *match.Match, newer, older string, off search.Feature, d *display) error {
	a, err := contender(newer, m.Rule)
	if err != nil {
		return err
	}
	b, err := contender(older, m.Rule)
	if err != nil {
		return err
	}
	switch {
	case off != 0:
		if a, err = a.Without(off); err != nil {
			return config.Usage(err)
		}
	case a.Weights != nil && b.Weights != nil && a.Identity(newer) == b.Identity(older):
		return config.Usagef("NEW and OLD play the same weights with the same search: nothing is to be tested")
	}
	if a.External() != b.External() {
		d.log.Warn("one side plays in this process, the other behind the protocol: test builds against builds")
	}
	m.A, m.B = sideOf(newer, a.UnderTest(), m.TimeControl), sideOf(older, b.UnderTest(), m.TimeControl)
	return nil
}

// afterSPRTText returns the last lines for people: what was found, and the next command.
func (p *played) afterSPRTText(g *match.GateReport, stopped error) string {
	if stopped != nil || g.Plain() == match.Undecided {
		return p.afterTestText(g, stopped)
	}
	end, tc := g.Conclusion()+"\n", p.match.TimeControl
	more, what := []string{"--nodes", strconv.FormatInt(4*p.match.Nodes, 10)}, "nodes"
	switch {
	case tc.Move > 0:
		more, what = []string{"--time", (4 * tc.Move).String()}, "time"
	case tc.Game > 0:
		more, what = []string{"--tc", fmt.Sprintf("%v+%v", 4*tc.Game, 4*tc.Increment)}, "time"
	}
	if 4*tc.Move > longestMove || 4*tc.Game > config.MaxClock || 4*tc.Increment > config.MaxIncrement || p.match.Nodes > run.MaxNodes/4 {
		return end
	}
	return end + next("tests the same with more "+what, append(config.Repeat(p.cmd, p.args, "nodes", "time", "tc", "records"), more...)...)
}

// live returns a function that shows a sequential test in progress: with the bar on a terminal, by log lines
// elsewhere.
func (d *display) live(m *match.Match) func(match.Tally, *stats.Test) {
	draw := d.test(m)
	last := time.Now()
	return func(t match.Tally, test *stats.Test) {
		draw(t, test)
		if d.bar != nil || time.Since(last) < lineInterval && test.Verdict() == stats.Continue {
			return
		}
		last = time.Now()
		lower, upper := test.SPRT().Bounds()
		elo := t.Pairs.Elo()
		d.log.Info("sprt", "pairs", fmt.Sprintf("%d/%d", t.Pairs.Pairs(), len(m.Openings)), "llr", text.Hundredths(test.LLR()),
			"bounds", fmt.Sprintf("%.2f,%.2f", lower, upper), "elo", fmt.Sprintf("%.0f [%.0f, %.0f]", elo.Elo, elo.Low, elo.High))
	}
}
