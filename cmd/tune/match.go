package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/selfplay"
)

// pairOptions are the options of `tune match`.
type pairOptions struct {
	matchOptions
	SPRT config.Bounds // zero: all pairs are played
}

func (o *pairOptions) Declare(d *config.Declaration) {
	o.declare(d, "opening list; without it the embedded ones", matchNodes)
	config.Var(d, &o.Pairs, "pairs", "200", config.Whole(1, maxPairs), "pairs of games, with --sprt the most of them; without it 200, or one for each opening if there are fewer")
	config.Var(d, &o.SPRT, "sprt", "", config.Optional(config.NEloBounds()), "play until a sequential test decides between two bounds in normalised Elo")
	o.runsOption.Declare(d)
}

func matchCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "match A B",
		Short: "Play two players against each other",
		Long: `Plays pairs of games: each opening once with both colours. Without --openings they are drawn from the built-in ones
that neither runs nor gates use. All figures are seen from A. Elo has a 95 % interval. A test (--sprt) that ends
early exaggerates, and its interval is too narrow.

` + keptHelp + `

` + player.Help(),
		Example: "  tune match weights.json huang --pairs 200\n  tune match weights.json huang --time 100ms --pairs 50\n" +
			"  tune match weights.json gomocup:./pbrain-other --tc 60s+0.1s --pairs 100 --records games.sgf\n  tune match weights.json huang --sprt 0,5 --pairs 5000",
		Args: cobra.ExactArgs(2),
	}, &pairOptions{}, playMatch)
}

func playMatch(cmd *cobra.Command, o *pairOptions, args []string) error {
	m, err := newMatch(&o.matchOptions, args[0], args[1])
	if err != nil {
		return err
	}
	d := newDisplay(cmd, &o.Common)
	b, err := o.draw(cmd.Context(), d, m, book.Match, "match")
	if err != nil {
		return err
	}
	for _, player := range args {
		d.warnOfBoard(player, m.Rule, m.Size)
	}
	p := newPlayed(cmd, args, m, b)
	if o.SPRT == (config.Bounds{}) {
		return playAll(&o.matchOptions, p, d)
	}
	return playGate(&o.matchOptions, p, match.NewSPRT(o.SPRT.Low, o.SPRT.High), d)
}

// playAll plays all pairs of a match and shows the result.
func playAll(o *matchOptions, p *played, d *display) error {
	m := p.match
	k, err := keepMatch(o, m, stats.SPRT{}, d)
	if err != nil {
		return err
	}
	t, err := m.Play(p.cmd.Context(), k, d.tally(m))
	stopped, err := k.end(err, t.Pairs.Pairs()+t.Void)
	if err != nil {
		return err
	}
	report := m.Report(t)
	result := matchResult{report, stopped != nil}
	end := report.Conclusion() + "\n"
	if stopped != nil {
		end += p.again()
	} else {
		end += p.comparison(&report) + p.afterMatch(&report)
	}
	return errors.Join(show(p.cmd, &o.Common, matchText(&report)+end, result), stopped)
}

// matchResult is what `tune match --json` prints.
type matchResult struct {
	match.Report
	Interrupted bool `json:"interrupted"` // the figures are those of the finished pairs
}

// newMatch returns the match of two player arguments without openings.
func newMatch(o *matchOptions, a, b string) (*match.Match, error) {
	m := &match.Match{Rule: o.Rule, Size: o.Size, Seed: o.Seed, Purpose: "match"}
	var err error
	if m.Nodes, m.TimeControl, err = o.limit(); err != nil {
		return nil, err
	}
	return m, setPlayers(m, a, b)
}

// tally returns a function that shows the score of a match in progress.
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
					d.log.Warn("a player failed; "+match.Consequence(kind, false), "player", side.name, "fault", side.first[kind])
				}
			}
		}
	}
}

// matchText returns a report for people.
func matchText(r *match.Report) string {
	var b strings.Builder
	limit := r.Limit()
	if r.Threads > 1 {
		limit += fmt.Sprintf(", %d threads", r.Threads)
	}
	fmt.Fprintf(&b, "%s against %s: +%d =%d -%d of %d games (%s, %d×%d, %s, openings %s)\n",
		r.A, r.B, r.Wins, r.Draws, r.Losses, r.Games, r.Rule, r.Size, r.Size, limit, r.Openings)
	if r.Games > 0 {
		fmt.Fprintf(&b, "pairs by points 0 ½ 1 1½ 2: %d\n", r.Pentanomial)
		fmt.Fprintf(&b, "%s, nElo %+.1f, LOS %.1f %%\n", text.Elo(r.Elo, r.EloLow, r.EloHigh), r.NElo, 100*r.LOS)
	}
	if r.Void > 0 {
		fmt.Fprintf(&b, "void pairs: %d\n", r.Void)
	}
	for i, faults := range []map[string]int64{r.Faults.A, r.Faults.B} {
		b.WriteString(faultCounts([2]string{r.A, r.B}[i], faults))
	}
	return b.String()
}

// keepGames makes the match add its games to the records at the path, in the order of the openings. An empty path
// gives none.
func keepGames(path string, m *match.Match) (*record.Writer, error) {
	w, err := createRecords(path)
	if err != nil || w == nil {
		return nil, err
	}
	m.Keep = func(index int, r *selfplay.Result) error {
		games := m.Games(index, r)
		for i := range games {
			if err := w.Add(&games[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return w, nil
}

// createRecords begins the file or the folder of --records; nil without an error is none.
func createRecords(path string) (*record.Writer, error) {
	if filepath.Ext(path) != "" { // else a folder, which may be new
		if err := checkOutput("records", path); err != nil {
			return nil, err
		}
	}
	w, err := record.Create(path)
	if err != nil {
		return nil, config.UsageOfArgument(err)
	}
	return w, nil
}
