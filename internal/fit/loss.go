package fit

import (
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"quintune/internal/strictmath"
)

// Feature is the number of times that a weight applies to a position.
type Feature struct {
	Weight uint16 // index in the declaration
	Count  int16  // negative where the term is subtracted; see evaluator.Term
}

// Position holds what a fit needs of a position.
type Position struct {
	Game     int       // number of its game: positions of one game are not independent
	Features []Feature // whose weights, times their counts, sum to its score
	Label    float64   // expected points of the side to move, 0 to 1
	Moves    []Move    // moves near the stones; moves with equal features are listed once
	Best     int       // index in Moves of the move that a search preferred, -1 if there is none
}

// Move is a move as its ordering score sees it.
type Move struct {
	Weights [8]uint16 // places in the declaration of the weights that sum to its score
	Count   uint16    // how many moves of the position are alike
}

// score returns the position's score for the values of all weights.
func (p *Position) score(values []float64) float64 {
	sum := 0.0
	for _, f := range p.Features {
		sum += float64(values[f.Weight] * float64(f.Count))
	}
	return sum
}

// score returns the move's ordering score for the values of all weights.
func (m *Move) score(values []float64) float64 {
	sum := 0.0
	for _, place := range m.Weights {
		sum += values[place]
	}
	return sum
}

func logistic(x float64) float64 { return 1 / (1 + strictmath.Exp(-x)) }

// crossEntropy returns −label·ln σ(x) − (1−label)·ln(1−σ(x)), without overflow.
func crossEntropy(x, label float64) float64 {
	return max(x, 0) - float64(x*label) + strictmath.Log1p(strictmath.Exp(-math.Abs(x)))
}

// lossOf returns a position's loss in nats. weights are in units of the logit, indexed as in the declaration. It
// adds the derivatives to gradient, unless gradient is nil.
type lossOf func(p *Position, weights, gradient []float64) float64

// scoreLoss is the cross entropy of a position's label and what its static score expects.
func scoreLoss(p *Position, weights, gradient []float64) float64 {
	logit := p.score(weights)
	if gradient != nil {
		wrong := logistic(logit) - p.Label
		for _, f := range p.Features {
			gradient[f.Weight] += float64(wrong * float64(f.Count))
		}
	}
	return crossEntropy(logit, p.Label)
}

// moveLoss is minus the logarithm of the probability of a position's best move, where probabilities are
// proportional to the exponential of the ordering score.
func moveLoss(p *Position, weights, gradient []float64) float64 {
	if p.Best < 0 {
		return 0
	}
	scores := make([]float64, len(p.Moves))
	most := math.Inf(-1)
	for i := range p.Moves {
		scores[i] = p.Moves[i].score(weights)
		most = max(most, scores[i])
	}
	best := &p.Moves[p.Best]
	above := most - best.score(weights)
	sum := 0.0
	for i, s := range scores {
		scores[i] = float64(float64(p.Moves[i].Count) * strictmath.Exp(s-most))
		sum += scores[i]
	}
	if gradient != nil {
		for i, s := range scores {
			for _, place := range p.Moves[i].Weights {
				gradient[place] += s / sum
			}
		}
		for _, place := range best.Weights {
			gradient[place]--
		}
	}
	return strictmath.Log(sum) + above
}

// sums are loss and gradient over some positions.
type sums struct {
	loss     float64
	gradient []float64 // [declaration], nil where it is not wanted
}

// chunk is the number of positions that one worker sums. The sums of all chunks are then added in order.
const chunk = 1024

// total sums over positions, with a number of goroutines, without effect on the result.
func total(loss lossOf, weights []float64, positions []Position, workers int, gradient bool) sums {
	none := func() (s sums) {
		if gradient {
			s.gradient = make([]float64, len(weights))
		}
		return s
	}
	chunks := slices.Collect(slices.Chunk(positions, chunk))
	parts := make([]sums, len(chunks))
	var group errgroup.Group
	group.SetLimit(workers)
	for i := range chunks {
		group.Go(func() error {
			part := none()
			for k := range chunks[i] {
				part.loss += loss(&chunks[i][k], weights, part.gradient)
			}
			parts[i] = part
			return nil
		})
	}
	_ = group.Wait() // nothing in it fails
	all := none()
	for _, part := range parts {
		all.loss += part.loss
		for i, v := range part.gradient {
			all.gradient[i] += v
		}
	}
	return all
}

// meanLoss returns the mean loss of positions, nats. scale is the number of points in one unit of the logit.
func meanLoss(loss lossOf, values []float64, scale float64, positions []Position, workers int) float64 {
	return total(loss, over(values, scale), positions, workers, false).loss / float64(len(positions))
}

// over returns the values in units of the scale.
func over(values []float64, scale float64) []float64 {
	weights := make([]float64, len(values))
	for i, v := range values {
		weights[i] = v / scale
	}
	return weights
}

// Bounds of a scale, points.
const (
	leastScale = 10
	mostScale  = 1e6
)

// bestScale returns the scale with the least loss, by golden-section search over its logarithm.
func bestScale(loss func(scale float64) float64) float64 {
	golden := (math.Sqrt(5) - 1) / 2
	low, high := strictmath.Log(leastScale), strictmath.Log(mostScale)
	a, b := high-float64(golden*(high-low)), low+float64(golden*(high-low))
	lossA, lossB := loss(strictmath.Exp(a)), loss(strictmath.Exp(b))
	for high-low > 1e-3 {
		if lossA < lossB {
			high, b, lossB = b, a, lossA
			a = high - float64(golden*(high-low))
			lossA = loss(strictmath.Exp(a))
		} else {
			low, a, lossA = a, b, lossB
			b = low + float64(golden*(high-low))
			lossB = loss(strictmath.Exp(b))
		}
	}
	return strictmath.Exp((low + high) / 2)
}
