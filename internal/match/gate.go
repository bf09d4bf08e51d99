package match

import (
	"context"
	"fmt"
	"slices"

	"quintune/internal/stats"
	"quintune/selfplay"
)

// Hypotheses (nElo) and error probabilities of all gates of a budget together, see GateTest.
const (
	gateNElo0 = 0
	gateNElo1 = 10
	testError = .05 // probability of either error
)

// LeastPairs returns the smallest number of pairs that passes the test when A wins all of them.
func LeastPairs(test stats.SPRT) int64 {
	pairs := int64(1)
	for !Passable(test, pairs) {
		pairs++
	}
	return pairs
}

// Passable reports whether the test is passed when A wins all of a number of pairs.
func Passable(test stats.SPRT, pairs int64) bool {
	_, upper := test.Bounds()
	return test.LLR(stats.Pentanomial{stats.Outcomes - 1: pairs}) >= upper
}

// verdictInterrupted takes the place of a verdict where a gate was interrupted.
const verdictInterrupted = "interrupted"

// How a gate ended, in words for people; see GateReport.Plain.
const (
	Passed    = "passed"
	NotPassed = "not passed"
	Undecided = "undecided"
)

// GateReport describes a gate and its result. A test stops where its pairs look best or worst: the Elo of a passed one is some 3 to 6
// too high where it has pairs enough, and 20 to 40 where it has 200 to 1 000 at most: then the interval mostly misses the truth. A validation measures.
type GateReport struct {
	Report
	Passed  bool    `json:"passed"`
	Verdict string  `json:"verdict"` // "accept H1", "accept H0", "inconclusive", "interrupted"
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"` // LLR at or below which the gate fails
	Upper   float64 `json:"upper"` // LLR at or above which it passes
	NElo0   float64 `json:"nelo0"`
	NElo1   float64 `json:"nelo1"`
	Alpha   float64 `json:"alpha"`
	Beta    float64 `json:"beta"`
	Cap     int     `json:"cap"` // greatest number of pairs
}

// NewSPRT returns the sequential test of two bounds, nElo, which errs with 5 % on either side.
func NewSPRT(nElo0, nElo1 float64) stats.SPRT {
	return stats.SPRT{NElo0: nElo0, NElo1: nElo1, Alpha: testError, Beta: testError}
}

// GateTest returns the sequential test of one gate, where the given number of gates (1 or more) is planned, of a run whose
// final gate was judged a number of times before. What follows such a gate is a further try: alpha falls with the square of its number,
// so all tries together err in some π²/6 · 5 % = 8.2 % of cases at most; in 7/6 of that where a budget that was raised between two gates
// plans three in place of two.
func GateTest(planned, before int) stats.SPRT {
	test := NewSPRT(gateNElo0, gateNElo1)
	test.Alpha /= float64(planned * (1 + before) * (1 + before))
	return test
}

// Gate plays A against B until the sequential test ends, or the openings of the match are used up. It passes
// only if the test accepts that A is better, not if the pairs run out first. Equal weights need no game: they fail, and pass a test
// whose hypotheses are rather below 0.
// watch, if not nil, is called after each pair of the tally, void ones too. With an error, such as that of a ctx that is done, the
// report holds the pairs so far, and the gate is not passed.
func (m *Match) Gate(ctx context.Context, runner selfplay.Runner, sprt stats.SPRT, watch func(Tally, *stats.Test)) (GateReport, error) {
	test, err := stats.NewTest(sprt, int64(len(m.Openings)))
	if err != nil {
		return GateReport{}, fmt.Errorf("match: gate: %w", err)
	}
	var t Tally
	verdict := stats.AcceptH0
	if sprt.NElo0+sprt.NElo1 < 0 { // equal players are nearer to the upper hypothesis
		verdict = stats.AcceptH1
	}
	if !m.Same() {
		t, err = m.PlayTest(ctx, runner, test, func(t Tally) {
			if watch != nil {
				watch(t, test)
			}
		})
		if verdict = test.Verdict(); verdict == stats.Continue {
			verdict = stats.Inconclusive // void pairs do not count, so the test has not seen as many pairs as its cap
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

// Plain returns the verdict in words for people: Passed, NotPassed, Undecided or "interrupted".
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

// decided reports whether the test ended by its bounds.
func (g *GateReport) decided() bool { return g.Plain() == Passed || g.Plain() == NotPassed }

// Unplayed reports whether the test ended without a game, since both sides play the same weights.
func (g *GateReport) Unplayed() bool {
	return g.Pairs == 0 && g.decided()
}

// Same reports whether both sides play the same weights, or are the same player of another kind.
func (m *Match) Same() bool {
	a, b := &m.A.Player, &m.B.Player
	if a.Weights == nil || b.Weights == nil {
		return a.Identity != "" && a.Identity == b.Identity
	}
	return slices.Equal(a.Weights.Values, b.Weights.Values)
}
