package fit

import "slices"

// problem is the convex function that a fit minimises: the mean loss of the positions, plus the prior's pull
// towards the start, plus a price for leaving the space. The arguments are the free weights in units of the
// logit, each times the size of its slopes, so that the function is about equally curved in all of them. Where a
// scale is free, the last argument is one unit of the logit over the number of points in it, relative to the
// start. In these arguments the bounds of the space are linear.
type problem struct {
	loss      lossOf
	start     []float64 // weights in units of the logit, indexed as in the declaration
	scaled    bool      // the scale is the last argument, since every weight that affects the loss is in the space
	free      []int     // their indices
	size      []float64 // [free]: root mean square, over the positions, of the slopes at the start
	bounds    []bound
	positions []Position
	prior     float64
	workers   int

	at    []float64 // point at which loss and slopes were computed last, nil: none
	sum   float64
	slope []float64
}

// bound is a weights.Reach in terms of the arguments.
type bound struct {
	weight      int     // index of the argument
	above       int     // index of the argument for the weight below, -1: none
	base        float64 // value of the weight below where it is not an argument, in units of the logit
	least, most float64 // in units of the logit at the start
}

// price is the cost, in nats, of a step of one out of the space, times the square of the argument. It is so high
// that the rest does not matter once the genes are rounded to the space.
const price = 30

// first returns the point of the start weights.
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

// share returns the last argument.
func (p *problem) share(x []float64) float64 {
	if p.scaled {
		return x[len(p.free)]
	}
	return 1
}

// weights returns the weights of a point, in units of the logit.
func (p *problem) weights(x []float64) []float64 {
	w := slices.Clone(p.start)
	for k, place := range p.free {
		w[place] = x[k] / p.size[k]
	}
	return w
}

// confine adds the price for leaving the space.
func (p *problem) confine(x []float64) {
	share := p.share(x)
	for _, b := range p.bounds {
		size := p.size[b.weight]
		step := x[b.weight]/size - b.base
		if b.above >= 0 {
			step -= x[b.above] / p.size[b.above]
		}
		var out, edge float64 // distance outside of the bound, and the bound
		switch {
		case step < b.least*share:
			out, edge = step-float64(b.least*share), b.least
		case step > b.most*share:
			out, edge = step-float64(b.most*share), b.most
		default:
			continue
		}
		p.sum += float64(price * size * size * out * out)
		slope := float64(2 * price * size * size * out)
		p.slope[b.weight] += slope / size
		if b.above >= 0 {
			p.slope[b.above] -= slope / p.size[b.above]
		}
		if p.scaled {
			p.slope[len(p.free)] -= float64(slope * edge)
		}
	}
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
	w := p.weights(x)
	all := total(p.loss, w, p.positions, p.workers, true)
	n := float64(len(p.positions))
	pull := 1 / (p.prior * p.prior * n)
	p.sum, p.slope = all.loss/n, make([]float64, len(x))
	for k, place := range p.free {
		away := (w[place] - p.start[place]) * p.size[k]
		p.sum += float64(pull * away * away / 2)
		p.slope[k] = all.slopes[place]/n/p.size[k] + float64(pull*away)
	}
	p.confine(x)
}
