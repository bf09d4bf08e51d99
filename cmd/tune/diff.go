package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/text"
)

func diffCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "diff A B",
		Short: "List the weights in which two sets differ, side by side with their ratio",
		Long: `Compares presets, weights files and runs (what they recommend). The ratio is B / A; there is none where A is 0 or the sign
changes. Nothing is printed for equal weights, nor for those of renju's Black where neither set is for renju.`,
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
	return show(cmd, &o.Common, diffText(args, list), map[string]any{"a": args[0], "b": args[1], "differences": list})
}

func ratioOf(a, b int32) *float64 {
	if a == 0 || (a < 0) != (b < 0) {
		return nil
	}
	ratio := float64(b) / float64(a)
	return &ratio
}

// diffText is a table for people.
func diffText(args []string, list []difference) string {
	if len(list) == 0 {
		return ""
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
	fmt.Fprintf(&b, "%s; A is %s, B is %s\n", text.Plural(len(list), "difference"), args[0], args[1])
	return b.String()
}
