package match

import (
	"strings"
	"testing"

	"quintune/internal/stats"
	"quintune/selfplay"
)

func TestConclusion(t *testing.T) {
	for _, test := range []struct {
		name   string
		report Report
		want   string
	}{
		{"stronger", Report{A: "a", B: "b", Pairs: 700, Games: 1400, Elo: 52, EloLow: 30, EloHigh: 75}, "a is stronger than b: +52.0 Elo [+30.0, +75.0] in 1,400 games."},
		{"weaker", Report{A: "a", B: "b", Pairs: 200, Games: 400, Elo: -52, EloLow: -75, EloHigh: -30}, "a is weaker than b: -52.0 Elo [-75.0, -30.0] in 400 games."},
		{"not told apart", Report{A: "a", B: "b", Pairs: 200, Games: 400, Elo: 5, EloLow: -10, EloHigh: 20}, "No difference is shown between a and b: +5.0 Elo [-10.0, +20.0] in 400 games, an interval that holds 0."},
		{"few pairs", Report{A: "a", B: "b", Pairs: 2, Games: 4, Elo: 190, EloLow: 164, EloHigh: 219}, "Too few pairs to tell a from b: +190.0 Elo [+164.0, +219.0] in 4 games, an interval that says nothing below 20 pairs."},
		{"pairs that do not count", Report{A: "a", B: "b", Pairs: 200, Games: 400, Elo: 52, EloLow: 30, EloHigh: 75, Void: 21}, "a is stronger than b: +52.0 Elo [+30.0, +75.0] in 400 games. " +
			"Not counted: 21 void pairs in which a player failed twice, which a tournament counts as lost."},
		{"every game won", Report{A: "a", B: "b", Pairs: 20, Games: 40, Elo: stats.EloOf(1), EloLow: 326.3, EloHigh: stats.EloOf(1)}, "a is stronger than b: more than +326 Elo in 40 games."},
		{"no game", Report{A: "a", B: "b"}, "Nothing is known of a against b: no pair was finished."},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.report.Conclusion(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Of a difference at the bound of what is measured the end of the interval is known alone, if the pairs suffice for one.
func TestFigure(t *testing.T) {
	of := func(p stats.Pentanomial) *Report {
		elo := p.Elo()
		return &Report{Pairs: p.Pairs(), Elo: elo.Elo, EloLow: elo.Low, EloHigh: elo.High}
	}
	for _, test := range []struct {
		name  string
		pairs stats.Pentanomial
		want  string
	}{
		{"inside the bounds", stats.Pentanomial{0, 0, 20, 40, 20}, "+191 [+157, +229] Elo"},
		{"every game won", stats.Pentanomial{0, 0, 0, 0, 161}, "more than +693 Elo"},
		{"every game lost", stats.Pentanomial{161, 0, 0, 0, 0}, "less than −693 Elo"},
		{"an end at the bound", stats.Pentanomial{0, 0, 1, 0, 161}, "more than +656 Elo"},
		{"few pairs", stats.Pentanomial{0, 0, 0, 0, 10}, "+1200 [+200, +1200] Elo"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := of(test.pairs).Figure(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// For people a gate is passed, not passed, undecided or interrupted, never "accept H1".
func TestConclusionOfATest(t *testing.T) {
	report := Report{A: "a", B: "b", Pairs: 200, Games: 400, Elo: 5, EloLow: -10, EloHigh: 20}
	const early = "; a test that ends early exaggerates"
	for _, test := range []struct{ verdict, want, end string }{
		{stats.AcceptH1.String(), "passed", early},
		{stats.AcceptH0.String(), "not passed", early},
		{stats.Inconclusive.String(), "undecided", ""},
		{verdictInterrupted, "interrupted", ""},
	} {
		t.Run(test.want, func(t *testing.T) {
			g := GateReport{Report: report, Verdict: test.verdict}
			if got, want := g.Conclusion(), "The test of a against b is "+test.want+": +5.0 Elo [-10.0, +20.0] in 400 games"+test.end+"."; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	for verdict, want := range map[string]string{
		stats.AcceptH0.String():     "The test of a against b is not passed without a game: the values are the same.",
		stats.Inconclusive.String(): "The test of a against b is undecided: no pair was finished.",
	} {
		g := GateReport{Report: Report{A: "a", B: "b"}, Verdict: verdict}
		if got := g.Conclusion(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestConsequence(t *testing.T) {
	for _, test := range []struct {
		kind   string
		liable bool
		want   string
	}{
		{selfplay.FaultForbidden, true, "a forbidden move loses the game"},
		{"crash", true, "then it is void, or lost where an engine that is tuned fails"},
		{"crash", false, "then it is void"},
	} {
		if got := Consequence(test.kind, test.liable); !strings.HasSuffix(got, test.want) {
			t.Errorf("%s, liable %v: %q, want %q at its end", test.kind, test.liable, got, test.want)
		}
	}
}
