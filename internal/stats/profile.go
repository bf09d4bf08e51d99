package stats

import (
	"fmt"
	"math"

	"quintune/internal/strictmath"
)

// Interval returns a player's rating with its likelihood interval, which is empty for an anchored player. Where
// scores are lopsided, the likelihood falls more slowly in one direction, and the interval reaches farther
// there. For a player who has won all games, only the prior bounds it from above.
//
// To test a rating, the player is held there and the others take their most likely ratings. The rating is inside
// if this lowers the log posterior by at most 1.96²/2 nats, after scaling by the variance of the pairs (the sandwich
// estimator: R. Chandler and S. Bate, "Inference for Clustered Data Using the Independence Loglikelihood").
// It is an error when the search for an end does not converge.
func (r *Ratings) Interval(player int) (Estimate, error) {
	e := Estimate{Elo: r.elo[player], Low: r.elo[player], High: r.elo[player]}
	if r.top.bread.fixed[player] {
		return e, nil
	}
	p := r.profile(player)
	for _, side := range []struct {
		end       *float64
		direction float64
	}{{&e.Low, -1}, {&e.High, 1}} {
		at, err := p.end(side.direction)
		if err != nil {
			return e, err
		}
		*side.end = float64(at * nat)
	}
	return e, nil
}

// profile is the log posterior as a function of one player's rating. The other ratings are the most likely ones.
type profile struct {
	top    *posterior // at the maximum
	player int
	limit  float64 // square root of the fall, in nats, at which the interval ends
	first  float64 // first step, nats: half of the interval by the normal approximation
}

func (r *Ratings) profile(player int) *profile {
	unit := make([]float64, len(r.elo))
	unit[player] = 1
	column := r.top.bread.solve(unit)
	model, robust := column[player], r.meat.form(column)
	return &profile{
		top: r.top, player: player,
		limit: float64(halfWidth * math.Sqrt(robust/model/2)),
		first: float64(halfWidth * math.Sqrt(robust)),
	}
}

// excess returns the square root of the fall of the log posterior, in nats, when the player is moved by offset
// nats from the maximum, less the limit. This function is nearly linear in offset.
func (p *profile) excess(offset float64) (float64, error) {
	held := p.top.holding(p.player, p.top.theta[p.player]+offset)
	if err := held.climb(); err != nil {
		return 0, err
	}
	return math.Sqrt(max(0, p.top.value()-held.value())) - p.limit, nil
}

// end returns the rating, in nats, at which the interval ends in the direction −1 or 1. It finds a bracket and
// then uses the Illinois variant of false position.
func (p *profile) end(direction float64) (float64, error) {
	const (
		steps    = 100
		rounding = 16 * 0x1p-52 // of a log posterior, relative
	)
	accuracy := max(1e-6, rounding*math.Abs(p.top.value())/p.limit) // in square roots of nats; hundreds of thousands of split pairs allow no better
	inside, outside := 0.0, p.first
	low, high := -p.limit, -p.limit
	for high < 0 {
		var err error
		if high, err = p.excess(direction * outside); err != nil {
			return 0, err
		}
		if high < 0 {
			inside, low, outside = outside, high, 2*outside
		}
	}
	kept := 0 // which end the last step kept: 1 the outer, −1 the inner, 0 none yet
	for range steps {
		at := inside - float64(low*(outside-inside)/(high-low))
		value, err := p.excess(direction * at)
		switch {
		case err != nil || math.Abs(value) < accuracy:
			return p.top.theta[p.player] + float64(direction*at), err
		case value < 0:
			if inside, low = at, value; kept > 0 {
				high /= 2
			}
			kept = 1
		default:
			if outside, high = at, value; kept < 0 {
				low /= 2
			}
			kept = -1
		}
	}
	return 0, fmt.Errorf("ratings: no end of the interval of player %d", p.player)
}

// holding returns a posterior in which one more player is fixed, at the given rating in nats.
func (p *posterior) holding(player int, at float64) *posterior {
	held := *p
	held.theta = append([]float64(nil), p.theta...)
	held.mean = append([]float64(nil), p.mean...)
	held.gradient = make([]float64, len(p.theta))
	held.bread.weight = make([]float64, len(p.bread.edges))
	held.bread.fixed = append([]bool(nil), p.bread.fixed...)
	held.bread.fixed[player] = true
	held.theta[player] = at
	return &held
}

// value returns the log posterior at theta, in nats, up to a constant.
func (p *posterior) value() float64 {
	sum := 0.0
	for i, t := range p.theta {
		d := p.mean[i] - t
		sum -= float64(p.bread.precision[i] * float64(d*d) / 2)
	}
	power := 2 / p.dispersion
	for _, e := range p.bread.edges {
		d := p.theta[e.a] - p.theta[e.b]
		sum -= float64(power * (float64(e.score*softplus(-d)) + float64((e.pairs-e.score)*softplus(d))))
	}
	return sum
}

