package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/journal"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/selfplay"
)

// sensitivityOptions are the options of `tune sensitivity`.
type sensitivityOptions struct {
	config.Common
	runsOption
	Budget  config.Budget
	Workers int
	Engine  string // "": the run tunes weights
}

func (o *sensitivityOptions) Declare(d *config.Declaration) {
	o.runsOption.Declare(d)
	d.Group("The matches")
	config.Var(d, &o.Budget, "budget", "2000games", config.GamesOrTime(run.MinBudget, run.MaxBudget), "games of all matches, or how long they take", config.FlagOnly)
	declareWorkers(d, &o.Workers, 1, "")
	config.Var(d, &o.Engine, "engine", "", config.Text("FILE"), "engine file of a run that tunes an engine from outside", config.FlagOnly)
}

func sensitivityCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "sensitivity [RUN]",
		Short: "Show which weights mattered in a run, by default of the latest",
		Long: `Lists the tuned weights by how far their genes moved, with the spread of each over the champions of the last
check matches. A gene spans -1 to 1. Where a class is worth at least the one below, its gene is the step over that: set back, it takes the
classes above along. Then the command plays matches: the run's weights against the same with a whole group of weights set back to the start, and then with one
of the greatest changes set back. The Elo of a match, with its interval, is what the change is worth; an interval that holds 0 does not show
that it is worth anything. The openings are such as the evolution has not used, the same for all; --budget is what all matches have together.

Finished pairs are kept in the database of --runs: after an interruption the same command goes on with what is
left. The result is kept in the run's folder, for reports, until the run goes on.`,
		Example: "  tune sensitivity\n  tune sensitivity r-huang-1-0123abcd --budget 4000games",
		Args:    cobra.MaximumNArgs(1),
	}, &sensitivityOptions{}, sensitivity)
}

func sensitivity(cmd *cobra.Command, o *sensitivityOptions, args []string) error {
	return readRuns(o.Runs, func(runs *runfolder.Runs) (err error) {
		name, err := runNamed(runs, args, false)
		if err != nil {
			return err
		}
		s, err := runs.Load(name)
		if err != nil {
			return err
		}
		path, err := engineFile(o.Engine, false, "", name, &s.Record)
		if err != nil {
			return err
		}
		outside, err := openOutside(path, o.Workers)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, outside.close()) }()
		c, err := tuner.Open(&s.Record.Spec, bench.Signature(), outside.tuned)
		if err != nil {
			return err
		}
		r, err := tuner.Restore(c, s.State)
		if err != nil {
			return err
		}
		if err := r.CheckSensitivity(); err != nil {
			return err
		}
		asked := &journal.Sensitivity{Of: &s.Row.Summary, Time: o.Budget.Time, Engine: bench.Signature(), Commit: config.Commit()}
		if asked.Games, err = asked.StoredGames(runs.DB()); err != nil {
			return err
		}
		d := newDisplay(cmd, &o.Common)
		if asked.Games == 0 {
			if asked.Games, err = games(cmd.Context(), o.Budget, c, &executor{pool: selfplay.NewPool(o.Workers)}, d.log, tuner.MatchGamesIn); err != nil {
				return err
			}
		}
		result, err := measureCosts(cmd.Context(), o, r, asked, d)
		if err != nil {
			return err
		}
		result.Steps = s.Row.Steps
		if err := runs.SaveSensitivity(name, result); err != nil {
			return err
		}
		return show(cmd, &o.Common, sensitivityText(name, result)+sensitivityEnd(cmd, o, args, name, result), result)
	})
}

// measureCosts measures the cost of setting changes back. Finished pairs are stored.
func measureCosts(ctx context.Context, o *sensitivityOptions, r *tuner.Run, asked *journal.Sensitivity, d *display) (*run.Sensitivity, error) {
	kept, err := journal.OpenSensitivity(o.Runs, asked)
	if err != nil {
		return nil, err
	}
	if stored := kept.Session().Run().Open / 2; stored > 0 && stored < asked.Games/2 {
		d.log.Info(fmt.Sprintf("continues at pair %d of %d", stored+1, asked.Games/2), "state", kept.Path())
	}
	result, err := r.Sensitivity(ctx, kept.Runner(selfplay.NewPool(o.Workers), nil), asked.Games, d.ablation())
	d.end()
	if err == nil && result.Games > 0 {
		err = kept.Session().Finish()
	}
	err = errors.Join(err, kept.End(err))
	if errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("%w: finished pairs are kept in %s, and the same command goes on", config.ErrInterrupted, kept.Path())
	}
	return result, err
}

