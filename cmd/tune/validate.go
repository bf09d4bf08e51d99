package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
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
weights were tuned on them. Without any of these, nor a limit of moves, the validation that the file's provenance publishes
is played again: the same engine gives the same pairs by points.`,
		Example: "  tune validate weights.json\n  tune validate weights.json --pairs 500 --seed 99",
		Args:    cobra.ExactArgs(1),
		RunE:    config.Loaded(validate),
	}
	config.Declare(cmd, "tune validate")
	return cmd
}

func validate(cmd *cobra.Command, v *config.Values, args []string) error {
	d := newDisplay(cmd, v)
	m, pairs, err := validation(v, d, args[0])
	if err != nil {
		return err
	}
	if m.Openings, err = validationOpenings(cmd.Context(), v, d, m, pairs); err != nil {
		return err
	}
	return playAll(cmd, v, m, selfplay.NewPool(v.Int("workers")), d)
}

// validationOpenings returns those of --openings, or else as many as are wanted made for the match's seed.
func validationOpenings(ctx context.Context, v *config.Values, d *display, m *match.Match, pairs int) ([]book.Opening, error) {
	if v.String("openings") != "" {
		b, err := bookOf(ctx, v, d, 0)
		if err != nil {
			return nil, err
		}
		openings, err := b.Series(m.Seed, "validate", pairs)
		return openings, config.Usage(err)
	}
	used, err := book.For(ctx, m.Rule, m.Size, madeBook, d.making())
	d.end()
	if err != nil {
		return nil, err
	}
	made, err := book.Validation(ctx, used, m.Seed, pairs, d.making())
	if err != nil {
		return nil, err
	}
	return made.Openings, nil
}

// validation returns the match of a validation without its openings, and the number of these: as the options say or,
// where none says anything, as the file's provenance does.
func validation(v *config.Values, d *display, file string) (m *match.Match, pairs int, err error) {
	opponent, set, err := opponentOf(v, file)
	if err != nil {
		return nil, 0, err
	}
	asked := slices.ContainsFunc([]string{"pairs", "seed", "nodes", "time", "tc", "threads", "rule", "size", "openings", "against"}, v.IsSet)
	if asked || set.Provenance.Validation == nil {
		m, err = newMatch(v, file, opponent)
		return m, v.Int("pairs"), err
	}
	published := set.Provenance.Validation
	m = &match.Match{
		Rule: set.Rule, Size: set.Size, Seed: published.Seed, Purpose: "match",
		Nodes: published.Nodes, TimeControl: player.TimeControl{Threads: 1},
	}
	if err := seat(m, file, opponent); err != nil {
		return nil, 0, err
	}
	d.log.Info("the published validation is played again", "pairs", published.Pairs, "nodes", published.Nodes, "seed", published.Seed,
		"pairs_by_points", published.Pentanomial, "engine", set.Provenance.Engine)
	return m, int(published.Pairs), nil
}

// opponentOf returns --against, or else the start that the provenance of the weights names, and then the weights too.
func opponentOf(v *config.Values, file string) (opponent string, set *weights.Set, err error) {
	if against := v.String("against"); against != "" {
		return against, nil, nil
	}
	if set, err = player.Weights(file); err != nil {
		return "", nil, err
	}
	if set.Provenance == nil {
		return "", nil, config.Usagef("%s has no provenance that names its start: say --against", file)
	}
	start := set.Provenance.Start
	if !slices.Contains(weights.PresetNames(), start) {
		return "", nil, config.Usagef("the start of %s is %s, which is no preset: say --against", file, fmt.Sprintf("%.80q", start))
	}
	return start, set, nil
}
