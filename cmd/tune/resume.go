package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/tuner"
	"quintune/selfplay"
)

func resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "resume [RUN]",
		Short:   "Go on with an interrupted run, by default the latest",
		Example: "  tune resume\n  tune resume r-huang-1-0123abcd --budget 2h",
		Args:    cobra.MaximumNArgs(1),
		RunE:    config.Loaded(resumeRun),
	}
	config.Declare(cmd, "tune resume")
	return cmd
}

func resumeRun(cmd *cobra.Command, v *config.Values, args []string) (err error) {
	name, err := runName(v.String("runs"), args)
	if err != nil {
		return err
	}
	// The lock comes first: what is read then is what the last process left.
	lock, err := tuner.LockRun(v.String("runs"), name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	folder, record, state, err := tuner.OpenFolder(v.String("runs"), name)
	if err != nil {
		return err
	}
	if err := record.Check(); err != nil {
		return err
	}
	if v.IsSet("out") {
		record.Out = v.String("out")
	}
	if err := checkOut(record.Out); err != nil {
		return err
	}
	c, err := record.Spec.Config(bench.Signature())
	if err != nil {
		return err
	}
	if err := allowed(v, false, c.Outsiders()); err != nil {
		return err
	}
	pool := selfplay.NewPool(v.Int("workers"))
	if v.IsSet("budget") {
		if c, err = extend(cmd.Context(), v, c, state, pool); err != nil {
			return err
		}
	}
	r, err := tuner.Restore(c, state)
	if err != nil {
		return err
	}
	if record.Spec, err = c.Spec(); err != nil {
		return err
	}
	if err := folder.SaveRecord(record); err != nil {
		return err
	}
	d := newDisplay(cmd, v)
	d.begin(c, r)
	return playRun(cmd, v, &playing{run: r, config: c, folder: folder, out: record.Out, pool: pool, display: d, deadline: deadlineOf(v, time.Now())})
}

// extend gives the run the budget of --budget in place of its own.
func extend(ctx context.Context, v *config.Values, c *tuner.Config, state tuner.State, pool *selfplay.Pool) (*tuner.Config, error) {
	budget, err := games(ctx, v.Budget("budget"), c, pool)
	if err != nil {
		return nil, err
	}
	if budget <= c.Budget {
		return nil, config.Usagef("budget is %d games, not above the run's own %d", budget, c.Budget)
	}
	return c.Extend(state, budget)
}

// runName returns the run that is named, or else the latest.
func runName(runs string, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	return tuner.LatestRun(runs)
}

// storedRun opens the named run, by default the latest.
func storedRun(v *config.Values, args []string) (name string, record tuner.Record, state tuner.State, err error) {
	if name, err = runName(v.String("runs"), args); err == nil {
		_, record, state, err = tuner.OpenFolder(v.String("runs"), name)
	}
	return name, record, state, err
}