// sensitivityEnd returns the last lines for people: what was found, and the next command.
func sensitivityEnd(cmd *cobra.Command, o *sensitivityOptions, args []string, name string, s *run.Sensitivity) string {
	report := next("shows it beside curves and verdicts", o.withRuns("tune", "report", name, "-o", name+".html")...)
	found := "No match was played: --budget is too small.\n"
	changed := 0
	for _, c := range s.Changes {
		if c.Start != c.Tuned {
			changed++
		}
	}
	if changed == 0 {
		found = "No match was played: no weight has changed yet.\n"
	}
	best, played, insignificant, unclear := s.Greatest()
	switch {
	case played == 0:
		return found + report
	case best != nil:
		found = fmt.Sprintf("The greatest cost that is shown is that of %s: %s in %s. The greatest of several is exaggerated, most where games are few.\n", strings.TrimPrefix(best.B, "without "),
			text.Elo(best.Elo, best.EloLow, best.EloHigh), text.Plural(best.Games, "game"))
	case insignificant > 0:
		found = fmt.Sprintf("No single change is shown to be worth anything: one of %s may miss 0 by chance.\n", text.Plural(played, "interval"))
	default:
		found = "No single change is shown to be worth anything.\n"
	}
	if unclear == 0 {
		return found + report
	}
	found += fmt.Sprintf("%d of %d intervals of single weights hold 0 or rest on too few pairs: there the games do not tell a gain from none.\n", unclear, played)
	if s.UsedUp {
		return found + "The matches have used all openings that the evolution left and cannot be longer: a longer --budget adds matches of other weights alone, where there are any.\n" + report
	}
	more := append(config.Repeat(cmd, args, "budget"), "--budget", fmt.Sprintf("%dgames", 4*s.Games))
	gain := "narrows the intervals to about half"
	if played < min(changed, tuner.MostAblations) || slices.ContainsFunc(s.Groups, func(g run.GroupChange) bool { return g.Cost == nil }) {
		gain = "measures more of the changes" // a longer budget has more matches before it has longer ones
	}
	return found + next(gain, more...)
}

// outdated returns the sentence that the sensitivity of a run is not shown, since the run has gone on, and how to measure it again.
func (o *runsOption) outdated(name string, record *run.Record) string {
	anew := withEngine(record.Engine, "tune", "sensitivity", name)
	return fmt.Sprintf("The sensitivity is not shown: the run has gone on since. `%s` measures it again.", text.CommandLine(o.withRuns(anew...)...))
}

// ablation returns a function that shows the progress of the match for a change.
func (d *display) ablation() func(string, match.Tally) {
	return func(name string, t match.Tally) {
		d.drawSometimes(false, func() string {
			elo := t.Pairs.Elo()
			return fmt.Sprintf("%s: %s in %s", name, text.Elo(elo.Elo, elo.Low, elo.High), text.Plural(t.Pairs.Pairs(), "pair"))
		})
	}
}

// mostShown is the number of changes without a match that are shown to people.
const mostShown = 20

// costCells returns the columns of the Elo lost by setting a change back; nil: not measured.
func costCells(r *match.Report) []string {
	if r == nil {
		return []string{"-", ""}
	}
	return []string{text.EloCell(r.Elo, r.EloLow, r.EloHigh), strconv.FormatInt(r.Pairs, 10)}
}

// sensitivityText returns, for people, which weights mattered.
func sensitivityText(name string, s *run.Sensitivity) string {
	rows := [][]string{{"weight", "start", "tuned", "gene", "spread", "cost of setting it back", "pairs"}}
	for _, g := range s.Groups {
		if g.Cost != nil {
			rows = append(rows, append([]string{fmt.Sprintf("group %s, %s", g.Name, text.Plural(g.Weights, "weight")), "", "", "", ""}, costCells(g.Cost)...))
		}
	}
	for i, c := range s.Changes {
		if i >= mostShown && c.Cost == nil {
			break
		}
		spread := "-"
		if c.Spread != nil {
			spread = fmt.Sprintf("%.3f", *c.Spread)
		}
		rows = append(rows, append([]string{
			c.Name, fmt.Sprintf("%.6g", c.Start), fmt.Sprintf("%.6g", c.Tuned), fmt.Sprintf("%+.3f", c.Change), spread,
		}, costCells(c.Cost)...))
	}
	return fmt.Sprintf("run %s, %d games for the costs; a cost is what the change is worth in Elo. An interval that holds 0\n"+
		"or rests on fewer than %d pairs does not show that it is worth anything.\n", name, s.Games, stats.FewestPairs) +
		text.Table(rows, func(column int) bool { return column == 0 || column == 5 })
}
