package fit

import "slices"

// problem is the convex function that a fit minimises: the mean loss of the positions, the prior's pull towards the
// start, and a quadratic penalty for leaving the space. Its arguments are the free weights in units of the logit, times
// the size of their derivatives, so that all bend it about alike; and last, where a scale is free, one unit of the logit
// over the number of points in it, as a share of the start's. In these the bounds of the space are linear.
type problem struct {
	loss      lossOf
	start     []float64 // weights in units of the logit, by place in the declaration
	scaled    bool      // the scale is free, and the last argument: a free weight fixes that of its family
	free      []int     // places of the free weights in the declaration
	size      []float64 // [free]: root mean square of the derivatives at the start, over the positions
	bounds    []bound
	positions []Position
	prior     float64
	workers   int

	at       []float64 // where sum and gradient were computed last, nil: nowhere
	sum      float64
	gradient []float64
}

// bound is a weights.Reach in the places of the arguments.
type bound struct {
	weight      int     // argument
	above       int     // argument, -1: none
	base        float64 // value of the weight above where that is not an argument, units of the logit
	least, most float64 // units of the logit at the start
}

// price is the coefficient of the quadratic penalty: the cost of a distance of one from the space, in nats for the square
// of the argument. It is so high that the distance that is left vanishes when the genes are rounded to the space.
const price = 30

// first returns the start's point.
func (p *problem) first() []float64 {
	x := make([]float64, len(p.free), len(p.free)+1)
	for k, place := range p.free {
		x[k] = p.start[place] * p.size[k]
	}
	if p.scaled {
		x = append(x, 1)
	}
	return x
}

// share returns the last argument where a scale is free, else 1.
func (p *problem) share(x []float64) float64 {
	if p.scaled {
		return x[len(p.free)]
	}
	return 1
}

// weights returns those of a point, in units of the logit.
func (p *problem) weights(x []float64) []float64 {
	w := slices.Clone(p.start)
	for k, place := range p.free {
		w[place] = x[k] / p.size[k]
	}
	return w
}

// confine adds the penalty for leaving the space.
func (p *problem) confine(x []float64) {
	share := p.share(x)
	for _, b := range p.bounds {
		size := p.size[b.weight]
		step := x[b.weight]/size - b.base
		if b.above >= 0 {
			step -= x[b.above] / p.size[b.above]
		}
		var out, edge float64 // how far the step is outside, and the bound that it left
		switch {
		case step < b.least*share:
			out, edge = step-float64(b.least*share), b.least
		case step > b.most*share:
			out, edge = step-float64(b.most*share), b.most
		default:
			continue
		}
		p.sum += float64(price * size * size * out * out)
		derivative := float64(2 * price * size * size * out)
		p.gradient[b.weight] += derivative / size
		if b.above >= 0 {
			p.gradient[b.above] -= derivative / p.size[b.above]
		}
		if p.scaled {
			p.gradient[len(p.free)] -= float64(derivative * edge)
		}
	}
}

func (p *problem) value(x []float64) float64 {
	p.evaluate(x)
	return p.sum
}

func (p *problem) gradientAt(gradient, x []float64) {
	p.evaluate(x)
	copy(gradient, p.gradient)
}

// evaluate computes sum and gradient at x.
func (p *problem) evaluate(x []float64) {
	if slices.Equal(p.at, x) {
		return
	}
	p.at = slices.Clone(x)
	w := p.weights(x)
	all := total(p.loss, w, p.positions, p.workers, true)
	n := float64(len(p.positions))
	pull := 1 / (p.prior * p.prior * n)
	p.sum, p.gradient = all.loss/n, make([]float64, len(x))
	for k, place := range p.free {
		away := (w[place] - p.start[place]) * p.size[k]
		p.sum += float64(pull * away * away / 2)
		p.gradient[k] = all.gradient[place]/n/p.size[k] + float64(pull*away)
	}
	p.confine(x)
}
