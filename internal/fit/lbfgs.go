package fit

import (
	"context"
	"errors"
	"math"
	"slices"
)

// lbfgs finds a minimum of a differentiable function by L-BFGS, with a line search by bisection (J. Nocedal and S. Wright,
// "Numerical Optimization", 2nd ed., algorithms 7.4 and 7.5). It computes what gonum's optimize does, whose vector loops and
// line searches have other last bits on other processors: here each product is rounded and each sum has one order.
type lbfgs struct {
	value      func(x []float64) float64
	gradientAt func(gradient, x []float64)

	x, gradient, direction []float64
	loss                   float64
	changes                []change // the last ones, the newest at the end
}

// change is what one iteration did to the point and to the gradient.
type change struct {
	x, gradient []float64
	product     float64 // of the two
}

const (
	lbfgsMemory    = 15   // changes that are kept
	curvature      = .9   // share of the slope along the direction that a line search may leave: c₂ of the strong Wolfe conditions
	flatGradient   = 1e-6 // largest size of an element of the gradient at a minimum
	leastProgress  = 1e-8 // relative progress that counts
	idleIterations = 20   // iterations without such progress that end the search
)

var errNoMinimum = errors.New("fit: the minimum is not a number")

// minimise returns the minimum of the problem, from its first point.
func minimise(ctx context.Context, p *problem) ([]float64, error) {
	m := &lbfgs{value: p.value, gradientAt: p.gradientAt, x: p.first()}
	return m.run(ctx)
}

// run returns the best point that it finds in fewer steps than iterations. When ctx is done it returns its error.
func (m *lbfgs) run(ctx context.Context) ([]float64, error) {
	m.gradient = make([]float64, len(m.x))
	m.loss = m.value(m.x)
	m.gradientAt(m.gradient, m.x)
	best, idle := m.loss, 0
	for range iterations - 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !m.isFinite() {
			return nil, errNoMinimum
		}
		if m.isFlat() {
			break
		}
		length := m.descend()
		// A search that finds no lower point any more has found the minimum as far as rounding allows.
		if dot(m.gradient, m.direction) >= 0 || !m.search(length) {
			break
		}
		if best-m.loss > float64(leastProgress*max(math.Abs(m.loss), math.Abs(best))) {
			best, idle = m.loss, 0
		} else if idle++; idle == idleIterations {
			break
		}
	}
	if !m.isFinite() {
		return nil, errNoMinimum
	}
	return m.x, nil
}

func (m *lbfgs) isFinite() bool {
	infinite := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	return !infinite(m.loss) && !slices.ContainsFunc(m.gradient, infinite) && !slices.ContainsFunc(m.x, infinite)
}

func (m *lbfgs) isFlat() bool {
	return !slices.ContainsFunc(m.gradient, func(v float64) bool { return math.Abs(v) >= flatGradient })
}

// descend computes the direction of the next search by the two-loop recursion, and returns the length of its first step.
func (m *lbfgs) descend() float64 {
	m.direction = scaled(-1, m.gradient)
	if len(m.changes) == 0 {
		return 1 / norm(m.direction)
	}
	share := make([]float64, len(m.changes))
	for i, c := range slices.Backward(m.changes) {
		share[i] = 1 / c.product * dot(c.x, m.direction)
		m.direction = sum(m.direction, -share[i], c.gradient)
	}
	last := m.changes[len(m.changes)-1]
	m.direction = scaled(last.product/dot(last.gradient, last.gradient), m.direction)
	for i, c := range m.changes {
		m.direction = sum(m.direction, share[i]-float64(1/c.product*dot(c.gradient, m.direction)), c.x)
	}
	return 1
}

// search moves along the direction to a lower point at which the slope along it is smaller: the curvature half of the strong Wolfe
// conditions. It reports whether there is one.
func (m *lbfgs) search(step float64) bool {
	var (
		low, high         = 0.0, math.Inf(1)    // bounds of the step
		lossLow, lossHigh = m.loss, math.Inf(1) // losses there
		start             = dot(m.gradient, m.direction)
		gradient          = make([]float64, len(m.x))
	)
	for {
		x := sum(m.x, step, m.direction)
		if slices.Equal(x, m.x) {
			return false
		}
		loss := m.value(x)
		if least := min(m.loss, lossLow, lossHigh); loss <= least {
			m.gradientAt(gradient, x)
			along := dot(gradient, m.direction)
			if math.Abs(along) < float64(curvature*math.Abs(start)) {
				m.move(x, loss, gradient)
				return true
			}
			if along < 0 {
				low, lossLow = step, loss
			} else {
				high, lossHigh = step, loss
			}
		} else if math.IsInf(high, 1) || lossLow <= lossHigh {
			high, lossHigh = step, loss
		} else {
			low, lossLow = step, loss
		}
		next := (low + high) / 2
		if math.IsInf(high, 1) {
			next = 2 * step
		}
		if next == step {
			return false
		}
		step = next
	}
}

// isCurved reports whether the function bends upwards along the change, by an amount that rounding has left to divide by.
func (c *change) isCurved() bool {
	return c.product > 0 && !math.IsInf(1/c.product, 1) && !math.IsInf(c.product/dot(c.gradient, c.gradient), 1)
}

// move takes the point, and remembers the change if it is curved.
func (m *lbfgs) move(x []float64, loss float64, gradient []float64) {
	c := change{x: sum(x, -1, m.x), gradient: sum(gradient, -1, m.gradient)}
	c.product = dot(c.x, c.gradient)
	if c.isCurved() {
		if len(m.changes) == lbfgsMemory {
			m.changes = slices.Delete(m.changes, 0, 1)
		}
		m.changes = append(m.changes, c)
	}
	m.x, m.loss, m.gradient = x, loss, gradient
}

// dot returns the product of two vectors, in four sums over every fourth element.
func dot(x, y []float64) float64 {
	var sums [4]float64
	whole := len(x) / 4 * 4
	for i := range whole {
		sums[i%4] += float64(x[i] * y[i])
	}
	for i := whole; i < len(x); i++ {
		sums[0] += float64(x[i] * y[i])
	}
	return (sums[0] + sums[2]) + (sums[1] + sums[3])
}

// norm returns the length of a vector.
func norm(x []float64) float64 {
	scale, squares := 0.0, 1.0
	for _, v := range x {
		switch size := math.Abs(v); {
		case size == 0:
		case size > scale:
			ratio := scale / size
			squares = float64(squares*ratio*ratio) + 1
			scale = size
		default:
			ratio := size / scale
			squares += float64(ratio * ratio)
		}
	}
	return scale * math.Sqrt(squares)
}

// sum returns x + k·y.
func sum(x []float64, k float64, y []float64) []float64 {
	total := make([]float64, len(x))
	for i := range x {
		total[i] = x[i] + float64(k*y[i])
	}
	return total
}

// scaled returns k·x.
func scaled(k float64, x []float64) []float64 {
	product := make([]float64, len(x))
	for i := range x {
		product[i] = k * x[i]
	}
	return product
}
