package weights

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Without fused operations (amd64, GOAMD64=v1) package math gives the same bits.
func TestHyperbolicFunctionsAreThoseOfMath(t *testing.T) {
	const most = 1e-15 // relative difference; on other processors package math uses fused operations
	for _, f := range []struct {
		name      string
		got, want func(float64) float64
	}{{"sinh", sinh, math.Sinh}, {"asinh", asinh, math.Asinh}} {
		t.Run(f.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			for range 200_000 {
				x := math.Exp(40*rng.Float64()-20) - .5
				for _, x := range []float64{x, -x, rng.Float64() * 3} {
					if x = min(x, 600); math.Abs(x) > 600 {
						continue
					}
					if got, want := f.got(x), f.want(x); math.Abs(got-want) > most*math.Abs(want) {
						t.Fatalf("%s(%v) is %v, want %v", f.name, x, got, want)
					}
				}
			}
			if got := f.got(0); got != 0 {
				t.Errorf("%s(0) is %v", f.name, got)
			}
		})
	}
}

// These expected bits hold on every processor, since the functions use neither Exp nor Log of package math.
func TestHyperbolicFunctionsHaveTheSameBitsEverywhere(t *testing.T) {
	for _, test := range []struct {
		name string
		got  float64
		want uint64
	}{
		{"sinh(0.1)", sinh(.1), 0x3fb9a487337b59b4},
		{"sinh(-0.37)", sinh(-.37), 0xbfd83958a8de893b},
		{"sinh(0.5)", sinh(.5), 0x3fe0acd00fe63b97},
		{"asinh(0.1)", asinh(.1), 0x3fb98eb9e7e5fc3f},
		{"asinh(-0.9)", asinh(-.9), 0xbfe9e23ce96e38d4},
		{"asinh(1.7)", asinh(1.7), 0x3ff4d0291473fd4a},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := math.Float64bits(test.got); got != test.want {
				t.Errorf("%s has the bits %#x, want %#x", test.name, got, test.want)
			}
		})
	}
}
