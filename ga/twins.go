package ga

import (
	"errors"
	"math"
	"math/rand"
	randv2 "math/rand/v2"
	"slices"

	"github.com/MaxHalford/eaopt"

	"quintune/internal/stream"
)

// errUnplayed is returned when a twin is evaluated: what its games tell is recombined, and evaluation never plays.
var errUnplayed = errors.New("ga: genome has no games of its own")

// kin says which free genes a couple may move together, and how they are rounded; see [Gene].
type kin struct {
	class   []int // [free gene]: number of its class
	classes int
	signed  []bool      // [free gene]
	reach   []float64   // [free gene]; see space
	values  [][]float64 // [free gene]
}

// kin returns that of the free genes.
func (s space) kin() *kin {
	var k kin
	numbers := map[string]int{}
	k.reach = s.reach
	for i, g := range s.free {
		gene := &s.genes[g]
		number, known := numbers[gene.Class]
		if !known || gene.Class == "" {
			number = k.classes
			numbers[gene.Class] = number
			k.classes++
		}
		k.class, k.signed, k.values = append(k.class, number), append(k.signed, gene.Signed), append(k.values, slices.Clone(gene.Values))
		for v := range k.values[i] {
			k.values[i][v] *= s.reach[i]
		}
	}
	return &k
}

// twin is one of a couple that lies mirrored around the centre of its generation (antithetic or mirrored sampling). As an eaopt.Genome it carries
// its own mutation width.
type twin struct {
	point []float64 // [free gene]
	away  []float64 // from the middle of the couple, so that the mate is at −away
	width float64   // width of its mutation, gene units
	kin   *kin
	joint bool // its mutation moves the genes of a class together
}

// Evaluate always fails; see errUnplayed. An eaopt.Genome has it.
func (t *twin) Evaluate() (float64, error) { return 0, errUnplayed }

// Clone returns a copy.
func (t *twin) Clone() eaopt.Genome {
	c := *t
	c.point, c.away = append([]float64(nil), t.point...), append([]float64(nil), t.away...)
	return &c
}

// Mutate moves every gene by the width, up or down, by one lot for each gene or for each class of genes. Near a bound the move is
// shorter, so that the mate has room on the other side, but a quarter of the width at least.
func (t *twin) Mutate(rng *rand.Rand) {
	lots := len(t.point)
	if t.joint {
		lots = t.kin.classes
	}
	down := make([]bool, lots)
	var word uint64
	for i := range down {
		if i%64 == 0 {
			word = rng.Uint64()
		}
		down[i] = word&1 == 1
		word >>= 1
	}
	for i, x := range t.point {
		lot := i
		if t.joint {
			lot = t.kin.class[i]
		}
		reach := t.kin.reach[i]
		move := min(t.width, max(reach-math.Abs(x), t.width/4))
		if down[lot] != (t.joint && t.kin.signed[i] && x < 0) {
			move = -move
		}
		t.point[i], t.away[i] = clamp(x+move, reach), move
	}
}

// Crossover turns the mate, a copy of the same centre, into the mirror image. Both know their real distance, which
// the bounds of the genes may have shortened, and the rounding of genes with few values changed.
func (t *twin) Crossover(mate eaopt.Genome, rng *rand.Rand) {
	other := mate.(*twin)
	for i, move := range t.away {
		other.point[i] = clamp(other.point[i]-move, t.kin.reach[i])
		if values := t.kin.values[i]; len(values) > 0 {
			chance := rng.Float64() // one for both, so that they never change places
			t.point[i], other.point[i] = roundByChance(values, t.point[i], chance), roundByChance(values, other.point[i], chance)
		}
		t.away[i] = (t.point[i] - other.point[i]) / 2
		other.away[i] = -t.away[i]
	}
}

// roundByChance returns the value above x if its share of the way to it is greater than chance, in [0, 1), and the value below
// otherwise. So the mean over all chances is x, unless x lies outside the values.
func roundByChance(values []float64, x, chance float64) float64 {
	above, exact := slices.BinarySearch(values, x)
	switch {
	case exact || above == 0:
		return values[above]
	case above == len(values):
		return values[above-1]
	}
	below := values[above-1]
	if (x-below)/(values[above]-below) > chance {
		return values[above]
	}
	return below
}

