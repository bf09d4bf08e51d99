package baseline

import (
	"slices"
	"testing"
)

// violations returns the constraints on its parameters that a table does not meet. The author tuned by hand and
// tried to keep them; his own table violates one. a and b are the values of five, own and opponent's; c and d
// are four with two empty ends; e and f four with one; g and h three with two.
func (s *zhangScores) violations() []string {
	own, opponent := &s.own.kinds, &s.opponent.kinds
	a, b := own[zhangFive], opponent[zhangFive]
	c, d := own[zhangFour2], opponent[zhangFour2]
	e, f := own[zhangFour1], opponent[zhangFour1]
	g, h := own[zhangThree2], opponent[zhangThree2]
	var broken []string
	for _, constraint := range []struct {
		text  string
		holds bool
	}{
		{"2a > a", 2*a > a},
		{"a > 2b", a > 2*b},
		{"2b > b", 2*b > b},
		{"b > 2c", b > 2*c},
		{"c > 2d", c > 2*d},
		{"c > 2e", c > 2*e},
		{"c > 2f", c > 2*f},
		{"d > e", d > e},
		{"e > f", e > f},
		{"2g > g", 2*g > g},
		{"g > 2h", g > 2*h},
		{"2h > f", 2*h > f},
		{"f > h", f > h},
		{"2g > e", 2*g > e},
	} {
		if !constraint.holds {
			broken = append(broken, constraint.text)
		}
	}
	return broken
}

func TestZhangConstraints(t *testing.T) {
	authors := authorsZhang()
	if got := authors.violations(); !slices.Equal(got, []string{"g > 2h"}) {
		t.Errorf("his own table breaks %v, want g > 2h alone", got)
	}
	mended := authors
	mended.own.kinds[zhangThree2] = 2001
	if got := mended.violations(); got != nil {
		t.Errorf("with an own open three of 2001 it breaks %v", got)
	}
	flat := zhangScores{}
	if got := flat.violations(); len(got) != 14 {
		t.Errorf("a table of zeros breaks %d constraints, want all 14", len(got))
	}
}
