package stats

import (
	"fmt"
	"math"
)

// MaxHypothesis is the largest normalised Elo, either way, that a hypothesis may state.
const MaxHypothesis = 200

// SPRT is a sequential test of two hypotheses on A's normalised Elo against B: H0 says NElo0, H1
// says the greater NElo1. Alpha is the probability of accepting H1 where H0 is true, Beta that of
// accepting H0 where H1 is true. Source: A. Wald, "Sequential Tests of Statistical Hypotheses".
type SPRT struct {
	NElo0, NElo1 float64 // nElo, within ±MaxHypothesis
	Alpha, Beta  float64 // in (0, 0.5)
}

// Validate returns an error that names the first value out of its bounds.
func (s SPRT) Validate() error {
	// The conditions are written so that NaN fails them.
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
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// LLR returns the exact log-likelihood ratio of H1 over H0.
func (s SPRT) LLR(p Pentanomial) float64 { return p.LLR(s.NElo0, s.NElo1) }

// Verdict is what a sequential test says.
type Verdict uint8

const (
	// Continue: no bound has been reached, more pairs are wanted.
	Continue Verdict = iota
	// AcceptH1: A is better by NElo1 rather than NElo0.
	AcceptH1
	// AcceptH0: A is better by NElo0 rather than NElo1.
	AcceptH0
	// Inconclusive: the cap of pairs was reached between the bounds.
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

// Test is one sequential test under way. It is fed the scores of the pairs in the order of their
// indices and ends at the smallest prefix whose LLR reaches a bound, so the verdict is a function
// of the pairs and not of who delivered them when. Not safe for concurrent use.
type Test struct {
	sprt         SPRT
	lower, upper float64
	capPairs     int64
	pairs        int64
	result       Pentanomial
	llr          float64
	verdict      Verdict
}

// NewTest returns a test before its first pair that plays at most capPairs (1 or more) pairs.
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

// Add counts the next pair, whose score is A's points times two (0..4; anything else panics), and
// returns the verdict. Once the test has ended, later pairs are discarded.
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

// Verdict returns what the test says by now.
func (t *Test) Verdict() Verdict { return t.verdict }

// LLR returns the log-likelihood ratio of the pairs counted, 0 before the first.
func (t *Test) LLR() float64 { return t.llr }

// Result returns the pairs that were counted, without the discarded ones.
func (t *Test) Result() Pentanomial { return t.result }

// SPRT returns the hypotheses and errors that the test was made with.
func (t *Test) SPRT() SPRT { return t.sprt }
