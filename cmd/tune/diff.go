package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/text"
	"quintune/weights"
)

func diffCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "diff A B",
		Short: "List the weights in which two sets differ, side by side with their ratio",
		Long: `Compares presets, weights files and runs (what they recommend). The ratio is B / A; there is none where A is 0 or the sign
changes. Equal weights are left out, and those of renju's Black where neither set is for renju.`,
		Example: "  tune diff huang weights.json\n  tune diff r-huang-1-0123abcd r-huang-2-4567cdef",
		Args:    cobra.ExactArgs(2),
	}, &storedOptions{}, diff)
}

// difference is a weight in which two sets differ.
type difference struct {
	Name  string   `json:"name"`
	A     int32    `json:"a"`
	B     int32    `json:"b"`
	Ratio *float64 `json:"ratio"` // B / A, null where A is 0 or the sign changes
}

func diff(cmd *cobra.Command, o *storedOptions, args []string) error {
	a, err := weightsOf(o.Runs, args[0])
	if err != nil {
		return err
	}
	b, err := weightsOf(o.Runs, args[1])
	if err != nil {
		return err
	}
	list := []difference{}
	for d, value := range a.All() {
		other, err := b.Get(d.Name)
		if err != nil {
			return err
		}
		if other != value && (d.Counts(a.Rule) || d.Counts(b.Rule)) {
			list = append(list, difference{d.Name, value, other, ratioOf(value, other)})
		}
	}
	return show(cmd, &o.Common, diffText(args, list)+afterDiff(o, args, a, b, len(list)), map[string]any{"a": args[0], "b": args[1], "differences": list})
}

func ratioOf(a, b int32) *float64 {
	if a == 0 || (a < 0) != (b < 0) {
		return nil
	}
	ratio := float64(b) / float64(a)
	return &ratio
}

// diffText returns the differences of two sets for people: a table and one sentence.
func diffText(args []string, list []difference) string {
	if len(list) == 0 {
		return fmt.Sprintf("%s and %s have the same weights.\n", args[0], args[1])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-32s %8s %8s %7s\n", "weight", "A", "B", "B / A")
	for _, d := range list {
		ratio := "-"
		if d.Ratio != nil {
			ratio = fmt.Sprintf("%.2f", *d.Ratio)
		}
		fmt.Fprintf(&b, "%-32s %8d %8d %7s\n", d.Name, d.A, d.B, ratio)
	}
	fmt.Fprintf(&b, "%s (A) and %s (B) differ in %s.\n", args[0], args[1], text.Plural(len(list), "weight"))
	return b.String()
}

// afterDiff returns the command that follows the comparison: a match, where the two sets can play one.
func afterDiff(o *storedOptions, args []string, a, b *weights.Set, differences int) string {
	board := a
	if !player.IsFile(args[0]) && player.IsFile(args[1]) {
		board = b // a preset can play under any rule
	}
	mixed := player.IsFile(args[0]) && player.CheckRule(args[1], b, a.Rule) != nil
	if differences == 0 || mixed || isRun(args[0]) || isRun(args[1]) {
		export := []string{"tune", "export", args[0], "--format", "markdown"}
		if isRun(args[0]) {
			export = o.withRuns(export...)
		}
		return next("lists the weights with their meaning", export...)
	}
	return next("plays them against each other", append([]string{"tune", "match", args[0], args[1]}, on(board.Rule.String(), board.Size)...)...)
}
