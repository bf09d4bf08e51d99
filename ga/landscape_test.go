package ga

import (
	"fmt"
	"math"
	"math/rand/v2"

	"quintune/internal/stats"
	"quintune/internal/stream"
)

// landscape is a synthetic tuning problem with startLoss Elo to gain: the loss
// of a genome is Σ curvature·distance² with log-normal curvatures (σ 1.2), genes
// rotated in random pairs by a uniform angle, and an optimum that is uniform in
// [-.8, .8] per gene. The start is the zero genome.
type landscape struct {
	seed      uint64
	optimum   []float64
	curvature []float64
	pair      []int // pair[2i] and pair[2i+1] are rotated together
	cos, sin  []float64

	// What families add, see families_test.go.
	bend   func(float64) float64 // of the loss
	lean   []float64             // of a gene's loss to one side; then no genes are rotated
	grid   float64               // to which genes are rounded
	second []float64             // optimum of a second basin, secondDepth below the first
	cycle  float64               // how much some genomes beat others of the same loss, Elo
}

// secondDepth is what the second basin's optimum loses, Elo.
const secondDepth = 30

const startLoss = 200.0

func newLandscape(seed uint64, genes int) *landscape {
	rng := stream.New(seed, "landscape")
	l := &landscape{seed: seed, pair: rng.Perm(genes)}
	for range genes {
		l.optimum = append(l.optimum, 1.6*rng.Float64()-.8)
		l.curvature = append(l.curvature, math.Exp(1.2*rng.NormFloat64()))
	}
	for range genes / 2 {
		angle := 2 * math.Pi * rng.Float64()
		l.cos, l.sin = append(l.cos, math.Cos(angle)), append(l.sin, math.Sin(angle))
	}
	scale := startLoss / l.loss(make([]float64, genes))
	for i := range l.curvature {
		l.curvature[i] *= scale
	}
	return l
}

// loss returns the Elo that a genome is below the optimum.
func (l *landscape) loss(genome []float64) float64 {
	loss := l.distance(genome, l.optimum)
	if l.second != nil {
		loss = min(loss, secondDepth+l.distance(genome, l.second))
	}
	if l.bend != nil {
		loss = l.bend(loss)
	}
	return loss
}

func (l *landscape) distance(genome, optimum []float64) float64 {
	d := make([]float64, len(genome))
	for i, x := range genome {
		if l.grid > 0 {
			x = math.Round(x/l.grid) * l.grid
		}
		d[i] = x - optimum[i]
	}
	sum := 0.0
	for i, a := range l.lean {
		sum += l.curvature[i] * 2 / (a * a) * (math.Exp(a*d[i]) - 1 - a*d[i])
	}
	if l.lean != nil {
		return sum
	}
	for i := range l.cos {
		a, b := l.pair[2*i], l.pair[2*i+1]
		u, v := d[a]*l.cos[i]-d[b]*l.sin[i], d[a]*l.sin[i]+d[b]*l.cos[i]
		sum += l.curvature[a]*u*u + l.curvature[b]*v*v
	}
	if len(genome)%2 == 1 {
		last := l.pair[len(genome)-1]
		sum += l.curvature[last] * d[last] * d[last]
	}
	return sum
}

// reached returns how many of the startLoss Elo a genome has gained.
func (l *landscape) reached(genome []float64) float64 { return startLoss - l.loss(genome) }

// play returns the results of a batch. The outside opponents all play like the
// start.
func (l *landscape) play(b Batch) []stats.Pentanomial {
	rng := stream.New(l.seed, "games of gen %d", b.Generation)
	biases := stream.New(l.seed, "openings of gen %d", b.Generation)
	bias := make([]float64, b.Openings)
	for i := range bias {
		bias[i] = 200 * biases.NormFloat64()
	}
	elo := make([]float64, len(b.Genomes))
	for i, g := range b.Genomes {
		elo[i] = -l.loss(g)
	}
	results := make([]stats.Pentanomial, len(b.Pairings))
	for i, p := range b.Pairings {
		other := -startLoss
		if p.B >= 0 {
			other = elo[p.B]
		}
		ahead := elo[p.A] - other
		if l.cycle > 0 && p.B >= 0 {
			ahead += l.beats(b.Genomes[p.A], b.Genomes[p.B])
		}
		for k := range p.Pairs {
			lean := bias[p.Opening+k]
			results[i][game(rng, ahead+lean)+game(rng, ahead-lean)]++
		}
	}
	return results
}

// beats returns the Elo that a has over b beyond what their losses tell.
func (l *landscape) beats(a, b []float64) float64 {
	sum := 0.0
	for i := 0; i+1 < len(a); i += 2 {
		sum += a[i]*b[i+1] - a[i+1]*b[i]
	}
	return l.cycle * sum
}

// game returns the half points of one game: 5 % draws, else a win with the
// logistic probability of the Elo difference.
func game(rng *rand.Rand, elo float64) int {
	if rng.Float64() < .05 {
		return 1
	}
	if rng.Float64() < 1/(1+math.Pow(10, -elo/400)) {
		return 2
	}
	return 0
}

// run drives an optimiser to the end of its budget.
func run(o Optimizer, l *landscape) error {
	for {
		b, more := o.Ask()
		if !more {
			return nil
		}
		if err := o.Tell(l.play(b)); err != nil {
			return err
		}
	}
}

// landscapeGenes declares n free genes in groups of five, starting at zero.
func landscapeGenes(n int) []Gene {
	genes := make([]Gene, n)
	for i := range genes {
		genes[i] = Gene{Name: fmt.Sprintf("gene%d", i), Group: fmt.Sprintf("group%d", i/5)}
	}
	return genes
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
