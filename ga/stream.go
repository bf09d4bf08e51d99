package ga

import (
	"fmt"
	"hash/fnv"
	randv1 "math/rand"
	"math/rand/v2"
)

// stream returns the random stream of one purpose, such as "gen 12/pairings".
// Equal seeds and purposes give equal streams; no generator is ever stored.
func stream(seed uint64, format string, args ...any) *rand.Rand {
	return rand.New(source(seed, format, args...))
}

func source(seed uint64, format string, args ...any) *rand.PCG {
	h := fnv.New64a()
	fmt.Fprintf(h, format, args...)
	return rand.NewPCG(seed, h.Sum64())
}

// streamV1 is stream for eaopt, which wants a generator of math/rand.
func streamV1(seed uint64, format string, args ...any) *randv1.Rand {
	return randv1.New(pcgV1{source(seed, format, args...)})
}

// pcgV1 lets a PCG serve as a math/rand source.
type pcgV1 struct{ pcg *rand.PCG }

func (s pcgV1) Uint64() uint64 { return s.pcg.Uint64() }
func (s pcgV1) Int63() int64   { return int64(s.pcg.Uint64() >> 1) }

// Seed is required by math/rand and never called: a stream is derived, not
// seeded.
func (s pcgV1) Seed(int64) { panic("ga: a derived stream is never seeded") }
