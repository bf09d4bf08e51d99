package ga

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"quintune/internal/stats"
	"quintune/internal/stream"
)

// lots answers a batch by chance alone, with A ahead in every third generation: whole numbers, so that no rounding counts.
func lots(b Batch) []stats.Pentanomial {
	rng := stream.New(11, "lots of gen %d", b.Generation)
	results := make([]stats.Pentanomial, len(b.Pairings))
	for i, p := range b.Pairings {
		for range p.Pairs {
			points := rng.IntN(stats.Outcomes)
			if b.Generation%3 == 0 {
				points = min(stats.Outcomes-1, points+rng.IntN(2))
			}
			results[i][points]++
		}
	}
	return results
}

// Stored runs go on with the games that they would have asked for: the batches and checkpoints of a configuration never change
// unless Version does, and are the same on every processor.
func TestBatchesAreThoseOfEarlierVersions(t *testing.T) {
	for _, test := range []struct {
		name, method string
		change       func(*Config)
		want         string
	}{
		{"ga", MethodGA, func(*Config) {}, "74edb4885979117c"},
		{"ga from a width", MethodGA, func(c *Config) { c.Width = .04 }, "74a5d8933f7757dc"},
		{"ga of many genes", MethodGA, func(c *Config) { c.Genes = landscapeGenes(200) }, "2692d0313ed8c352"},
		{"ga in flight", MethodGA, func(c *Config) { c.InFlight = 3 }, "351edeccf05cf13d"},
		{"spsa", MethodSPSA, func(c *Config) { c.Perturb, c.Rate = .1, .01 }, "3f909b084979609f"},
		{"spsa in flight", MethodSPSA, func(c *Config) { c.InFlight = 3 }, "55b9a2952c86f9d8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := DefaultConfig()
			c.Genes, c.Seed, c.Budget = landscapeGenes(9), 7, 12_000
			c.Genes[4].Frozen, c.Genes[4].Start, c.Genes[5].Start = true, .625, -1
			c.Opponents = []Opponent{{Name: "start", Kind: Anchor}, {Name: "huang", Kind: Anchor}}
			test.change(&c)
			o, hash := mustNew(t, test.method, c), sha256.New()
			for b, more := o.Ask(); more; b, more = o.Ask() {
				_, _ = fmt.Fprintln(hash, mustJSON(t, b))
				if b.Generation%50 == 0 {
					_, _ = fmt.Fprintln(hash, mustCheckpoint(t, o))
				}
				if b.Generation == 4 {
					o.AddChampion("gated")
				}
				if err := o.Tell(lots(b)); err != nil {
					t.Fatal(err)
				}
			}
			if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != test.want {
				t.Errorf("batches and checkpoints have the hash %s, want %s", got, test.want)
			}
		})
	}
}
