package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// benchOptions are the options of `play bench`.
type benchOptions struct {
	config.Common
	Weights string // "": no third line
	Depth   int    // 0: the depth of the signature
}

func (o *benchOptions) Declare(d *config.Declaration) {
	d.Group("Weights and players")
	config.Var(d, &o.Weights, "weights", "", config.Text("FILE"), "weights file or preset of the third line; without it there are two lines")
	d.Group("Limits of a search")
	config.Var(d, &o.Depth, "depth", "0", config.Whole(0, search.MaxDepth), "plies; 0: the depth of the signature", config.FlagOnly)
}

func benchCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "bench",
		Short: "Search fixed positions: nodes, hash of the results, nodes a second",
		Long: "Searches fixed positions to a fixed depth. Nodes and hash of the first line, with the preset " + bench.SignaturePreset + ",\n" +
			"are the engine's signature, which is all that --json holds; the second line is the embedded default, a third one that of --weights.",
		Example: "  play bench\n  play bench --depth 6 --weights weights.json --json",
		Args:    cobra.NoArgs,
	}, &benchOptions{}, func(cmd *cobra.Command, o *benchOptions, _ []string) error {
		return runBench(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}

// benchResult is what --json prints. It holds the result for the weights of the signature.
type benchResult struct {
	Nodes int64  `json:"nodes"`
	Hash  string `json:"hash"`
	NPS   int64  `json:"nps"`
}

func runBench(ctx context.Context, o *benchOptions, out, log io.Writer) error {
	depth := o.Depth
	if depth == 0 {
		depth = bench.Depth
	}
	names := []string{bench.SignaturePreset, weights.EvolvedFor(pattern.Freestyle, 15)}
	if o.Weights != "" {
		names = append(names, o.Weights)
	}
	sets := make([]*weights.Set, len(names))
	for i, name := range names {
		var err error
		if sets[i], err = player.Load(name); err != nil {
			return config.UsageIf(player.Misused(err), err)
		}
	}
	var signature *bench.Report
	for i, name := range names {
		report, err := bench.Run(ctx, sets[i], depth)
		if err != nil {
			return err
		}
		if signature == nil {
			signature = report
		}
		if _, err := fmt.Fprintf(out, "%s: nodes %d, hash %s, nps %.0f\n", name, report.Nodes(), report.Hash(), report.Speed()); err != nil {
			return err
		}
	}
	if got := signature.Signature(); signature.Depth == bench.Depth && got != bench.Signature() {
		config.NewLogger(log, &o.Common).Warn("the engine plays otherwise than its signature says", "computed", got, "signature", bench.Signature())
	}
	if !o.JSON {
		return nil
	}
	return config.WriteJSON(out, benchResult{signature.Nodes(), signature.Hash(), int64(signature.Speed())})
}