// couple is how two twins of an open generation are bred, and which pairing of its batch they play.
type couple struct {
	width   float64 // of the mutation, gene units
	narrow  bool    // narrower than others
	joint   bool    // its mutation moves the genes of a class together
	rival   bool    // the twins play a rival, in this pairing and the next, and not each other
	pairing int     // index in Batch.Pairings
}

// coupling is the eaopt.Model of the adaptive strategy: it replaces a population of one, the centre, by the couples of
// a generation, mates next to each other.
type coupling struct {
	seed       uint64
	generation int
	couples    []couple
}

// Validate reports a generation without couples. An eaopt.Model has it; breed makes no such generation.
func (c *coupling) Validate() error {
	if len(c.couples) == 0 {
		return errors.New("ga: a generation needs a couple")
	}
	return nil
}

// Apply breeds the couples around the only individual. Its error is always nil.
func (c *coupling) Apply(pop *eaopt.Population) error {
	pop.RNG = streamV1(c.seed, "gen %d/couples", c.generation)
	centre := pop.Individuals[0].Genome
	children := make(eaopt.Individuals, 0, 2*len(c.couples))
	for _, couple := range c.couples {
		first, second := centre.Clone().(*twin), centre.Clone().(*twin)
		first.width, first.joint = couple.width, couple.joint
		first.Mutate(pop.RNG)
		first.Crossover(second, pop.RNG)
		children = append(children, eaopt.Individual{Genome: first}, eaopt.Individual{Genome: second})
	}
	pop.Individuals = children
	return nil
}

// recombination is the weighted sum of what couples lie apart, its power, and how much it tells: power is the variance that
// the sum has in every gene where nothing but chance decides the games, and the sum over squares is a slope.
type recombination struct {
	sum, power, squares []float64
	couples             int
}

func newRecombination(genes int) recombination {
	return recombination{sum: make([]float64, genes), power: make([]float64, genes), squares: make([]float64, genes)}
}

// add weighs in a couple by the score of its first twin, so that the winner pulls and the loser pushes. One twin speaks for both:
// the mate has the opposite score on the opposite side. signal is the share of the signal of a pair between the twins; see couple.score.
func (r *recombination) add(score, signal float64, away []float64) {
	r.couples++
	for i, x := range away {
		pull := float64(score * x)
		r.sum[i] += pull
		r.power[i] += float64(pull * pull)
		r.squares[i] += float64(signal * x * x)
	}
}

// plus returns both together.
func (r recombination) plus(s recombination) recombination {
	both := newRecombination(len(r.sum))
	for i := range both.sum {
		both.sum[i], both.power[i], both.squares[i] = r.sum[i]+s.sum[i], r.power[i]+s.power[i], r.squares[i]+s.squares[i]
	}
	both.couples = r.couples + s.couples
	return both
}

// direction returns the sum in units of its noise: a gene that does not matter has variance 1, and 0 without couples.
func (r recombination) direction() []float64 {
	unit := make([]float64, len(r.sum))
	for i, x := range r.sum {
		if r.power[i] > 0 {
			unit[i] = x / math.Sqrt(r.power[i])
		}
	}
	return unit
}

// streamV1 is stream.New for eaopt, which wants a generator of math/rand.
func streamV1(seed uint64, format string, args ...any) *rand.Rand {
	return rand.New(pcgV1{stream.Source(seed, format, args...)})
}

// pcgV1 lets a PCG serve as a math/rand source.
type pcgV1 struct{ pcg *randv2.PCG }

func (s pcgV1) Uint64() uint64 { return s.pcg.Uint64() }
func (s pcgV1) Int63() int64   { return int64(s.pcg.Uint64() >> 1) }

// Seed is required by math/rand and never called: a stream is derived, not
// seeded.
func (s pcgV1) Seed(int64) { panic("ga: a derived stream is never seeded") }
