package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A run shows what --freeze names and what it keeps by itself; a run that tunes everything shows neither.
func TestShowListsFrozenWeights(t *testing.T) {
	inFolder(t)
	prune := []string{"search.futility", "search.reverse_futility", "search.four_pruning", "search.pruning_depth"}
	for i, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"--freeze", "line.open_two.self"}, slices.Concat([]string{"line.open_two.self"}, prune)},
		{nil, prune},
		{[]string{"--only", "line"}, nil},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			name := fmt.Sprintf("r%d", i)
			done(t, quick(append([]string{"run", "--budget", "100games", "--start", "huang", "--no-gate", "--name", name, "--out", name + ".json"}, test.args...)...)...)
			var got []string
			if frozen, ok := object(t, done(t, "show", name, "--json"))["frozen"].([]any); ok {
				for _, weight := range frozen {
					got = append(got, weight.(string))
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("JSON has the frozen weights %q, want %q", got, test.want)
			}
			line := "\nfrozen: " + strings.Join(test.want, ",") + "\n"
			if text := done(t, "show", name); strings.Contains(text, "\nfrozen: ") != (test.want != nil) || test.want != nil && !strings.Contains(text, line) {
				t.Errorf("want the line %q, got\n%s", line, text)
			}
		})
	}
}
