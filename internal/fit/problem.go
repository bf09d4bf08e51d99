package fit

import (
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"quintune/weights"
)

// problem is the function that a fit minimises: the mean loss of the positions and the prior's pull towards the start. Its
// arguments are the free genes, by atanh so that none leaves [-1, 1], and last the logarithm of the scale.
type problem struct {
	space     *weights.Space
	start     []float64
	free      []int // places of the genes
	positions []Position
	settings  Settings

	at    []float64 // where loss and slopes were computed last, nil: nowhere
	sum   float64
	slope []float64
}

func newProblem(space *weights.Space, start []float64, positions []Position, s Settings) *problem {
	p := &problem{space: space, positions: positions, settings: s}
	for i, z := range start {
		p.start = append(p.start, max(-edge, min(edge, z)))
		if !slices.Contains(s.Frozen, i) {
			p.free = append(p.free, i)
		}
	}
	return p
}

// first returns the start's point, with the scale that fits the start best.
func (p *problem) first() []float64 {
	x := make([]float64, 0, len(p.free)+1)
	for _, i := range p.free {
		x = append(x, math.Atanh(p.start[i]))
	}
	values := p.space.Real(p.start)
	return append(x, math.Log(bestScale(func(scale float64) float64 { return loss(values, scale, p.positions) })))
}

// genes returns the genome of a point.
func (p *problem) genes(x []float64) []float64 {
	genes := slices.Clone(p.start)
	for k, i := range p.free {
		genes[i] = math.Tanh(x[k])
	}
	return genes
}

func (p *problem) value(x []float64) float64 {
	p.evaluate(x)
	return p.sum
}

func (p *problem) gradient(slope, x []float64) {
	p.evaluate(x)
	copy(slope, p.slope)
}

// evaluate computes loss and slopes at x.
func (p *problem) evaluate(x []float64) {
	if slices.Equal(p.at, x) {
		return
	}
	p.at = slices.Clone(x)
	genes, scale := p.genes(x), math.Exp(x[len(x)-1])
	total := p.total(p.space.Real(genes), scale)
	n := float64(len(p.positions))
	pull := 1 / (2 * p.settings.Prior * p.settings.Prior * n)
	for i := range total.byValue {
		total.byValue[i] /= n
	}
	byGene := p.space.Backward(genes, total.byValue)
	p.sum, p.slope = total.loss/n, make([]float64, len(x))
	for k, i := range p.free {
		away := genes[i] - p.start[i]
		p.sum += float64(pull * away * away)
		p.slope[k] = (byGene[i] + float64(2*pull*away)) * (1 - float64(genes[i]*genes[i]))
	}
	p.slope[len(x)-1] = total.byLogScale / n
}

// sums are loss and slopes over some positions.
type sums struct {
	loss       float64
	byValue    []float64 // [declaration]
	byLogScale float64
}

// chunk is how many positions are summed by one worker before the sums of all chunks are added in their order.
const chunk = 1024

// total sums over all positions.
func (p *problem) total(values []float64, scale float64) sums {
	chunks := slices.Collect(slices.Chunk(p.positions, chunk))
	parts := make([]sums, len(chunks))
	var group errgroup.Group
	group.SetLimit(p.settings.Workers)
	for i := range chunks {
		group.Go(func() error {
			parts[i] = sum(values, scale, chunks[i])
			return nil
		})
	}
	_ = group.Wait() // nothing in it fails
	total := sums{byValue: make([]float64, len(values))}
	for _, part := range parts {
		total.loss += part.loss
		total.byLogScale += part.byLogScale
		for i, v := range part.byValue {
			total.byValue[i] += v
		}
	}
	return total
}

// sum sums over positions in their order.
func sum(values []float64, scale float64, positions []Position) sums {
	s := sums{byValue: make([]float64, len(values))}
	for i := range positions {
		p := &positions[i]
		logit := p.score(values) / scale
		s.loss += crossEntropy(logit, p.Label)
		wrong := logistic(logit) - p.Label
		s.byLogScale -= float64(wrong * logit)
		for _, f := range p.Features {
			s.byValue[f.Weight] += float64(wrong*float64(f.Count)) / scale
		}
	}
	return s
}
