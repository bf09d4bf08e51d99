package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/tuner"
)

func resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume [RUN|CHECKPOINT]",
		Short: "Go on with an interrupted run, by default the latest unfinished one",
		Long: `Goes on with a run as if it had never been stopped: finished pairs are not played again, and the result is the same, byte for
byte. A checkpoint (a .json file of "tune export RUN") goes on with a run of another machine.

A run of another engine, other weights or another processor architecture is refused; --fork begins a new run from its champion.`,
		Example: `  tune resume
  tune resume r-huang-1-0123abcd --budget 2h
  tune resume checkpoint.json
  tune resume r-huang-1-0123abcd --fork`,
		Args: cobra.MaximumNArgs(1),
		RunE: config.Loaded(resumeRun),
	}
	config.Declare(cmd, "tune resume")
	return cmd
}

func resumeRun(cmd *cobra.Command, v *config.Values, args []string) error {
	outliveTerminal()
	return changeRuns(v, func(runs *tuner.Runs) error {
		if v.Bool("fork") {
			return forkRun(cmd, v, runs, args)
		}
		folder, record, state, err := held(v, runs, args)
		if err != nil {
			return err
		}
		return errors.Join(playHeld(cmd, v, runs, folder, record, state), folder.Release())
	})
}

// held takes the run that is named, or that of a checkpoint, or the latest unfinished one. What is read after is what the
// last process left.
func held(v *config.Values, runs *tuner.Runs, args []string) (*tuner.Folder, tuner.Record, tuner.State, error) {
	if len(args) > 0 && isFile(args[0]) {
		return heldCheckpoint(runs, args[0], v.String("name"))
	}
	name, err := unfinished(runs, args)
	if err == nil && v.String("name") != "" {
		err = config.Usagef("name: only --fork and a checkpoint make a run")
	}
	if err == nil {
		err = runs.Check()
	}
	if err != nil {
		return nil, tuner.Record{}, tuner.State{}, err
	}
	return runs.Hold(name)
}

// heldCheckpoint adds the run of a checkpoint, under another name where that is not empty.
func heldCheckpoint(runs *tuner.Runs, path, name string) (*tuner.Folder, tuner.Record, tuner.State, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, tuner.Record{}, tuner.State{}, err
	}
	folder, record, state, err := runs.Import(data, name)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, taken("RUN", err))
	}
	return folder, record, state, err
}

// unfinished returns the run that is named, or else the latest unfinished one.
func unfinished(runs *tuner.Runs, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	return runs.Latest(true)
}

// playHeld plays what is left of a run.
func playHeld(cmd *cobra.Command, v *config.Values, runs *tuner.Runs, folder *tuner.Folder, record tuner.Record, state tuner.State) error {
	c, err := record.Spec.Config(bench.Signature())
	if err == nil {
		err = record.Check()
	}
	var other *tuner.Mismatch
	if errors.As(err, &other) {
		return fmt.Errorf("run %s is not resumed: %w; `tune resume %s --fork` begins a new run from its champion", folder.Name(), err, folder.Name())
	}
	if err != nil {
		return err
	}
	if v.IsSet("out") {
		record.Out = v.String("out")
	}
	if err := checkOut(record.Out); err != nil {
		return err
	}
	if err := allowed(v, false, c.Outsiders()); err != nil {
		return err
	}
	past, err := pastOf(runs, folder.Name())
	if err != nil {
		return err
	}
	p := &playing{config: c, folder: folder, out: record.Out, state: state, past: past}
	return p.staged(cmd, v, func() error { return p.goOn(cmd, v, runs, record) })
}

// goOn plays the run from its stored state.
func (p *playing) goOn(cmd *cobra.Command, v *config.Values, runs *tuner.Runs, record tuner.Record) (err error) {
	if v.IsSet("budget") {
		if p.config, err = p.extended(cmd.Context(), v); err != nil {
			return err
		}
	}
	if p.run, err = tuner.Restore(p.config, p.state); err != nil {
		return err
	}
	if record.Spec, err = p.config.Spec(); err != nil {
		return err
	}
	if err := p.folder.Resume(runs, record); err != nil {
		return err
	}
	p.display.begin(p.config, p.run, p.folder.Name())
	return playRun(cmd, v, p)
}

// extended returns the run's configuration with the budget of --budget in place of its own.
func (p *playing) extended(ctx context.Context, v *config.Values) (*tuner.Config, error) {
	budget, err := games(ctx, v.Budget("budget"), p.config, p.crew)
	if err != nil {
		return nil, err
	}
	if budget <= p.config.Budget {
		return nil, config.Usagef("budget is %d games, not above the run's own %d", budget, p.config.Budget)
	}
	return p.config.Extend(p.state, budget)
}

// forkRun begins a new run from the champion of another one, with the budget that is left of that, or --budget.
func forkRun(cmd *cobra.Command, v *config.Values, runs *tuner.Runs, args []string) error {
	name, err := forked(runs, args)
	if err != nil {
		return err
	}
	_, old, _, err := runs.Load(name)
	if err != nil {
		return err
	}
	c, parent, err := runs.Fork(name, bench.Signature())
	if err != nil {
		return err
	}
	if err := allowed(v, false, c.Outsiders()); err != nil {
		return err
	}
	p := &playing{config: c, out: old.Out}
	if v.IsSet("out") {
		p.out = v.String("out")
	}
	if err := checkOut(p.out); err != nil {
		return err
	}
	return p.staged(cmd, v, func() error { return p.fork(cmd, v, runs, name, parent) })
}

// fork plays a new run that comes from the one of the name; parent is what the record says of that.
func (p *playing) fork(cmd *cobra.Command, v *config.Values, runs *tuner.Runs, name, parent string) (err error) {
	if v.IsSet("budget") {
		if p.config.Budget, err = games(cmd.Context(), v.Budget("budget"), p.config, p.crew); err != nil {
			return err
		}
	}
	if p.run, err = tuner.New(p.config); err != nil {
		return err
	}
	record, err := newRecord(p.config, p.out)
	if err != nil {
		return err
	}
	record.Parent = parent
	if p.folder, err = createRun(runs, v.String("name"), fmt.Sprintf("%.90s-fork", name), record); err != nil {
		return err
	}
	p.display.log.Info("forked", "run", p.folder.Name(), "from", parent, "start", p.config.StartName)
	p.display.begin(p.config, p.run, p.folder.Name())
	return errors.Join(playRun(cmd, v, p), p.folder.Release())
}

// forked returns the name of the run that is forked, which a checkpoint adds first.
func forked(runs *tuner.Runs, args []string) (string, error) {
	if len(args) == 0 || !isFile(args[0]) {
		return unfinished(runs, args)
	}
	folder, _, _, err := heldCheckpoint(runs, args[0], "")
	if err != nil {
		return "", err
	}
	return folder.Name(), folder.Release()
}
