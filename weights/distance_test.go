package weights

import (
	"math"
	"testing"
)

func TestDistance(t *testing.T) {
	tests := []struct {
		ref, a, b int32
		want      float64
	}{
		{100, 50, 100, 1},
		{100, 100, 50, 1},
		{100, 80, 80, 0},
		{100, 0, 100, 1.2716},
		{100, -100, 0, 1.2716},
		{100, -100, 100, 2.5431},
		{1000, 0, 100, .1440},
		{0, 0, 1, 1.2716},
	}
	for _, test := range tests {
		if got := (Decl{Ref: test.ref}).Distance(test.a, test.b); math.Abs(got-test.want) > 1e-4 {
			t.Errorf("ref %d: %d and %d are %.4f apart, want %.4f", test.ref, test.a, test.b, got, test.want)
		}
	}
}
