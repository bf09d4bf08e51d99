package main

import (
	"io"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/tuner"
)

func exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "export FILE",
		Short:   "Write weights as JSON, CSV, Markdown or Go",
		Example: "  tune export weights.json --format markdown -o weights.md\n  tune export huang --format json -o huang.json",
		Args:    cobra.ExactArgs(1),
		RunE:    config.Loaded(export),
	}
	config.Declare(cmd, "tune export")
	return cmd
}

func export(cmd *cobra.Command, v *config.Values, args []string) error {
	set, err := player.Weights(args[0])
	if err != nil {
		return err
	}
	data, err := tuner.Export(set, v.String("format"))
	if err != nil {
		return err
	}
	if path := v.String("output"); path != "" || !v.Bool("json") {
		err := writeOutput(cmd, path, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
		if err != nil {
			return err
		}
	}
	result := exportResult{Name: set.Name, Format: v.String("format"), Output: v.String("output")}
	if result.Output == "" {
		result.Text = string(data)
	}
	return show(cmd, v, "", result)
}

// exportResult is what `tune export --json` prints.
type exportResult struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Output string `json:"output"`
	Text   string `json:"text,omitempty"` // where there is no file
}
