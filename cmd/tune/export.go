package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/atomicfile"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/weights"
)

// exportOptions are the options of `tune export`.
type exportOptions struct {
	config.Common
	runsOption
	Format string
	Games  string // format of games, "": weights
	Output string // "": stdout
}

func (o *exportOptions) Declare(d *config.Declaration) {
	d.Group("What is written")
	config.Var(d, &o.Format, "format", "json", config.OneOf(runfolder.ExportFormats()...), "form of the output", config.FlagOnly)
	config.Var(d, &o.Games, "games", "", config.Optional(config.OneOf("psq", "sgf", "jsonl")), "write a run's games; -o is a folder for psq, which has one game a file", config.FlagOnly)
	config.Var(d, &o.Output, "output", "", config.Text("FILE"), "where to write; without it stdout", config.FlagOnly, config.Short("o"))
	o.runsOption.Declare(d)
}

func exportCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "export RUN|FILE",
		Short: "Write weights as JSON, CSV, Markdown or Go; a run as a checkpoint, or its games",
		Long: `Writes the weights of a file or a preset, the values of a values file, or what a run recommends: its result, or before its end the last champion that
passed a gate, else the current one. For a run --format json is a checkpoint instead: a small file without games, from which
"tune resume" goes on, also on another machine; its weights as a file are candidate.json in its folder. --games writes the games of a run.`,
		Example: `  tune export weights.json --format markdown -o weights.md
  tune export huang --format json -o huang.json
  tune export r-huang-1-0123abcd --format json -o checkpoint.json
  tune export r-huang-1-0123abcd --games sgf -o games.sgf`,
		Args: cobra.ExactArgs(1),
	}, &exportOptions{}, export)
}

func export(cmd *cobra.Command, o *exportOptions, args []string) error {
	check := func() error { return checkOutput("output", o.Output) }
	if o.Games == record.PSQ.String() { // whose games go to a folder, which may be new
		check = func() error { return checkFile(o.Output) }
	}
	if err := check(); err != nil {
		return err
	}
	if o.Games != "" {
		return exportGames(cmd, o, args[0])
	}
	result := exportResult{Name: args[0], Format: o.Format, Output: o.Output, runs: &o.runsOption}
	data, err := exported(o, args[0], &result)
	if err != nil {
		return err
	}
	if o.Format != "json" && !isRun(args[0]) {
		if err := checkInput(args[0], o.Output, "the weights file"); err != nil {
			return err
		}
	}
	kept := keptBy(o.Output)
	if o.Output != "" || !o.JSON {
		if err := writeOutput(cmd, o.Output, whole(data)); err != nil {
			return err
		}
	}
	if result.Output == "" {
		result.Text = string(data)
	}
	told := ""
	if result.Output != "" {
		told = fmt.Sprintf("%s was written to %s%s.\n", result.Name, result.Output, kept) + result.next()
	}
	return show(cmd, &o.Common, told, result)
}

// next returns the command that follows after weights or a checkpoint were written to a file.
func (r *exportResult) next() string {
	switch {
	case r.Format == "json" && r.set == nil:
		return next("goes on with the run, or writes the result of a finished one, also on another machine",
			r.runs.withRuns(withEngine(r.engine, "tune", "resume", r.Output)...)...)
	case r.Format == "json" && player.IsFile(r.Output):
		return next("measures them", measureSet(r.Output, r.set)...)
	case r.Format == "csv" && r.set != nil:
		return next("makes a weights file of the table", append([]string{"tune", "import", r.Output, "-o", newFile(strings.TrimSuffix(r.Output, ".csv"), ".json")},
			on(r.set.Rule.String(), r.set.Size)...)...)
	}
	return ""
}

