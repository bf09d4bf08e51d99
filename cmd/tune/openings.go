package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/text"
)

// openingsOptions are the options of `tune openings`.
type openingsOptions struct {
	config.Common
	gameOptions
	Count   int
	Window  int
	Nodes   int64
	Pairs   int
	Workers int
	Out     string // "": stdout
}

func (o *openingsOptions) Declare(d *config.Declaration) {
	o.gameOptions.Declare(d)
	d.Group("The openings")
	config.Var(d, &o.Count, "count", "100", config.Whole(1, book.MaxOpenings), "openings to make")
	config.Var(d, &o.Window, "window", fmt.Sprint(book.DefaultWindow), config.Whole(1, 10*int(book.DefaultWindow)), "largest searched score of either side, points; under renju the largest distance from the score of Black at which both colours win alike")
	config.Var(d, &o.Nodes, "nodes", fmt.Sprint(book.DefaultNodes), config.Whole[int64](book.MinNodes, book.MaxNodes), "nodes of the search that judges an opening, and of a move in the games of --pairs", config.FlagOnly)
	config.Var(d, &o.Pairs, "pairs", "0", config.Whole(0, book.MaxPairs), "pairs that the engine plays with itself from each; one that the same colour always wins is left out; 0 plays none", config.FlagOnly)
	declareWorkers(d, &o.Workers, 1, "")
	config.Var(d, &o.Out, "out", "", config.Text("FILE"), "where to write; without it stdout", config.FlagOnly)
}

func openingsCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:     "openings",
		Short:   "Make balanced openings",
		Example: "  tune openings --count 500 --size 15 --seed 3 --out my.txt",
	}, &openingsOptions{}, makeOpenings)
}

func makeOpenings(cmd *cobra.Command, o *openingsOptions, _ []string) error {
	if err := checkOutput("out", o.Out); err != nil {
		return err
	}
	cfg := book.Config{
		Rule: o.Rule, Size: o.Size, Count: o.Count, Window: int32(o.Window), Nodes: o.Nodes, Pairs: o.Pairs, Seed: o.Seed, Workers: o.Workers,
	}
	d := newDisplay(cmd, &o.Common)
	found := 0
	made, err := book.Own(cmd.Context(), cfg, func(n int) {
		found = n
		d.drawSometimes(found == cfg.Count, func() string {
			return bar(float64(found)/float64(cfg.Count)) + fmt.Sprintf(" %d openings", found)
		})
	})
	d.end()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %d of %d openings were found, none is written", config.ErrInterrupted, found, cfg.Count)
	}
	if err != nil {
		return err
	}
	count := len(made.Openings)
	header := fmt.Sprintf("%d openings, %s on %d×%d, seed %d, hash %s", count, cfg.Rule, cfg.Size, cfg.Size, cfg.Seed, made.Hash())
	if o.Out != "" || !o.JSON {
		if err := writeOutput(cmd, o.Out, func(w io.Writer) error { return made.Write(w, header) }); err != nil {
			return err
		}
	}
	result := openingsResult{Out: o.Out, Count: count, Rule: cfg.Rule.String(), Size: cfg.Size, Seed: cfg.Seed, Hash: made.Hash()}
	if result.Out == "" {
		for _, opening := range made.Openings {
			result.Openings = append(result.Openings, board.FormatMoves(opening.Moves))
		}
	}
	told := ""
	if o.Out != "" {
		told = fmt.Sprintf("%s written to %s.\n", text.Plural(count, "opening"), o.Out) +
			next("plays them", append([]string{"tune", "match", "default", "huang", "--openings", o.Out, "--pairs", strconv.Itoa(count)}, boardFlags(result.Rule, result.Size)...)...)
	}
	return show(cmd, &o.Common, told, result)
}

// openingsResult is what `tune openings --json` prints.
type openingsResult struct {
	Out      string   `json:"out"`
	Count    int      `json:"count"`
	Rule     string   `json:"rule"`
	Size     int      `json:"size"`
	Seed     uint64   `json:"seed"`
	Hash     string   `json:"hash"`
	Openings []string `json:"openings,omitempty"` // content, where it is not written to a file
}
