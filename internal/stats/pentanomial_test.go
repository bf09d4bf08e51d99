package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// anyPentanomial generates counts of very different sizes, many of them zero.
func anyPentanomial() *rapid.Generator[Pentanomial] {
	return rapid.Custom(func(t *rapid.T) Pentanomial {
		var p Pentanomial
		for i := range p {
			limit := rapid.SampledFrom([]int64{0, 3, 100, 50000}).Draw(t, "limit")
			p[i] = rapid.Int64Range(0, limit).Draw(t, "count")
		}
		return p
	})
}

// near reports whether two values agree within a relative or absolute tolerance.
func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}

func TestPentanomial(t *testing.T) {
	tests := []struct {
		name            string
		p               Pentanomial
		pairs           int64
		score, variance float64
	}{
		{"none", Pentanomial{}, 0, 0.5, 0},
		{"all lost", Pentanomial{7}, 7, 0, 0},
		{"all split", Pentanomial{0, 0, 9}, 9, 0.5, 0},
		{"all won", Pentanomial{0, 0, 0, 0, 3}, 3, 1, 0},
		{"one of each", Pentanomial{1, 1, 1, 1, 1}, 5, 0.5, 0.125},
		{"won and lost", Pentanomial{1, 0, 0, 0, 3}, 4, 0.75, 0.1875},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := test.p
			if p.Pairs() != test.pairs || p.Games() != 2*test.pairs {
				t.Errorf("pairs, games = %d, %d, want %d, %d", p.Pairs(), p.Games(), test.pairs, 2*test.pairs)
			}
			if p.Score() != test.score || p.Variance() != test.variance {
				t.Errorf("score, variance = %g, %g, want %g, %g", p.Score(), p.Variance(), test.score, test.variance)
			}
		})
	}
}

func TestPentanomialSumAndMirror(t *testing.T) {
	a, b := Pentanomial{1, 2, 3, 4, 5}, Pentanomial{10, 0, 0, 0, 1}
	if sum := a.Add(b); sum != (Pentanomial{11, 2, 3, 4, 6}) {
		t.Errorf("sum is %v, want {11, 2, 3, 4, 6}", sum)
	}
	if mirror := a.Mirror(); mirror != (Pentanomial{5, 4, 3, 2, 1}) {
		t.Errorf("mirror is %v, want {5, 4, 3, 2, 1}", mirror)
	}
	if a != (Pentanomial{1, 2, 3, 4, 5}) {
		t.Errorf("the operand has changed to %v", a)
	}
}

// Variance returns the variance of one pair's score (0..1), 0 when there are no pairs. It divides by the number
// of pairs, not by one less.
func (p Pentanomial) Variance() float64 {
	n := p.Pairs()
	if n == 0 {
		return 0
	}
	mean, sum := p.Score(), 0.0
	for i, count := range p {
		d := pairScore(i) - mean
		sum += float64(float64(count) * float64(d*d))
	}
	return sum / float64(n)
}
