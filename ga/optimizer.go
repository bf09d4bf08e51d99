// Package ga holds optimisers of bounded vectors behind one ask-and-tell
// interface: an [Optimizer] asks for games by naming pairings of genomes, and is
// told the pentanomial of each pairing. It knows nothing of the game that is
// played, so every optimiser is compared on synthetic landscapes in
// milliseconds (docs/results/landscapes.md).
//
// Genes lie in [-1, 1]. The unit of play is the pair: one opening, both colours.
// Everything is a pure function of the configuration and the results: random
// streams are derived from (seed, purpose), sums run in index order, and a
// checkpoint of a closed generation continues byte for byte.
//
// No optimiser is safe for concurrent use.
package ga

import (
	"fmt"
	"math"
	"slices"

	"quintune/internal/stats"
)

// Gene declares one coordinate of a genome. The order of the genes is the
// contract between caller and optimiser.
type Gene struct {
	Name   string
	Group  string  // for the caller: no optimiser looks at it
	Start  float64 // value of the start genome, in [-1, 1]
	Frozen bool    // a frozen gene keeps its Start in every genome
	Unit   float64 // how many times as far as others the gene moves, and its twins lie apart, from 1 to MaxUnit; 0: 1

	// Class names what the gene belongs to, such as a pattern. Most couples of MethodGA move all genes of a class alike: up or down
	// together, or, where a gene is Signed, all away from 0 or all towards it. "": the gene is alone.
	Class  string
	Signed bool // 0 stands for no effect, and both signs of the gene are alike

	// Values are the only positions that differ from each other, ascending in [-1, 1], where the caller rounds the gene to few
	// values. MethodGA chooses one of the two next to a twin by chance; a champion may lie between two. None: every position differs.
	// One: no position does, so the gene is frozen.
	Values []float64
}

func (g *Gene) isFrozen() bool { return g.Frozen || len(g.Values) == 1 }

// Pairing asks for Pairs pairs of games between two players. A is always an
// index of [Batch.Genomes]; B is one too, or -1-k for the outside opponent with
// index k. The pairs are played on the openings Opening, Opening+1, … of the
// block of openings numbered Block.
type Pairing struct {
	A, B    int
	Pairs   int
	Block   int
	Opening int
}

// Batch is one generation of games. All its pairings may be played in any order
// and in parallel. The receiver must not change it.
type Batch struct {
	Generation int         // counts from 0 over all phases of a run
	Phase      string      // name of the method that asks, or PhaseTrial
	Genomes    [][]float64 // [genome][gene], frozen genes included, in [-1, 1]
	Pairings   []Pairing
	Openings   int // openings that the batch's block must hold
}

// Games returns the number of games that the batch costs: two a pair.
func (b Batch) Games() int {
	games := 0
	for _, p := range b.Pairings {
		games += 2 * p.Pairs
	}
	return games
}

// Spread returns the mean over the genes of the standard deviation of the batch's genomes, gene units, and 0 without genomes.
func (b Batch) Spread() float64 {
	if len(b.Genomes) == 0 {
		return 0
	}
	total, genomes, genes := 0.0, float64(len(b.Genomes)), len(b.Genomes[0])
	for i := range genes {
		sum, squares := 0.0, 0.0
		for _, g := range b.Genomes {
			sum += g[i]
		}
		mean := sum / genomes
		for _, g := range b.Genomes {
			squares += float64((g[i] - mean) * (g[i] - mean))
		}
		total += math.Sqrt(squares / genomes)
	}
	return total / float64(genes)
}

