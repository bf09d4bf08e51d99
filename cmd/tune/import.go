package main

import (
	"bytes"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/tuner"
	"quintune/weights"
)

func importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE.csv",
		Short: "Make a weights file from a table of name and value",
		Long: `Reads what "tune export --format csv" writes, perhaps after a spreadsheet: a first line "name,value", then every weight once. Missing,
unknown and repeated names and values out of range are refused by name.`,
		Example: "  tune import weights.csv -o weights.json --name mine",
		Args:    cobra.ExactArgs(1),
		RunE:    config.Loaded(importWeights),
	}
	config.Declare(cmd, "tune import")
	return cmd
}

// importResult is what `tune import --json` prints.
type importResult struct {
	Name   string `json:"name"`
	Output string `json:"output"`
	Text   string `json:"text,omitempty"` // where there is no file
}

func importWeights(cmd *cobra.Command, v *config.Values, args []string) error {
	table, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	set := weights.New(v.String("name"), v.Rule("rule"), v.Int("size"))
	if err := tuner.ImportCSV(set, bytes.NewReader(table), args[0]); err != nil {
		return err
	}
	data, err := weights.Marshal(set)
	if err != nil {
		return err
	}
	result := importResult{Name: set.Name, Output: v.String("output")}
	if result.Output == "" && v.Bool("json") {
		result.Text = string(data)
		return show(cmd, v, "", result)
	}
	err = writeOutput(cmd, result.Output, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return show(cmd, v, "", result)
}
