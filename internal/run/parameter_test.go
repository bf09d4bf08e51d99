package run

import (
	"fmt"
	"math"
	"testing"
)

func TestDistance(t *testing.T) {
	tests := []struct{ ref, start, value, want float64 }{
		{100, 50, 100, 1},
		{100, 100, 50, 1},
		{100, 80, 80, 0},
		{100, 0, 100, 1.2716},
		{100, -100, 0, 1.2716},
		{100, -100, 100, 2.5431},
		{1000, 0, 100, .1440},
		{1, 0, 1, 1.2716},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v: %v and %v", test.ref, test.start, test.value), func(t *testing.T) {
			v := Value{Parameter{Start: test.start, Ref: test.ref}, test.value}
			if got := v.Distance(); math.Abs(got-test.want) > 1e-4 {
				t.Errorf("ref %v: %v and %v are %.4f apart, want %.4f", test.ref, test.start, test.value, got, test.want)
			}
		})
	}
}
