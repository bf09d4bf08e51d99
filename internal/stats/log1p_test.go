package stats

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// Log1p gives the bits of math.Log1p without fused multiply-add. Stored runs hold losses computed with these
// bits.
func TestLog1pHasTheSameBitsEverywhere(t *testing.T) {
	bits := fnv.New64()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		x := rng.Float64()
		if i%2 == 0 {
			x = math.Ldexp(x, -rng.IntN(60))
		}
		got := Log1p(x)
		if want := math.Log1p(x); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("Log1p(%v): got %v, want %v", x, got, want)
		}
		bits.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(got)))
	}
	if got, want := bits.Sum64(), uint64(0x3d1cee81f0c9881c); got != want {
		t.Errorf("got bits that sum to %#x, want %#x", got, want)
	}
}

func TestLog1pAtItsEnds(t *testing.T) {
	for _, x := range []float64{0, math.SmallestNonzeroFloat64, 1e-17, 1e-10, math.Sqrt2 - 1, math.Nextafter(math.Sqrt2-1, 0), 0.9999999, math.Nextafter(1, 0), 1} {
		if got, want := Log1p(x), math.Log1p(x); math.Abs(got-want) > 1e-15*want {
			t.Errorf("Log1p(%v): got %v, want %v", x, got, want)
		}
	}
}
