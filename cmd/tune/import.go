package main

import (
	"bytes"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/tuner"
	"quintune/pattern"
	"quintune/weights"
)

// importOptions are the options of `tune import`.
type importOptions struct {
	config.Common
	Name   string
	Rule   pattern.Rule
	Size   int
	Output string // "": stdout
}

func (o *importOptions) Declare(d *config.Declaration) {
	d.Group("The weights file")
	config.Var(d, &o.Name, "name", "imported", config.Text("NAME"), "name of the set", config.FlagOnly)
	config.Var(d, &o.Rule, "rule", "freestyle", config.Rule(), "rule that the weights are for", config.FlagOnly)
	config.Var(d, &o.Size, "size", "15", config.Size(), "cells on a side of the board that the weights are for", config.FlagOnly)
	config.Var(d, &o.Output, "output", "", config.Text("FILE"), "where to write; without it stdout", config.FlagOnly, config.Short("o"))
}

func importCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "import FILE.csv",
		Short: "Make a weights file from a table of name and value",
		Long: `Reads what "tune export --format csv" writes, perhaps after a spreadsheet: a first line "name,value", then every weight once. Missing,
unknown and repeated names and values out of range are refused by name.`,
		Example: "  tune import weights.csv -o weights.json --name mine",
		Args:    cobra.ExactArgs(1),
	}, &importOptions{}, importWeights)
}

// importResult is what `tune import --json` prints.
type importResult struct {
	Name   string `json:"name"`
	Output string `json:"output"`
	Text   string `json:"text,omitempty"` // where there is no file
}

func importWeights(cmd *cobra.Command, o *importOptions, args []string) error {
	table, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	set := weights.New(o.Name, o.Rule, o.Size)
	if err := tuner.ImportCSV(set, bytes.NewReader(table), args[0]); err != nil {
		return err
	}
	data, err := weights.Marshal(set)
	if err != nil {
		return err
	}
	result := importResult{Name: set.Name, Output: o.Output}
	if result.Output == "" && o.JSON {
		result.Text = string(data)
		return show(cmd, &o.Common, "", result)
	}
	err = writeOutput(cmd, result.Output, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return show(cmd, &o.Common, "", result)
}
