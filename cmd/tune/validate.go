package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/text"
	"quintune/weights"
)

// validateOptions are the options of `tune validate`.
type validateOptions struct {
	matchOptions
	Against string // "": the start of the file's provenance
}

func (o *validateOptions) Declare(d *config.Declaration) {
	o.declare(d, "opening list; without it openings made for the purpose from --seed", matchNodes)
	config.Var(d, &o.Pairs, "pairs", "200", config.Whole(1, maxPairs), "pairs of games; without it 200, or one for each opening of a file if there are fewer")
	config.Var(d, &o.Against, "against", "", config.Player(), "opponent; without it the start of the file's provenance", config.FlagOnly)
	o.runsOption.Declare(d)
}

// asked reports whether the command line describes the match.
func (o *validateOptions) asked() bool {
	fields := []any{&o.Pairs, &o.Seed, &o.Nodes, &o.Time, &o.TC, &o.Threads, &o.Rule, &o.Size, &o.Openings, &o.Against}
	return slices.ContainsFunc(fields, o.Typed)
}

func validateCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "validate FILE",
		Short: "Measure weights on openings made for the purpose",
		Long: `Plays a fixed number of pairs against the start that the file's provenance names, or against --against, on openings
that are made from --seed and are in no book. With --openings the file's are played instead: the figure says less then, if the
weights were tuned on them. Where no flag describes the match, neither one of these nor a limit of moves, the validation that
the file's provenance publishes is played again: the same engine gives the same pairs by points. Without --rule and --size the
board is that of the weights, whatever a configuration says.

` + keptHelp,
		Example: "  tune validate weights.json\n  tune validate weights.json --pairs 500 --seed 99",
		Args:    cobra.ExactArgs(1),
	}, &validateOptions{}, validate)
}

func validate(cmd *cobra.Command, o *validateOptions, args []string) error {
	d := newDisplay(cmd, &o.Common)
	m, published, err := validation(o, d, args[0])
	if err != nil {
		return err
	}
	pairs := o.Pairs
	if published != nil {
		pairs = int(published.Pairs)
	}
	if m.Openings, err = validationOpenings(cmd.Context(), o, d, m, pairs); err != nil {
		return err
	}
	p := &played{cmd: cmd, args: args, a: args[0], b: m.B.Name, match: m}
	if published != nil {
		p.published = published
		p.unnamed = []string{"--nodes", strconv.FormatInt(m.Nodes, 10), "--seed", strconv.FormatUint(m.Seed, 10)}
		if hash := book.Hash(m.Rule, m.Size, m.Openings); published.Openings != "" && hash != published.Openings {
			d.log.Warn("these are not the openings of the published validation, whose run had a book of its own: the pairs by points may differ",
				"openings", hash, "published", published.Openings)
		}
	}
	if o.Openings != "" {
		p.openings = len(m.Openings) // the file may have more
	}
	return playAll(&o.matchOptions, p, d)
}

// comparison reports whether the pairs by points are those that a validation repeats.
func (p *played) comparison(r *match.Report) string {
	switch {
	case p.published == nil:
		return ""
	case [5]int64(r.Pentanomial) == p.published.Pentanomial:
		return "The pairs by points are the published ones.\n"
	}
	return fmt.Sprintf("The pairs by points are not the published ones, %d.\n", p.published.Pentanomial)
}

// validationOpenings returns the openings of --openings, or openings made from the match's seed.
func validationOpenings(ctx context.Context, o *validateOptions, d *display, m *match.Match, pairs int) ([]book.Opening, error) {
	if o.Openings != "" {
		b, err := bookOf(ctx, d, o.Openings, &o.gameOptions, 0)
		if err != nil {
			return nil, err
		}
		openings, err := b.Series(m.Seed, "validate", o.within(len(b.Openings)))
		return openings, config.Usage(err)
	}
	used, err := book.For(ctx, m.Rule, m.Size, book.DefaultCount, d.making())
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

// validation returns the match of a validation without openings, and the published one that it repeats, if any. Where no flag
// describes the match, it is the published one of the file's provenance.
func validation(o *validateOptions, d *display, file string) (m *match.Match, published *weights.Validation, err error) {
	set, err := player.Weights(file)
	switch {
	case err == nil:
		o.setBoard(set)
	case o.Against == "":
		if _, other := player.Parse(file); other == nil {
			return nil, nil, config.Usagef("%s has no weights, whose provenance would name its start: name the opponent with --against", text.Printable(file))
		}
		return nil, nil, config.UsageIf(player.Misused(err), err)
	}
	opponent, err := opponentOf(o.Against, file, set)
	if err != nil {
		return nil, nil, err
	}
	if o.asked() || set.Provenance.Validation == nil {
		m, err = newMatch(&o.matchOptions, file, opponent)
		return m, nil, err
	}
	published = set.Provenance.Validation
	o.Openings = "" // those of a configuration are not the published ones
	m = &match.Match{
		Rule: o.Rule, Size: o.Size, Seed: published.Seed, Purpose: "match",
		Nodes: published.Nodes, TimeControl: player.TimeControl{Threads: 1},
	}
	if err := setPlayers(m, file, opponent); err != nil {
		return nil, nil, err
	}
	if engine := bench.Signature(); set.Provenance.Engine != engine {
		d.log.Warn("this is not the engine of the published validation: the pairs by points may differ",
			"engine", engine, "published", set.Provenance.Engine)
	}
	d.log.Info("the published validation is played again", "pairs", published.Pairs, "nodes", published.Nodes, "seed", published.Seed,
		"pairs_by_points", published.Pentanomial, "engine", set.Provenance.Engine)
	return m, published, nil
}

// setBoard sets the rule and the size that are not typed to those of the weights.
func (o *validateOptions) setBoard(set *weights.Set) {
	if !o.Typed(&o.Rule) {
		o.Rule = set.Rule
	}
	if !o.Typed(&o.Size) {
		o.Size = set.Size
	}
}

// opponentOf returns the opponent of a file's weights: the player of --against, or else the start in their provenance.
func opponentOf(against, file string, set *weights.Set) (string, error) {
	if against != "" {
		return against, nil
	}
	if set.Provenance == nil {
		return "", config.Usagef("%s has no provenance that names its start: name the opponent with --against", file)
	}
	start := set.Provenance.Start
	if !slices.Contains(weights.PresetNames(), start) {
		how := "name the opponent with --against"
		if _, err := os.Stat(file + ".bak"); err == nil {
			how += fmt.Sprintf("; what %s replaced is %s.bak, which plays as a copy whose name ends in .json", file, file)
		}
		return "", config.Usagef("the start of %s is %.80q, not a preset: %s", file, start, how)
	}
	return start, nil
}
