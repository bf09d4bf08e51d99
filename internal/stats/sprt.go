package stats

import (
	"fmt"
	"math"

	"quintune/internal/strictmath"
)

// MaxHypothesis bounds the absolute value of a hypothesis, in normalised Elo.
const MaxHypothesis = 200

// SPRT is a sequential test of two hypotheses on A's normalised Elo against B: H0 states NElo0, H1 the greater
// NElo1. Alpha is the probability of accepting H1 where H0 is true, Beta that of accepting H0 where H1 is true.
// Source: A. Wald, "Sequential Tests of Statistical Hypotheses".
type SPRT struct {
	NElo0, NElo1 float64 // nElo, within ±MaxHypothesis
	Alpha, Beta  float64 // in (0, 0.5)
}

// Validate returns an error that names the first value out of its bounds.
func (s SPRT) Validate() error {
	// Each condition is written so that it is false for NaN.
	for _, h := range []struct {
		name  string
		value float64
	}{{"lower", s.NElo0}, {"upper", s.NElo1}} {
		if !(math.Abs(h.value) <= MaxHypothesis) {
			return fmt.Errorf("sprt: %s bound is %g nElo, outside [%d, %d]", h.name, h.value, -MaxHypothesis, MaxHypothesis)
		}
	}
	if !(s.NElo0 < s.NElo1) {
		return fmt.Errorf("sprt: lower bound is %g nElo, not below the upper bound %g", s.NElo0, s.NElo1)
	}
	for _, e := range []struct {
		name  string
		value float64
	}{{"alpha", s.Alpha}, {"beta", s.Beta}} {
		if !(e.value > 0 && e.value < 0.5) {
			return fmt.Errorf("sprt: %s is %g, outside (0, 0.5)", e.name, e.value)
		}
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which the test ends: at or below lower H0 is
// accepted, at or above upper H1.
func (s SPRT) Bounds() (lower, upper float64) {
	return strictmath.Log(s.Beta / (1 - s.Alpha)), strictmath.Log((1 - s.Beta) / s.Alpha)
}

// LLR returns the exact log-likelihood ratio of H1 over H0.
func (s SPRT) LLR(p Pentanomial) float64 { return p.LLR(s.NElo0, s.NElo1) }

// Verdict is the state of a sequential test.
type Verdict uint8

const (
	// Continue: no bound has been reached yet.
	Continue Verdict = iota
	// AcceptH1: NElo1 is accepted as A's strength.
	AcceptH1
	// AcceptH0: NElo0 is accepted as A's strength.
	AcceptH0
	// Inconclusive: the greatest number of pairs was reached before a bound.
	Inconclusive
)

var verdictNames = [...]string{"continue", "accept H1", "accept H0", "inconclusive"}

// String returns the verdict in lower case: "continue", "accept H1", "accept H0", "inconclusive".
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}

// Test is one sequential test in progress. It takes the scores of the pairs in the order of their indices and
// ends at the first pair at which the LLR reaches a bound. So the verdict depends on the pairs, not on the order
// in which they were finished. Not safe for concurrent use.
type Test struct {
	sprt         SPRT
	lower, upper float64
	capPairs     int64
	pairs        int64
	result       Pentanomial
	llr          float64
	verdict      Verdict
}

// NewTest returns a test that plays at most capPairs (1 or more) pairs.
func NewTest(s SPRT, capPairs int64) (*Test, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if capPairs < 1 {
		return nil, fmt.Errorf("sprt: cap is %d pairs, below 1", capPairs)
	}
	t := &Test{sprt: s, capPairs: capPairs}
	t.lower, t.upper = s.Bounds()
	return t, nil
}

// Add counts the next pair and returns the verdict. score is A's points times two, 0..4; other values panic.
// Once the test has ended, further pairs are ignored.
func (t *Test) Add(score int) Verdict {
	if t.verdict != Continue {
		return t.verdict
	}
	t.result[score]++
	t.pairs++
	t.llr = t.sprt.LLR(t.result)
	switch {
	case t.llr >= t.upper:
		t.verdict = AcceptH1
	case t.llr <= t.lower:
		t.verdict = AcceptH0
	case t.pairs >= t.capPairs:
		t.verdict = Inconclusive
	}
	return t.verdict
}

// Verdict returns the current state of the test.
func (t *Test) Verdict() Verdict { return t.verdict }

// LLR returns the log-likelihood ratio of the counted pairs, 0 before the first.
func (t *Test) LLR() float64 { return t.llr }

// SPRT returns the hypotheses and errors of the test.
func (t *Test) SPRT() SPRT { return t.sprt }
