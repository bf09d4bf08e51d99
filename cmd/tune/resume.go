package main

import (
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
		Example: "  tune resume\n  tune resume r-huang-1-0123abcd --workers 8",
		Args:    cobra.MaximumNArgs(1),
		RunE:    config.Loaded(resumeRun),
	}
	config.Declare(cmd, "tune resume")
	return cmd
}

func resumeRun(cmd *cobra.Command, v *config.Values, args []string) error {
	name, err := runName(v.String("runs"), args)
	if err != nil {
		return err
	}
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
	r, err := tuner.Restore(c, state)
	if err != nil {
		return err
	}
	d := newDisplay(cmd, v)
	d.begin(c, r)
	pool := selfplay.NewPool(v.Int("workers"))
	return playRun(cmd, v, &playing{run: r, config: c, folder: folder, out: record.Out, pool: pool, display: d})
}

// runName returns the run that is named, or else the latest.
func runName(runs string, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	return tuner.LatestRun(runs)
}
