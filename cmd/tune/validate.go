package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/selfplay"
	"quintune/weights"
)

func validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate FILE",
		Short: "Measure weights on openings made for the purpose",
		Long: `Plays a fixed number of pairs against the start that the file's provenance names, or against --against, on openings
that are made from --seed and are in no book. With --openings the file's are played instead: the figure says less then, if the
weights were tuned on them.`,
		Example: "  tune validate weights.json --pairs 500 --seed 99",
		Args:    cobra.ExactArgs(1),
		RunE:    config.Loaded(validate),
	}
	config.Declare(cmd, "tune validate")
	return cmd
}

func validate(cmd *cobra.Command, v *config.Values, args []string) error {
	opponent, err := opponentOf(v, args[0])
	if err != nil {
		return err
	}
	m, err := newMatch(v, args[0], opponent)
	if err != nil {
		return err
	}
	d := newDisplay(cmd, v)
	b, err := bookOf(cmd.Context(), v, d, 0)
	if err != nil {
		return err
	}
	if v.String("openings") == "" {
		if b, err = book.Validation(cmd.Context(), b, m.Seed, v.Int("pairs"), d.making()); err != nil {
			return err
		}
	}
	if m.Openings, err = b.Series(m.Seed, "validate", v.Int("pairs")); err != nil {
		return config.Usage(err)
	}
	return playAll(cmd, v, m, selfplay.NewPool(v.Int("workers")), d)
}

// opponentOf returns --against, or else the start that the provenance of the weights names.
func opponentOf(v *config.Values, file string) (string, error) {
	if against := v.String("against"); against != "" {
		return against, nil
	}
	set, err := player.Weights(file)
	if err != nil {
		return "", err
	}
	if set.Provenance == nil {
		return "", config.Usagef("%s has no provenance that names its start: say --against", file)
	}
	start := set.Provenance.Start
	if !slices.Contains(weights.PresetNames(), start) {
		return "", config.Usagef("the start of %s is %s, which is no preset: say --against", file, fmt.Sprintf("%.80q", start))
	}
	return start, nil
}
