// Package stream derives random numbers from a seed and a purpose. No generator is stored, passed on or
// shared. The same seed and purpose give the same numbers on every machine and for any number of
// workers.
package stream

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// New returns the random numbers of one purpose, such as "block 12"; the arguments are formatted as by
// fmt.Sprintf. Equal seeds and purposes give equal streams.
func New(seed uint64, purpose string, args ...any) *rand.Rand {
	return rand.New(Source(seed, purpose, args...))
}

// Source returns the generator behind New: PCG with the seed and the FNV-1a hash of the purpose.
func Source(seed uint64, purpose string, args ...any) *rand.PCG {
	h := fnv.New64a()
	fmt.Fprintf(h, purpose, args...)
	return rand.NewPCG(seed, h.Sum64())
}
