package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/engine"
	"quintune/internal/player"
	"quintune/internal/text"
	"quintune/weights"
)

func diffCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "diff A B",
		Short: "List the weights in which two sets differ, side by side with their ratio",
		Long: `Compares presets, weights files and runs (what they recommend), or values files and runs of an engine of one's own. The ratio is B / A; there is none where A is 0 or the sign
changes. Equal weights are left out, and those of renju's Black where neither set is for renju.`,
		Example: "  tune diff huang weights.json\n  tune diff r-huang-1-0123abcd r-huang-2-4567cdef",
		Args:    cobra.ExactArgs(2),
	}, &storedOptions{}, diff)
}

// difference is a weight, or a value of an engine, in which two sets differ.
type difference struct {
	Name  string   `json:"name"`
	A     float64  `json:"a"`
	B     float64  `json:"b"`
	Ratio *float64 `json:"ratio"` // B / A, null where A is 0 or the sign changes
}

func diff(cmd *cobra.Command, o *storedOptions, args []string) error {
	a, err := recommended(o.Runs, args[0])
	if err != nil {
		return err
	}
	b, err := recommended(o.Runs, args[1])
	if err != nil {
		return err
	}
	what, first, second := "weight", engine.Values(nil), engine.Values(nil)
	switch {
	case a.Set != nil && b.Set != nil:
		first, second = effective(a.Set, b.Set), effective(b.Set, a.Set)
	case a.Values != nil && b.Values != nil:
		what, first, second = "value", a.Values.Values, b.Values.Values
	default:
		return config.Usagef("of %s and %s one has weights and the other the values of an engine", args[0], args[1])
	}
	list, err := differences(args, first, second)
	if err != nil {
		return err
	}
	return show(cmd, &o.Common, diffText(args, list, what)+afterDiff(o, args, a.Set, b.Set, len(list)), map[string]any{"a": args[0], "b": args[1], "differences": list})
}

// effective returns the weights of a set that have an effect under its rule or that of the other.
func effective(set, other *weights.Set) (list engine.Values) {
	for d, value := range set.All() {
		if d.Counts(set.Rule) || d.Counts(other.Rule) {
			list = append(list, engine.Value{Name: d.Name, Number: float64(value)})
		}
	}
	return list
}

// differences returns what differs. It is an error when one lacks a name of the other, as of another engine.
func differences(args []string, a, b engine.Values) ([]difference, error) {
	for _, value := range b {
		if _, known := a.Get(value.Name); !known {
			return nil, fmt.Errorf("%s has no value %s, which %s has", args[0], value.Name, args[1])
		}
	}
	list := []difference{}
	for _, value := range a {
		other, known := b.Get(value.Name)
		if !known {
			return nil, fmt.Errorf("%s has no value %s, which %s has", args[1], value.Name, args[0])
		}
		if other != value.Number {
			list = append(list, differenceOf(value.Name, value.Number, other))
		}
	}
	return list, nil
}

func differenceOf(name string, a, b float64) difference {
	d := difference{Name: name, A: a, B: b}
	if a != 0 && (b == 0 || (a < 0) == (b < 0)) {
		ratio := b/a + 0 // never −0
		d.Ratio = &ratio
	}
	return d
}

// diffText returns the differences for people, what being weight or value: a table and one sentence.
func diffText(args []string, list []difference, what string) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	if len(list) == 0 {
		return fmt.Sprintf("%s and %s have the same %ss.\n", args[0], args[1], what)
	}
	rows := [][]string{{what, "A", "B", "B / A"}}
	for _, d := range list {
		ratio := "-"
		if d.Ratio != nil {
			ratio = text.Hundredths(*d.Ratio)
		}
		rows = append(rows, []string{d.Name, number(d.A), number(d.B), ratio})
	}
	return text.Table(rows, func(column int) bool { return column == 0 }) +
		fmt.Sprintf("%s (A) and %s (B) differ in %s.\n", args[0], args[1], text.Plural(len(list), what))
}

// afterDiff returns the command that follows the comparison: a match, where the two are sets that can play one; nil: values of an engine.
func afterDiff(o *storedOptions, args []string, a, b *weights.Set, differences int) string {
	if a == nil {
		return next("lists the values", o.exportOf(args[0])...)
	}
	board := a
	if !player.IsFile(args[0]) && player.IsFile(args[1]) {
		board = b // a preset can play under any rule
	}
	mixed := player.IsFile(args[0]) && player.CheckRule(args[1], b, a.Rule) != nil
	if differences == 0 || mixed || isRun(args[0]) || isRun(args[1]) {
		return next("lists the weights with their meaning", o.exportOf(args[0])...)
	}
	return next("plays them against each other", append([]string{"tune", "match", args[0], args[1]}, on(board.Rule.String(), board.Size)...)...)
}

// exportOf returns the command that writes a set, values or those of a run as a document.
func (o *storedOptions) exportOf(argument string) []string {
	export := []string{"tune", "export", argument, "--format", "markdown"}
	if isRun(argument) {
		return o.withRuns(export...)
	}
	return export
}
