package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/internal/atomicfile"
	"quintune/internal/book"
	"quintune/internal/config"
)

func openingsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "openings",
		Short:   "Make balanced openings",
		Example: "  tune openings --count 500 --size 15 --seed 3 --out my.txt",
		RunE:    config.Loaded(makeOpenings),
	}
	config.Declare(cmd, "tune openings")
	return cmd
}

func makeOpenings(cmd *cobra.Command, v *config.Values, _ []string) error {
	cfg := book.Config{
		Rule: v.Rule("rule"), Size: v.Int("size"), Count: v.Int("count"),
		Seed: v.Uint64("seed"), Workers: v.Int("workers"),
	}
	if v.IsSet("window") {
		cfg.Window = int32(v.Int("window"))
	}
	if v.IsSet("nodes") {
		cfg.Nodes = v.Int64("nodes")
	}
	d := newDisplay(cmd, v)
	found := 0
	list, err := book.Generate(cmd.Context(), cfg, func(n int) {
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
	made := &book.Book{Rule: cfg.Rule, Size: cfg.Size, Openings: list}
	header := fmt.Sprintf("%d openings, %s on %d×%d, seed %d, hash %s", len(list), cfg.Rule, cfg.Size, cfg.Size, cfg.Seed, made.Hash())
	if path := v.String("out"); path != "" || !v.Bool("json") {
		if err := writeOutput(cmd, path, func(w io.Writer) error { return made.Write(w, header) }); err != nil {
			return err
		}
	}
	result := openingsResult{Out: v.String("out"), Count: len(list), Rule: cfg.Rule.String(), Size: cfg.Size, Seed: cfg.Seed, Hash: made.Hash()}
	if result.Out == "" {
		for _, o := range list {
			result.Openings = append(result.Openings, board.FormatMoves(o.Moves))
		}
	}
	return show(cmd, v, "", result)
}

// openingsResult is what `tune openings --json` prints.
type openingsResult struct {
	Out      string   `json:"out"`
	Count    int      `json:"count"`
	Rule     string   `json:"rule"`
	Size     int      `json:"size"`
	Seed     uint64   `json:"seed"`
	Hash     string   `json:"hash"`
	Openings []string `json:"openings,omitempty"` // where there is no file
}

// writeOutput writes to the file, or to the command's output where none is named.
func writeOutput(cmd *cobra.Command, path string, write func(io.Writer) error) error {
	if path == "" {
		return write(cmd.OutOrStdout())
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return atomicfile.Write(path, text.Bytes())
}
