package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/text"
	"quintune/internal/tuner"
)

func exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export RUN|FILE",
		Short: "Write weights as JSON, CSV, Markdown or Go; a run as a checkpoint, or its games",
		Long: `Writes the weights of a file or a preset, or those that a run recommends. For a run --format json is a checkpoint instead: a
small file without games, from which "tune resume" goes on, also on another machine. --games writes the games of a run.`,
		Example: `  tune export weights.json --format markdown -o weights.md
  tune export huang --format json -o huang.json
  tune export r-huang-1-0123abcd --format json -o checkpoint.json
  tune export r-huang-1-0123abcd --games sgf -o games.sgf`,
		Args: cobra.ExactArgs(1),
		RunE: config.Loaded(export),
	}
	config.Declare(cmd, "tune export")
	return cmd
}

func export(cmd *cobra.Command, v *config.Values, args []string) error {
	if v.String("games") != "" {
		return exportGames(cmd, v, args[0])
	}
	result := exportResult{Name: args[0], Format: v.String("format"), Output: v.String("output")}
	data, err := exported(v, args[0], &result)
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
	if result.Output == "" {
		result.Text = string(data)
	}
	return show(cmd, v, "", result)
}

// exported returns what is to be written, and names it in the result.
func exported(v *config.Values, argument string, result *exportResult) (data []byte, err error) {
	if isRun(argument) && result.Format == "json" {
		err = readRuns(v, func(runs *tuner.Runs) (err error) {
			data, err = runs.Checkpoint(argument)
			return err
		})
		return data, err
	}
	set, err := weightsOf(v, argument)
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
func exportGames(cmd *cobra.Command, v *config.Values, name string) error {
	if !isRun(name) {
		return config.Usagef("games: %s is no run", name)
	}
	if v.IsSet("format") {
		return config.Usagef("format is that of weights, and --games is given")
	}
	result := exportResult{Name: name, Format: v.String("games"), Output: v.String("output")}
	if result.Output == "" && (v.Bool("json") || !slices.Contains([]string{"sgf", "jsonl"}, result.Format)) {
		return config.Usagef("games: -o is needed for %s", result.Format)
	}
	out, err := newGameWriter(cmd.OutOrStdout(), result.Format, result.Output)
	if err != nil {
		return err
	}
	err = readRuns(v, func(runs *tuner.Runs) error {
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
	return show(cmd, v, text.Plural(result.Games, "game")+" written\n", result)
}
