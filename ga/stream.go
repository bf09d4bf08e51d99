package ga

import (
	randv1 "math/rand"
	"math/rand/v2"

	"quintune/internal/stream"
)

// streamV1 is stream.New for eaopt, which wants a generator of math/rand.
func streamV1(seed uint64, format string, args ...any) *randv1.Rand {
	return randv1.New(pcgV1{stream.Source(seed, format, args...)})
}

// pcgV1 lets a PCG serve as a math/rand source.
type pcgV1 struct{ pcg *rand.PCG }

func (s pcgV1) Uint64() uint64 { return s.pcg.Uint64() }
func (s pcgV1) Int63() int64   { return int64(s.pcg.Uint64() >> 1) }

// Seed is required by math/rand and never called: a stream is derived, not
// seeded.
func (s pcgV1) Seed(int64) { panic("ga: a derived stream is never seeded") }
