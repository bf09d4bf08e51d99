package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/report"
	"quintune/internal/tuner"
)

func reportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "report [RUN]",
		Short:   "Draw the curve of a run, by default the latest",
		Long:    "Draws the strength of a run against its start by games, with 95 % intervals: curve.svg and curve.png.",
		Example: "  tune report --png pictures\n  tune report r-huang-1-0123abcd --png pictures",
		Args:    cobra.MaximumNArgs(1),
		RunE:    config.Loaded(reportRun),
	}
	config.Declare(cmd, "tune report")
	return cmd
}

// reported is what `tune report --json` prints.
type reported struct {
	Name     string   `json:"name"`
	Pictures []string `json:"pictures"`
}

func reportRun(cmd *cobra.Command, v *config.Values, args []string) error {
	name, record, state, err := storedRun(v, args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(v.String("png"), 0o777); err != nil {
		return fmt.Errorf("png: %w", err)
	}
	result := reported{Name: name}
	curve := curveOf(name, record, state)
	for _, format := range report.Formats() {
		path := filepath.Join(v.String("png"), "curve."+format)
		picture, err := curve.Render(format)
		if err != nil {
			return err
		}
		err = writeOutput(cmd, path, func(w io.Writer) error {
			_, err := w.Write(picture)
			return err
		})
		if err != nil {
			return err
		}
		result.Pictures = append(result.Pictures, path)
	}
	return show(cmd, v, fmt.Sprintf("%s\n%s\n", result.Pictures[0], result.Pictures[1]), result)
}

// curveOf returns the checks and the validation of a run as a curve.
func curveOf(name string, record tuner.Record, state tuner.State) *report.Curve {
	spec := &record.Spec
	c := &report.Curve{Title: fmt.Sprintf("%s: from %s, %s %d×%d, %d nodes a move", name, spec.StartName, spec.Rule, spec.Size, spec.Size, spec.Nodes)}
	for _, check := range state.Checks {
		elo := check.Pairs.Elo()
		c.Checks = append(c.Checks, report.Point{Games: check.Games, Elo: elo.Elo, Low: elo.Low, High: elo.High})
	}
	if val := state.Validation; val != nil {
		c.Validated = &report.Point{Games: state.Evolution, Elo: val.Elo, Low: val.EloLow, High: val.EloHigh}
	}
	return c
}
