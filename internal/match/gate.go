package match

import (
	"context"
	"fmt"
	"slices"

	"quintune/internal/stats"
	"quintune/selfplay"
)

// Hypotheses and errors of a gate, nElo. The errors of one gate are these divided by the planned
// number of gates.
const (
	gateNElo0 = 0
	gateNElo1 = 10
	gateAlpha = .05
	gateBeta  = .05
)

// LeastPairs returns the fewest pairs that pass the test, all of them won.
func LeastPairs(test stats.SPRT) int64 {
	_, upper := test.Bounds()
	var won stats.Pentanomial
	for won[stats.Outcomes-1] = 1; test.LLR(won) < upper; {
		won[stats.Outcomes-1]++
	}
	return won.Pairs()
}

// verdictInterrupted stands for the verdict of a gate that was interrupted.
const verdictInterrupted = "interrupted"

// Words for people of how a gate ended, beside "interrupted"; see GateReport.Plain.
const (
	Passed    = "passed"
	NotPassed = "not passed"
	Undecided = "undecided"
)

// GateReport is what a gate was and how it ended.
type GateReport struct {
	Report
	Passed  bool    `json:"passed"`
	Verdict string  `json:"verdict"` // "accept H1", "accept H0", "inconclusive", "interrupted"
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"` // LLR that fails
	Upper   float64 `json:"upper"` // LLR that passes
	NElo0   float64 `json:"nelo0"`
	NElo1   float64 `json:"nelo1"`
	Alpha   float64 `json:"alpha"`
	Beta    float64 `json:"beta"`
	Cap     int     `json:"cap"` // pairs
}

// GateTest returns the hypotheses of one gate, where a number of gates (1 or more) is planned.
func GateTest(planned int) stats.SPRT {
	return stats.SPRT{NElo0: gateNElo0, NElo1: gateNElo1, Alpha: gateAlpha / float64(planned), Beta: gateBeta}
}

// Gate plays A against B until the sequential test ends, at the latest with the openings of the
// match. Only A's being better passes: reaching the cap between the bounds does not. Equal
// weights fail without a game. watch is called after each judged pair. When ctx is done before the end the report holds
// the pairs that were judged, with the error.
func (m *Match) Gate(ctx context.Context, runner selfplay.Runner, sprt stats.SPRT, watch func(Tally, *stats.Test)) (GateReport, error) {
	test, err := stats.NewTest(sprt, int64(len(m.Openings)))
	if err != nil {
		return GateReport{}, fmt.Errorf("match: gate: %w", err)
	}
	var t Tally
	verdict := stats.AcceptH0
	if !m.same() {
		t, err = m.PlayTest(ctx, runner, test, func(t Tally) {
			if watch != nil {
				watch(t, test)
			}
		})
		if verdict = test.Verdict(); verdict == stats.Continue {
			verdict = stats.Inconclusive // void pairs were not counted, so the cap was not reached
		}
	}
	g := GateReport{Report: m.Report(t), Passed: verdict == stats.AcceptH1, Verdict: verdict.String(), LLR: test.LLR()}
	if err != nil {
		g.Passed, g.Verdict = false, verdictInterrupted
	}
	g.Lower, g.Upper = sprt.Bounds()
	g.NElo0, g.NElo1, g.Alpha, g.Beta, g.Cap = sprt.NElo0, sprt.NElo1, sprt.Alpha, sprt.Beta, len(m.Openings)
	return g, err
}

// Plain returns the verdict in the words for people: Passed, NotPassed, Undecided or "interrupted".
func (g *GateReport) Plain() string {
	switch g.Verdict {
	case stats.AcceptH1.String():
		return Passed
	case stats.AcceptH0.String():
		return NotPassed
	case verdictInterrupted:
		return verdictInterrupted
	}
	return Undecided
}

// same reports whether both sides play the same weights, or are one player of another kind.
func (m *Match) same() bool {
	a, b := &m.A.Player, &m.B.Player
	if a.Weights == nil || b.Weights == nil {
		return a.Identity != "" && a.Identity == b.Identity
	}
	return slices.Equal(a.Weights.Values, b.Weights.Values)
}
