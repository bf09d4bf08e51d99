package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quintune/internal/atomicfile"
	"quintune/internal/bench"
	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/fit"
	"quintune/internal/tuner"
)

func runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Evolve weights by self-play, gate the champion and validate it",
		Long: `Evolves the weights of --start for --budget, which holds everything: evolution, the gate that the champion must
pass, and the validations that measure what was gained, on openings made for this run. Only a champion that passed
its gate replaces --out; the old file stays as .bak. Interrupted runs go on with "tune resume".

A budget in time is turned into games by a short measurement, and that number is stored: --budget Ngames with it
repeats the run. --deadline ends the evolution at a time of the day and goes on with gate and validation; without
--budget the run is planned to be over by then. The log says after how many games it ended: --evolution N together with
the same --budget repeats that.

An anchor is a preset, a weights file, baseline:NAME or gomocup:COMMAND, an engine from outside. Commands that were not
typed on this command line, but stand in a file, a variable or a stored run, need --allow-commands.`,
		Example: `  tune run --budget 10m --start huang --out weights.json
  tune run --deadline 07:00 --anchor zhang --anchor baseline:sjtu-minimax
  tune run --budget 40000games --only line,cell --freeze line.open_two.self`,
		RunE: config.Loaded(startRun),
	}
	config.Declare(cmd, "tune run")
	return cmd
}

func startRun(cmd *cobra.Command, v *config.Values, _ []string) error {
	outliveTerminal()
	if err := checkOut(v.String("out")); err != nil {
		return err
	}
	p := &playing{out: v.String("out")}
	return p.staged(cmd, v, func() error { return p.start(cmd, v) })
}

// start plays a new run.
func (p *playing) start(cmd *cobra.Command, v *config.Values) (err error) {
	if p.config, err = runConfig(cmd.Context(), v, p.display); err != nil {
		return err
	}
	if p.config.Budget, err = games(cmd.Context(), budgetOf(v, p.deadline), p.config, p.crew); err != nil {
		return err
	}
	if p.run, err = tuner.New(p.config); err != nil {
		return err
	}
	record, err := newRecord(p.config, p.out)
	if err != nil {
		return err
	}
	return changeRuns(v, func(runs *tuner.Runs) error {
		if p.folder, err = createRun(runs, v.String("name"), runBase(p.config, record), record); err != nil {
			return err
		}
		p.display.begin(p.config, p.run, p.folder.Name())
		return errors.Join(playRun(cmd, v, p), p.folder.Release())
	})
}

// newRecord returns the record of a run that begins now.
func newRecord(c *tuner.Config, out string) (tuner.Record, error) {
	spec, err := c.Spec()
	if err != nil {
		return tuner.Record{}, err
	}
	return tuner.NewRecord(spec, config.Commit(), out)
}

// checkOut finds out before the games whether there is a place for the result.
func checkOut(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return config.Usagef("out: %s is a folder", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return config.Usagef("out: there is no folder %s", filepath.Dir(path))
	}
	if err := atomicfile.Check(path); err != nil {
		return fmt.Errorf("out: %w", err)
	}
	return nil
}

// leastSearchNodes is the node limit below which games say little about the weights of the search.
const leastSearchNodes = 20_000

// runConfig returns the configuration of a run without its budget.
func runConfig(ctx context.Context, v *config.Values, d *display) (*tuner.Config, error) {
	c := &tuner.Config{
		Rule: v.Rule("rule"), Size: v.Int("size"), Groups: v.Strings("only"), Frozen: v.Strings("freeze"),
		Shares:    tuner.Shares{Peers: v.Float("peers"), Champions: v.Float("champions"), Anchors: v.Float("anchors")},
		Optimizer: v.String("optimizer"), Polish: v.Float("polish"), WarmStart: v.Float("warm-start"),
		Evolution: v.Int("evolution"), OutsideTime: v.Duration("outside-time"),
		Seed: v.Uint64("seed"), Nodes: v.Int64("nodes"), NoGate: v.Bool("no-gate"), Engine: bench.Signature(),
	}
	if !v.IsSet("warm-start") && (c.Optimizer == fit.Method || !fit.Learns(c.Groups)) {
		c.WarmStart = 0
	}
	c.Settings = tuner.DefaultSettings(c.WarmStart > 0)
	var err error
	if c.StartName, c.Start, err = startOf(v.String("start"), c.Rule, c.Size); err != nil {
		return nil, err
	}
	if c.Book, err = bookOf(ctx, v, d, 0); err != nil {
		return nil, err
	}
	if path := v.String("gate-openings"); path != "" {
		if c.GateBook, err = book.Load(path, c.Rule, c.Size); err != nil {
			return nil, err
		}
	}
	c.Anchors, err = anchorsOf(v, c)
	return c, err
}

// games turns a budget into games.
func games(ctx context.Context, b config.Budget, c *tuner.Config, crew *crew) (int, error) {
	switch {
	case b.Games > 0 && (b.Games < tuner.MinBudget || b.Games > tuner.MaxBudget):
		return 0, config.Usagef("budget is %d games, not in [%d, %d]", b.Games, tuner.MinBudget, tuner.MaxBudget)
	case b.Games > 0:
		return int(b.Games), nil
	case b.Generations > 0:
		return tuner.GamesOf(b.Generations, c)
	}
	jobs, err := crew.jobs(ctx)
	if err != nil {
		return 0, err
	}
	return tuner.GamesIn(ctx, b.Time, c, crew.runner(), jobs)
}

// createRun begins the run under its name; without one under the base, with a number where that is taken.
func createRun(runs *tuner.Runs, name, base string, record tuner.Record) (*tuner.Folder, error) {
	if name != "" {
		folder, err := runs.Create(name, record)
		return folder, taken(name, err)
	}
	for {
		free, err := runs.FreeName(base)
		if err != nil {
			return nil, err
		}
		folder, err := runs.Create(free, record)
		if !errors.Is(err, fs.ErrExist) {
			return folder, err // but for one that another process has just taken
		}
	}
}

// taken adds to the error of a name that is taken what to do about it.
func taken(name string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: choose another --name, or go on with `tune resume %s`", err, name)
	}
	return err
}

// runBase names a run after start, seed and id; the first letter makes it a name.
func runBase(c *tuner.Config, record tuner.Record) string {
	return fmt.Sprintf("r-%.58s-%d-%s", tuner.PlainName(c.Start.Name), c.Seed, record.Run[:8])
}
