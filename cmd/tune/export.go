package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/text"
	"quintune/internal/tuner"
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
	config.Var(d, &o.Format, "format", "json", config.OneOf("json", "csv", "markdown", "go"), "form of the output", config.FlagOnly)
	config.Var(d, &o.Games, "games", "", config.Optional(config.OneOf("psq", "sgf", "jsonl")), "write a run's games; -o is a folder for psq, which has one game a file", config.FlagOnly)
	config.Var(d, &o.Output, "output", "", config.Text("FILE"), "where to write; without it stdout", config.FlagOnly, config.Short("o"))
	o.runsOption.Declare(d)
}

func exportCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "export RUN|FILE",
		Short: "Write weights as JSON, CSV, Markdown or Go; a run as a checkpoint, or its games",
		Long: `Writes the weights of a file or a preset, or those that a run recommends. For a run --format json is a checkpoint instead: a
small file without games, from which "tune resume" goes on, also on another machine. --games writes the games of a run.`,
		Example: `  tune export weights.json --format markdown -o weights.md
  tune export huang --format json -o huang.json
  tune export r-huang-1-0123abcd --format json -o checkpoint.json
  tune export r-huang-1-0123abcd --games sgf -o games.sgf`,
		Args: cobra.ExactArgs(1),
	}, &exportOptions{}, export)
}

func export(cmd *cobra.Command, o *exportOptions, args []string) error {
	if o.Games != "" {
		return exportGames(cmd, o, args[0])
	}
	result := exportResult{Name: args[0], Format: o.Format, Output: o.Output}
	data, err := exported(o, args[0], &result)
	if err != nil {
		return err
	}
	if o.Output != "" || !o.JSON {
		err := writeOutput(cmd, o.Output, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
		if err != nil {
			return err
		}
	}
	if result.Output == "" {
		result.Text = string(data)
	}
	return show(cmd, &o.Common, "", result)
}

// exported returns what is to be written, and names it in the result.
func exported(o *exportOptions, argument string, result *exportResult) (data []byte, err error) {
	if isRun(argument) && result.Format == "json" {
		err = readRuns(o.Runs, func(runs *tuner.Runs) (err error) {
			data, err = runs.Checkpoint(argument)
			return err
		})
		return data, err
	}
	set, err := weightsOf(o.Runs, argument)
	if err != nil {
		return nil, err
	}
	result.Name = set.Name
	return tuner.Export(set, result.Format)
}

// exportResult is what `tune export --json` prints.
type exportResult struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Output string `json:"output"`
	Text   string `json:"text,omitempty"` // where there is no file
	Games  int    `json:"games,omitempty"`
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
	if result.Output == "" && (o.JSON || !slices.Contains([]string{"sgf", "jsonl"}, result.Format)) {
		return config.Usagef("games: -o is needed for %s", result.Format)
	}
	out, err := newGameWriter(cmd.OutOrStdout(), result.Format, result.Output)
	if err != nil {
		return err
	}
	err = readRuns(o.Runs, func(runs *tuner.Runs) error {
		return runs.Games(name, func(g *tuner.StoredGame) error {
			result.Games++
			return out.add(g)
		})
	})
	if err := out.close(err); err != nil {
		return err
	}
	if result.Output == "" {
		return nil
	}
	return show(cmd, &o.Common, text.Plural(result.Games, "game")+" written\n", result)
}
