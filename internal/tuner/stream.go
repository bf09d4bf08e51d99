package tuner

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// stream returns the random numbers of one purpose, such as "block 12". Equal seeds and purposes
// give equal streams; no generator is ever stored.
func stream(seed uint64, format string, args ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, format, args...)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
