package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/internal/tuner"
)

// gateOptions are the options of `tune gate`.
type gateOptions struct {
	matchOptions
	SPRT config.Bounds // zero: the bounds of a gate
}

func (o *gateOptions) Declare(d *config.Declaration) {
	o.declare(d, "opening list, all of which may be played; without it the gates' part of the embedded ones", matchNodes)
	config.Var(d, &o.Pairs, "pairs", "", config.Optional(config.Whole(1, maxPairs)), fmt.Sprintf("most pairs of games; without it %d, or one for each opening if there are fewer", mostGatePairs))
	config.Var(d, &o.SPRT, "sprt", "", config.Optional(config.NEloBounds()), "bounds of the test in normalised Elo; without it 0,10")
	o.runsOption.Declare(d)
}

func gateCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "gate A B",
		Short: "Test whether A is better than B, by a sequential test",
		Long: fmt.Sprintf(`Plays pairs on gate openings until the test of normalised Elo 0 against 10 (α = β = 0.05) ends, or --pairs are played.
It takes at least %d pairs to pass, all of them won, and some thousands where A is a little better. A gate that is not
passed is a verdict, not a failure.

`+keptHelp, match.LeastPairs(match.GateTest(1, 0))),
		Example: "  tune gate candidate.json weights.json --pairs 5000",
		Args:    cobra.ExactArgs(2),
	}, &gateOptions{}, gate)
}

// mostGatePairs is the cap of a gate without --pairs: that of the gates of runs.
const mostGatePairs = tuner.MostGateGames / 2

func gate(cmd *cobra.Command, o *gateOptions, args []string) error {
	m, err := newMatch(&o.matchOptions, args[0], args[1])
	if err != nil {
		return err
	}
	d := newDisplay(cmd, &o.Common)
	b, err := o.draw(cmd.Context(), d, m, book.Gate, "gate")
	if err != nil {
		return err
	}
	sprt := match.GateTest(1, 0)
	if o.SPRT != (config.Bounds{}) {
		sprt.NElo0, sprt.NElo1 = o.SPRT.Low, o.SPRT.High
	}
	return playGate(&o.matchOptions, newPlayed(cmd, args, m, b), sprt, d)
}

// testReport is a sequential test as --json prints it.
type testReport struct {
	match.GateReport
	Result string `json:"result"` // verdict in words for people, see match.GateReport.Plain
}

// judged returns a report with its verdict for people; nil stays nil.
func judged(g *match.GateReport) *testReport {
	if g == nil {
		return nil
	}
	return &testReport{*g, g.Plain()}
}

// playGate plays a sequential test and shows its result.
func playGate(o *matchOptions, p *played, sprt stats.SPRT, d *display) error {
	report, stopped, err := playTest(o, p, sprt, d, d.test(p.match))
	if err != nil {
		return err
	}
	result := judged(&report)
	return errors.Join(show(p.cmd, &o.Common, testText(result)+p.afterTestText(&report, stopped), result), stopped)
}

// playTest plays a sequential test. watch is called after each pair. stopped is the error of an interrupted test that has figures to
// show; err is any other error.
func playTest(o *matchOptions, p *played, sprt stats.SPRT, d *display, watch func(match.Tally, *stats.Test)) (report match.GateReport, stopped, err error) {
	if err := sprt.Validate(); err != nil {
		return report, nil, config.Usage(err)
	}
	d.warnOfTest(p.match, sprt)
	k, err := keepMatch(o, p.match, sprt, d)
	if err != nil {
		return report, nil, err
	}
	report, err = p.match.Gate(p.cmd.Context(), k, sprt, watch)
	stopped, err = k.end(err, report.Pairs+report.Void)
	return report, stopped, err
}

// warnOfTest warns of a test with too few pairs to be passed. Between equal players no pair is played.
func (d *display) warnOfTest(m *match.Match, sprt stats.SPRT) {
	if !m.Same() && !match.Passable(sprt, int64(len(m.Openings))) {
		d.log.Warn("the test cannot be passed: it needs more pairs even if all are won", "pairs", len(m.Openings))
	}
}

// testText returns the result of a sequential test for people.
func testText(r *testReport) string {
	return matchText(&r.Report) + fmt.Sprintf("%s: LLR %s of [%.2f, %.2f] for nElo %v against %v\n", r.Result, text.Hundredths(r.LLR), r.Lower, r.Upper, r.NElo0, r.NElo1)
}

// afterTestText returns the last lines of that text: what was found, and the next command.
func (p *played) afterTestText(g *match.GateReport, stopped error) string {
	if stopped != nil {
		return p.again()
	}
	return g.Conclusion() + "\n" + p.afterTest(g)
}

// test returns a function that shows the progress of a sequential test.
func (d *display) test(m *match.Match) func(match.Tally, *stats.Test) {
	faults := d.faults(m)
	return func(t match.Tally, test *stats.Test) {
		faults(&t)
		lower, upper := test.SPRT().Bounds()
		d.drawSometimes(test.Verdict() != stats.Continue, func() string {
			return bar(float64(t.Pairs.Pairs())/float64(len(m.Openings))) +
				fmt.Sprintf(" +%d =%d -%d, LLR %s [%.2f, %.2f]", t.Wins, t.Draws, t.Losses, text.Hundredths(test.LLR()), lower, upper)
		})
	}
}
