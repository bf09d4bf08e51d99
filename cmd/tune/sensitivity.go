package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/runfolder"
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
	config.Var(d, &o.Budget, "budget", "2000games", config.Spending(), "games of all matches, or how long they take", config.FlagOnly)
	declareWorkers(d, &o.Workers, 1, "")
	config.Var(d, &o.Engine, "engine", "", config.Text("FILE"), "engine file of a run that tunes an engine from outside", config.FlagOnly)
}

func sensitivityCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "sensitivity [RUN]",
		Short: "Show which weights mattered in a run, by default of the latest",
		Long: `Lists the tuned weights by how much they changed, with the spread of each in the last population (or over the last
champions), and plays a match for each of the greatest changes: the run's weights against the same with this one change taken
back. The Elo of that match, with its interval, is what the change is worth. The openings are such as the evolution has
not used, the same for all; --budget is what all matches have together.

The result is kept in the run's folder, for reports.`,
		Example: "  tune sensitivity\n  tune sensitivity r-huang-1-0123abcd --budget 4000games",
		Args:    cobra.MaximumNArgs(1),
	}, &sensitivityOptions{}, sensitivity)
}

func sensitivity(cmd *cobra.Command, o *sensitivityOptions, args []string) error {
	return readRuns(o.Runs, func(runs *runfolder.Runs) (err error) {
		name, err := runNamed(runs, args)
		if err != nil {
			return err
		}
		_, record, state, err := runs.Load(name)
		if err != nil {
			return err
		}
		path, err := engineFile(o.Engine, false, name, &record)
		if err != nil {
			return err
		}
		outside, err := openOutside(path, o.Workers)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, outside.close()) }()
		c, err := tuner.ConfigWith(&record.Spec, bench.Signature(), outside.tuned)
		if err != nil {
			return err
		}
		r, err := tuner.Restore(c, state)
		if err != nil {
			return err
		}
		pool := selfplay.NewPool(o.Workers)
		budget, err := games(cmd.Context(), o.Budget, c, &executor{pool: pool})
		if err != nil {
			return err
		}
		d := newDisplay(cmd, &o.Common)
		result, err := r.Sensitivity(cmd.Context(), tuner.Setting{Runner: pool}, budget, d.ablation())
		d.end()
		if err != nil {
			return err
		}
		if err := runs.SaveSensitivity(name, result); err != nil {
			return err
		}
		return show(cmd, &o.Common, sensitivityText(name, result), result)
	})
}

// ablation shows how the match of a change stands.
func (d *display) ablation() func(string, match.Tally) {
	return func(name string, t match.Tally) {
		d.drawSometimes(false, func() string {
			elo := t.Pairs.Elo()
			return fmt.Sprintf("%s: %s in %s", name, text.Elo(elo.Elo, elo.Low, elo.High), text.Plural(t.Pairs.Pairs(), "pair"))
		})
	}
}

// mostShown is how many changes without a match are told to people.
const mostShown = 20

// sensitivityText tells which weights mattered.
func sensitivityText(name string, s *run.Sensitivity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %s, %d games for the costs; a cost is what the change is worth in Elo\n", name, s.Games)
	fmt.Fprintf(&b, "%-36s %8s %8s %8s %8s  %s\n", "weight", "start", "tuned", "change", "spread", "cost of setting it back")
	for i, c := range s.Changes {
		if i >= mostShown && c.Cost == nil {
			break
		}
		spread, cost := "-", "-"
		if c.Spread != nil {
			spread = fmt.Sprintf("%.3f", *c.Spread)
		}
		if c.Cost != nil {
			cost = text.Elo(c.Cost.Elo, c.Cost.EloLow, c.Cost.EloHigh) + " in " + text.Plural(c.Cost.Pairs, "pair")
		}
		fmt.Fprintf(&b, "%-36s %8.6g %8.6g %+8.3f %8s  %s\n", c.Name, c.Start, c.Tuned, c.Change, spread, cost)
	}
	return b.String()
}