// softplus returns ln(1 + e^x).
func softplus(x float64) float64 { return max(x, 0) + strictmath.Log1p(strictmath.Exp(-math.Abs(x))) }

// spread compares the variance of an edge's pair scores with the expected one.
type spread struct {
	squares  float64 // sum of the squared deviations of the pair scores from the expected score
	expected float64 // its expectation for independent games without draws
}

// spread returns the spread of an edge at theta.
func (p *posterior) spread(e edge) spread {
	up, down := logistic(p.theta[e.a] - p.theta[e.b])
	s := spread{expected: float64(e.pairs*float64(up*down)) / 2}
	for i, count := range e.result {
		d := pairScore(i) - up
		s.squares += float64(float64(count) * float64(d*d))
	}
	return s
}

// freedom returns the share, 0..1, of the pairs' noise that the fit has not absorbed: degrees of freedom per
// pair. A player takes one degree, less the part that the prior determines.
func (p *posterior) freedom() float64 {
	pairs, taken := 0.0, 0.0
	for _, e := range p.bread.edges {
		pairs += e.pairs
	}
	for i, d := range p.bread.diagonal() {
		if !p.bread.fixed[i] {
			taken += 1 - p.bread.precision[i]/d
		}
	}
	if pairs == 0 {
		return 1
	}
	return max(1-taken/pairs, 0)
}

const (
	// borrowed is the weight of a presumed dispersion, as a number of pairs between equal players. A few pairs tell little
	// about their own variance, and lopsided pairs even less.
	borrowed = 10
	// evenPairs is the number of pairs between equal players whose expected spread is 1.
	evenPairs = 8
)

// dispersion returns the actual spread over the expected one, shrunk towards the presumed dispersion. freedom
// corrects for the part of the spread that the fit has absorbed.
func (s spread) dispersion(presumed, freedom float64) float64 {
	actual := float64(evenPairs * s.squares)
	expected := float64(evenPairs * float64(s.expected*freedom))
	return (float64(borrowed*presumed) + actual) / (borrowed + expected)
}

// estimateDispersion returns the dispersion of all pairs at theta; evaluate must have been called. Without pairs
// it is 1, the dispersion of independent games without draws.
func (p *posterior) estimateDispersion() float64 {
	var sum spread
	for _, e := range p.bread.edges {
		s := p.spread(e)
		sum.squares += s.squares
		sum.expected += s.expected
	}
	return sum.dispersion(1, p.freedom())
}

// presumption is the presumed dispersion of a pairing, as a function of how lopsided the pairing is. Openings
// can split the pairs of even players, but hardly those of a player who wins nearly all games. So the dispersion
// of even pairings does not hold for lopsided ones.
type presumption struct{ even, lopsided float64 }

// at returns the presumed dispersion for a lopsidedness.
func (d presumption) at(lopsided float64) float64 {
	return float64(d.even*(1-lopsided)) + float64(d.lopsided*lopsided)
}

// lopsidedness returns 0 for an edge of even players and 1 for one where a player always wins. In between it is
// the least possible dispersion of games without draws at this expected score, reached where openings split as
// many pairs as possible.
func (p *posterior) lopsidedness(e edge) float64 {
	up, down := logistic(p.theta[e.a] - p.theta[e.b])
	return 1 - min(up, down)/max(up, down)
}

// presume fits the presumption to all edges by least squares, weighted by how much each edge tells. To each end
// it adds as many pairs of independent games as borrowed.
func (p *posterior) presume(freedom float64) presumption {
	const least = 0.05 // rounding or chance could bring a dispersion below 0
	var a, b, c, right, left float64
	a, c = borrowed, borrowed
	right, left = borrowed, borrowed
	for _, e := range p.bread.edges {
		s, l := p.spread(e), p.lopsidedness(e)
		expected := float64(evenPairs * float64(s.expected*freedom))
		actual := float64(evenPairs * s.squares)
		a += float64(expected * float64((1-l)*(1-l)))
		b += float64(expected * float64((1-l)*l))
		c += float64(expected * float64(l*l))
		right += float64(actual * (1 - l))
		left += float64(actual * l)
	}
	determinant := float64(a*c) - float64(b*b)
	return presumption{
		even:     max(least, (float64(right*c)-float64(left*b))/determinant),
		lopsided: max(least, (float64(left*a)-float64(right*b))/determinant),
	}
}

// meat returns the variance of the gradient at theta, the middle matrix of the sandwich estimator. Each edge
// contributes the variance of its summed pair scores, with its own dispersion; the prior contributes its
// precision to the diagonal.
func (p *posterior) meat() system {
	m := p.bread
	m.weight = make([]float64, len(m.edges))
	power := 2 / p.dispersion
	freedom := p.freedom()
	presumed := p.presume(freedom)
	for i, e := range m.edges {
		s := p.spread(e)
		variance := float64(s.expected * s.dispersion(presumed.at(p.lopsidedness(e)), freedom))
		m.weight[i] = float64(float64(power*power) * variance)
	}
	return m
}
