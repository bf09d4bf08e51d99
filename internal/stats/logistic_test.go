package stats

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	rng := stream("exp")
	for range 200000 {
		x := 1400*rng.Float64() - 700
		if rng.IntN(2) == 0 {
			x /= 1000
		}
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 4e-16*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if exp(0) != 1 || exp(-1e9) != exp(-700) || exp(1e9) != exp(700) {
		t.Errorf("exp(0), exp(-1e9), exp(1e9) = %v, %v, %v", exp(0), exp(-1e9), exp(1e9))
	}
}

func TestLogistic(t *testing.T) {
	for x := -60.0; x <= 60; x += 0.37 {
		up, down := logistic(x)
		if want := 1 / (1 + math.Exp(-x)); !(math.Abs(up-want) <= 1e-15*want) {
			t.Errorf("logistic(%g) = %v, want %v", x, up, want)
		}
		if a, b := logistic(-x); a != down || b != up {
			t.Errorf("logistic(%g) = %v, %v, but of the negative %v, %v", x, up, down, a, b)
		}
	}
}
