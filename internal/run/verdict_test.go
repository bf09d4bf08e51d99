package run

import (
	"slices"
	"testing"

	"quintune/internal/match"
)

// A verdict has the same words everywhere, and names whom each validation met.
func TestVerdictInPlainWords(t *testing.T) {
	passed := Gate{Generation: 7, Report: match.GateReport{Report: match.Report{B: "huang", Pairs: 312}, Passed: true, Verdict: "accept H1"}}
	undecided := Gate{Report: match.GateReport{Report: match.Report{B: "generation 7", Pairs: 1}, Verdict: "inconclusive"}}
	failed := Gate{Report: match.GateReport{Report: match.Report{B: "huang", Pairs: 90}, Verdict: "accept H0"}}
	validation := &match.Report{B: "huang", Pairs: 1200, Games: 2400, Nodes: 1000, Elo: 58, EloLow: 44, EloHigh: 72}
	tests := []struct {
		name        string
		state       State
		interrupted bool
		gate        string
		words       []string
	}{
		{"passed", State{
			Gates:   []Gate{passed},
			Outcome: Outcome{Validation: validation, Further: []match.Report{{B: "default", Pairs: 150, Games: 300, Nodes: 1000, Elo: -98, EloLow: -143, EloHigh: -57}}},
		}, false, "passed", []string{
			"The gate against huang was passed after 312 pairs.",
			"Validation against huang: +58 [+44, +72] Elo in 2,400 games at 1,000 nodes a move, so the candidate is stronger.",
			"Validation against default: −98 [−143, −57] Elo in 300 games at 1,000 nodes a move, so the candidate is weaker.",
		}},
		{"undecided", State{Gates: []Gate{passed, undecided}}, false, "undecided", []string{
			"The gate against generation 7 was undecided after 1 pair.", "The weights of generation 7 passed a gate before.",
		}},
		{"not passed", State{Gates: []Gate{failed}}, false, "not passed", []string{"The gate against huang was not passed after 90 pairs."}},
		{"equal weights", State{
			Gates:   []Gate{{Report: match.GateReport{Report: match.Report{B: "huang"}, Verdict: "accept H0"}}},
			Outcome: Outcome{Validation: &match.Report{B: "huang", Nodes: 1000}},
		}, false, "not passed", []string{"The gate against huang was not passed without a game: the values are the same.", "Validation against huang at 1,000 nodes a move without a game: the values are the same."}},
		{"no difference", State{Outcome: Outcome{
			Validation: &match.Report{B: "huang", Pairs: 150, Games: 300, Nodes: 1000, Elo: 8, EloLow: -12, EloHigh: 28},
			Further:    []match.Report{{B: "default", Pairs: 16, Games: 32, Nodes: 1000, Elo: -293, EloLow: -562, EloHigh: -107}},
		}}, false, "", []string{
			"No gate was played: nothing is proven.",
			"Validation against huang: +8 [−12, +28] Elo in 300 games at 1,000 nodes a move, so no difference is shown: an interval that holds 0.",
			"Validation against default: −293 [−562, −107] Elo in 32 games at 1,000 nodes a move, so no difference is shown: an interval that says nothing below 20 pairs.",
		}},
		{"without a gate", State{}, false, "", []string{"No gate was played: nothing is proven."}},
		{"interrupted", State{}, true, "", []string{"The run was interrupted: tune resume r-huang-7 goes on with it."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if v := test.state.Verdict("r-huang-7", test.interrupted); v.Gate != test.gate || !slices.Equal(v.Words, test.words) {
				t.Errorf("gate %q, words %q, want %q, %q", v.Gate, v.Words, test.gate, test.words)
			}
		})
	}
}
