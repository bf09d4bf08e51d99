package player

import (
	"strings"
	"testing"

	"quintune/pattern"
	"quintune/weights"
)

// Weights of a file play on boards of their rule and class of sizes; elsewhere the embedded set plays and says so.
func TestOnBoard(t *testing.T) {
	for _, test := range []struct {
		name   string
		rule   pattern.Rule // of the file
		size   int
		onRule pattern.Rule
		onSize int
		want   string // "": the file's own
		preset bool   // the weights are a preset, not a file
	}{
		{name: "its own board", rule: pattern.Freestyle, size: 15, onRule: pattern.Freestyle, onSize: 15},
		{name: "its class of sizes", rule: pattern.Freestyle, size: 15, onRule: pattern.Freestyle, onSize: 13},
		{name: "another class of sizes", rule: pattern.Freestyle, size: 20, onRule: pattern.Freestyle, onSize: 15, want: "default"},
		{name: "a greater class of sizes", rule: pattern.Freestyle, size: 15, onRule: pattern.Freestyle, onSize: 20, want: "freestyle20"},
		{name: "another rule", rule: pattern.Freestyle, size: 15, onRule: pattern.Renju, onSize: 15, want: "renju15"},
		{name: "a preset", rule: pattern.Freestyle, size: 15, onRule: pattern.Renju, onSize: 15, preset: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			set, err := weights.Preset("huang")
			if err != nil {
				t.Fatal(err)
			}
			set.Rule, set.Size = test.rule, test.size
			p := OfFile("own.json", set)
			if test.preset {
				p = Of("huang", set)
			}
			got, err := p.OnBoard(test.onSize, test.onRule)
			if err != nil {
				t.Fatal(err)
			}
			if test.want == "" {
				if got != p || got.Chosen() != p || got.Instead() != "" {
					t.Errorf("got %s (%q), want the player itself", got.Name, got.Instead())
				}
				return
			}
			if got.Name != test.want || got.Chosen() != p || !strings.Contains(got.Instead(), "own.json is for "+test.rule.String()) {
				t.Errorf("got %s (%q), want %s", got.Name, got.Instead(), test.want)
			}
		})
	}
}