// exported returns what is to be written, and names it in the result.
func exported(o *exportOptions, argument string, result *exportResult) (data []byte, err error) {
	if isRun(argument) && result.Format == "json" {
		err = readRuns(o.Runs, func(runs *runfolder.Runs) (err error) {
			s, err := runs.Load(argument)
			if err != nil {
				return err
			}
			result.engine = s.Record.Engine
			data, err = runs.Checkpoint(s)
			return err
		})
		return data, err
	}
	best, err := recommended(o.Runs, argument)
	if err != nil {
		return nil, err
	}
	switch values := best.Values; {
	case values != nil && result.Format == "go":
		return nil, config.Usagef("format: go is for weights, and %s has the values of an engine", argument)
	case values != nil:
		result.Name = values.Name
		return runfolder.ExportValues(values, result.Format)
	}
	result.Name, result.set = best.Set.Name, best.Set
	return runfolder.Export(best.Set, result.Format)
}

// exportResult is what `tune export --json` prints.
type exportResult struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Output string `json:"output"`
	Text   string `json:"text,omitempty"` // content, where it is not written to a file
	Games  int    `json:"games,omitempty"`

	set    *weights.Set // exported weights; nil: a checkpoint, values of an engine, or games
	engine string       // engine file of the run of a checkpoint
	runs   *runsOption
}

// exportGames writes the games of a run.
func exportGames(cmd *cobra.Command, o *exportOptions, name string) error {
	if !isRun(name) {
		return config.Usagef("games: %s is not a run", name)
	}
	if o.IsSet(&o.Format) {
		return config.Usagef("format is that of weights, and --games is given")
	}
	result := exportResult{Name: name, Format: o.Games, Output: o.Output}
	switch {
	case result.Output != "":
	case o.JSON:
		return config.Usagef("games: -o is needed with --json, which goes to stdout")
	case !slices.Contains([]string{"sgf", "jsonl"}, result.Format):
		return config.Usagef("games: -o is needed for %s", result.Format)
	}
	out, err := gamesTo(cmd.OutOrStdout(), result.Format, result.Output)
	if err != nil {
		return err
	}
	err = readRuns(o.Runs, func(runs *runfolder.Runs) error {
		return runs.Games(name, func(g *record.Game, key store.Key) error {
			result.Games++
			return out.AddAs(key.String(), g)
		})
	})
	if err != nil {
		return errors.Join(err, out.Discard())
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if result.Output == "" {
		return nil
	}
	told := fmt.Sprintf("%s of %s written to %s.\n", text.Plural(result.Games, "game"), name, result.Output) +
		next("shows the figures of the run", o.withRuns("tune", "show", name)...)
	return show(cmd, &o.Common, told, result)
}

// gamesTo returns a writer of games to out, or to the path where that is not empty. The path must not have the ending of another format.
func gamesTo(out io.Writer, format, path string) (*record.Writer, error) {
	f, err := record.ParseFormat(format)
	named, known := record.FormatOf(path)
	switch {
	case err != nil:
		return nil, err
	case known && f == record.PSQ:
		return nil, config.Usagef("output: %s has the ending of a file, and psq games go to a folder", path)
	case known && named != f:
		return nil, config.Usagef("output: the ending of %s is that of %v, and --games is %v", path, named, f)
	case f == record.PSQ:
		w, err := record.CreateFolder(path)
		return w, config.UsageOfArgument(err)
	case path == "":
		return record.Stream(out, f), nil
	}
	return record.Replace(path, f)
}

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
	if err := checkOutput("output", o.Output); err != nil {
		return err
	}
	table, err := atomicfile.Read(args[0], weights.MaxFile)
	if err != nil {
		return err
	}
	if err := checkInput(args[0], o.Output, "the table"); err != nil {
		return err
	}
	if err := weights.CheckName(o.Name); err != nil {
		return config.Usage(err)
	}
	set := weights.New(o.Name, o.Rule, o.Size)
	if err := runfolder.ImportCSV(set, bytes.NewReader(table), args[0]); err != nil {
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
	kept := keptBy(result.Output)
	if err := writeOutput(cmd, result.Output, whole(data)); err != nil {
		return err
	}
	told := ""
	if result.Output != "" {
		told = fmt.Sprintf("%s was written to %s%s.\n", result.Name, result.Output, kept)
		if player.IsFile(result.Output) {
			told += next("measures it", measureSet(result.Output, set)...)
		}
	}
	return show(cmd, &o.Common, told, result)
}