// Optimizer searches for the strongest genome within a budget of games.
//
// The caller repeats Ask, plays, Tell until Ask returns false. Between a Tell
// and the next Ask the generation is closed.
type Optimizer interface {
	// Ask returns the next batch, and false when the budget holds no further
	// one. It returns the same batch until Tell closes it.
	Ask() (Batch, bool)
	// Open returns the batches whose games may be played now, at most
	// Config.InFlight, oldest first: that of Ask, then those after it. What they
	// hold does not depend on when Open is called.
	Open() []Batch
	// Tell closes the oldest open batch with one pentanomial for each pairing, by
	// index, seen from A: the counts of pairs by A's points in a pair times two, 0
	// to 4. A void pair is left out of the counts. It is an error
	// where neither Ask nor Open has returned that batch, nor a checkpoint held it.
	// Results told twice count for the next batch if that was returned and they
	// fit it.
	Tell(results []stats.Pentanomial) error
	// Champion returns the genome that the closed generations recommend, frozen
	// genes included; the start genome before the first is closed.
	Champion() []float64
	// AddChampion adds an outside opponent, which nobody plays, and returns its
	// index k (see Pairing).
	AddChampion(name string) int
	// Opponents returns the outside opponents by index: those of the
	// configuration, then the added champions.
	Opponents() []Opponent
	// Progress returns the figures of the last closed generation.
	Progress() Progress
	// Checkpoint returns the last closed generation as JSON. It holds no
	// generator state; open batches are asked again after Restore.
	Checkpoint() ([]byte, error)
	// Restore replaces the state by a checkpoint of the same method and number of
	// free genes. The configuration is not stored: with equal configurations the
	// continuation is equal byte for byte, with a larger budget the run goes on.
	Restore(checkpoint []byte) error
}

// Progress holds the figures of the last closed generation. Elo figures are
// shrunk: good for watching, not for quoting.
type Progress struct {
	Phase       string  `json:"phase"`
	Generation  int     `json:"generation"`        // -1 before the first is closed
	Games       int     `json:"games"`             // asked in all closed generations
	Budget      int     `json:"budget"`            // in games
	Sigma       float64 `json:"sigma"`             // gene units: perturbation, 0 before the first; of MethodGA mutation width after it, before the first that at the end of the budget
	Spread      float64 `json:"spread"`            // mean over genes of the sd of all genomes of the batch
	Best        float64 `json:"best"`              // Elo of the centre above the start genome, 0 from SPSA
	Mean        float64 `json:"mean"`              // the same
	Immigrants  int     `json:"immigrants"`        // read from stored runs, never written but as 0
	VoidedPairs int     `json:"voided_pairs"`      // asked and not told, in all closed generations
	Settled     bool    `json:"settled,omitempty"` // twice the games gained less than 15 Elo; see standstill. Of the adaptive strategy alone
}

// Names of the methods, as New takes them; Batch.Phase shows which one asks.
const (
	MethodGA   = "ga"
	MethodSPSA = "spsa"
	// PhaseTrial is the phase of the match that decides whether the width suits.
	PhaseTrial = "trial"

	methodAdaptive = "ga+adaptive" // in checkpoints
)

// Methods returns the names that New takes.
func Methods() []string { return []string{MethodGA, MethodSPSA} }

// New returns the optimiser of a name, at the start genome: MethodGA is Adaptive, MethodSPSA is SPSA. It is an error where the name is
// unknown or Config.Validate reports one.
func New(method string, c Config) (Optimizer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c.Opponents = slices.Clone(c.Opponents)
	switch method {
	case MethodGA:
		return newAdaptive(c), nil
	case MethodSPSA:
		return newSPSA(c), nil
	}
	return nil, fmt.Errorf("ga: unknown method %q, known are %q", method, Methods())
}

// CheckResults reports results that do not fit the pairings, and returns how
// many pairs were void.
func CheckResults(pairings []Pairing, results []stats.Pentanomial) (void int, err error) {
	if len(results) != len(pairings) {
		return 0, fmt.Errorf("ga: %d results for %d pairings", len(results), len(pairings))
	}
	for i, r := range results {
		pairs := 0
		for score, n := range r {
			if n < 0 || n > int64(pairings[i].Pairs) {
				return 0, fmt.Errorf("ga: result %d has %d pairs of score %d/4, outside [0, %d]", i, n, score, pairings[i].Pairs)
			}
			pairs += int(n)
		}
		if pairs > pairings[i].Pairs {
			return 0, fmt.Errorf("ga: result %d has %d pairs, %d were asked", i, pairs, pairings[i].Pairs)
		}
		void += pairings[i].Pairs - pairs
	}
	return void, nil
}
