package stats

import (
	"fmt"
	"math"
)

// Ratings are the most likely ratings of a Model's players, given their games. They are immutable; all methods
// are safe for concurrent use.
type Ratings struct {
	elo  []float64  // [player]
	top  *posterior // at its maximum
	meat system     // variance of the gradient of top
}

// Fit returns the ratings with the greatest posterior probability (maximum a posteriori). They have the same
// bits on every machine and for every order of the pairings. An error names the value of the model or the
// pairing that is out of bounds.
//
// The likelihood is that of independent games, raised to the power of 1/dispersion. The dispersion is the
// variance of the pair scores over that of two independent games. So pairs that mostly split count more than
// their single games would, and pairs that mostly go one way count less (R. Wedderburn, "Quasi-likelihood
// Functions").
func (m Model) Fit(pairings []Pairing) (*Ratings, error) {
	if err := m.validate(); err != nil {
		return nil, err
	}
	edges, err := m.edges(pairings)
	if err != nil {
		return nil, err
	}
	p := newPosterior(m, edges)
	if err := p.climb(); err != nil {
		return nil, err
	}
	p.dispersion = p.estimateDispersion()
	if err := p.climb(); err != nil {
		return nil, err
	}
	return p.ratings(), nil
}

// posterior is the log posterior density of the ratings, as a function of them in nats.
type posterior struct {
	theta      []float64 // [player]: the ratings at which functions are evaluated
	mean       []float64 // [player]: mean of the prior
	dispersion float64
	gradient   []float64 // [player]: gradient at theta, 0 for fixed players
	bread      system    // minus the Hessian at theta; the outer matrix of the sandwich estimator
}

func newPosterior(m Model, edges []edge) *posterior {
	p := &posterior{
		theta:      make([]float64, m.Players),
		mean:       make([]float64, m.Players),
		dispersion: 1,
		gradient:   make([]float64, m.Players),
		bread: system{
			edges:     edges,
			weight:    make([]float64, len(edges)),
			precision: make([]float64, m.Players),
			fixed:     make([]bool, m.Players),
		},
	}
	sd := m.PriorSD / nat
	for i := range p.mean {
		p.mean[i] = m.PriorMean / nat
		p.bread.precision[i] = 1 / float64(sd*sd)
	}
	for _, a := range m.Anchors {
		p.mean[a.Player] = a.Elo / nat
		p.bread.precision[a.Player] = 0
		p.bread.fixed[a.Player] = true
	}
	copy(p.theta, p.mean)
	return p
}

const (
	// climbs bounds the Newton steps: one for every nat of the way, and a few at the end.
	climbs = 1000
	// arrived is the step length, in nats, at or below which the maximum counts as reached.
	arrived = 1e-8
)

// climb moves theta to the maximum by Newton's method. A step changes the difference of two players who have met
// by at most one nat. Within that range the curvature changes by less than a factor of e, so every step improves
// the value (F. Bach, "Self-concordant Analysis for Logistic Regression").
func (p *posterior) climb() error {
	for range climbs {
		p.evaluate()
		step := p.bread.solve(p.gradient)
		longest := 1.0
		for _, e := range p.bread.edges {
			longest = max(longest, math.Abs(step[e.a]-step[e.b]))
		}
		moved := 0.0
		for i, s := range step {
			s /= longest
			p.theta[i] += s
			moved = max(moved, math.Abs(s))
		}
		if moved < arrived {
			p.evaluate()
			return nil
		}
	}
	return fmt.Errorf("ratings: no maximum after %d steps", climbs)
}

// evaluate computes the gradient and the weights of bread at theta. The two games of a pair have the weight
// 2/dispersion.
func (p *posterior) evaluate() {
	for i, t := range p.theta {
		p.gradient[i] = float64(p.bread.precision[i] * (p.mean[i] - t))
	}
	power := 2 / p.dispersion
	for i, e := range p.bread.edges {
		up, down := logistic(p.theta[e.a] - p.theta[e.b])
		p.bread.weight[i] = float64(power * float64(e.pairs*float64(up*down)))
		// This equals score − pairs·up, without the cancellation where up is close to 0 or 1.
		pull := float64(power * (float64(e.score*down) - float64((e.pairs-e.score)*up)))
		p.gradient[e.a] += pull
		p.gradient[e.b] -= pull
	}
	p.bread.clearFixed(p.gradient)
}

// ratings returns the result at theta; evaluate must have been called.
func (p *posterior) ratings() *Ratings {
	r := &Ratings{
		elo:  make([]float64, len(p.theta)),
		top:  p,
		meat: p.meat(),
	}
	for i, t := range p.theta {
		r.elo[i] = float64(t * nat)
	}
	return r
}
