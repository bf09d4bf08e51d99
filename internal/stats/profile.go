package stats

import (
	"fmt"
	"math"
)

// Interval returns a player's rating with the interval that the likelihood gives, of no width when
// anchored. Where scores are lopsided the likelihood falls more slowly on the side of the greater
// difference, and the interval reaches farther there than Rating's, which is its approximation for
// scores well within 0 and 1; a player who has won all is bounded above by the prior alone.
//
// A rating is inside unless holding the player there, the others at their most likely, costs more
// than 1.96²/2 nats, after the cost has been scaled by the variance of the pairs as it is in
// StandardErrors (R. Chandler and S. Bate, "Inference for Clustered Data Using the Independence
// Loglikelihood"). The error is that of a search for an end which does not come to its end.
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

// profile is the log posterior as a function of one player's rating, the others at their most likely.
type profile struct {
	top    *posterior // at the maximum
	player int
	limit  float64 // root of the nats below the maximum at which the interval ends
	first  float64 // nats: half width by the normal approximation
}

func (r *Ratings) profile(player int) *profile {
	unit := make([]float64, len(r.elo))
	unit[player] = 1
	column := r.top.bread.solve(unit)
	model, robust := column[player], r.meat.form(column)
	half := halfWidth()
	return &profile{
		top: r.top, player: player,
		limit: float64(half * math.Sqrt(robust/model/2)),
		first: float64(half * math.Sqrt(robust)),
	}
}

// excess returns the root of the nats that the log posterior falls by when the player is held this number of
// nats from the maximum, less the limit. By the root it is nearly a straight line.
func (p *profile) excess(offset float64) (float64, error) {
	held := p.top.holding(p.player, p.top.theta[p.player]+offset)
	if err := held.climb(); err != nil {
		return 0, err
	}
	return math.Sqrt(max(0, p.top.value()-held.value())) - p.limit, nil
}

// end returns the rating, in nats, at which the interval ends in the direction of −1 or 1: first a
// bracket, then the rule of false position as the Illinois algorithm has it.
func (p *profile) end(direction float64) (float64, error) {
	const (
		steps    = 100
		accuracy = 1e-6 // root of nats
	)
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
	kept := 0 // the end that the last step kept: 1 the outer, −1 the inner
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

// holding returns a posterior in which one player more is fixed, at a rating in nats.
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

// value returns the log posterior at theta up to a constant, nats.
func (p *posterior) value() float64 {
	sum := 0.0
	for i, t := range p.theta {
		d := p.mean[i] - t
		sum -= float64(p.bread.precision[i]*float64(d*d)) / 2
	}
	power := 2 / p.dispersion
	for _, e := range p.bread.edges {
		d := p.theta[e.a] - p.theta[e.b]
		sum -= float64(power * (float64(e.score*softplus(-d)) + float64((e.pairs-e.score)*softplus(d))))
	}
	return sum
}

// softplus returns ln(1 + e^x).
func softplus(x float64) float64 { return max(x, 0) + Log1p(math.Exp(-math.Abs(x))) }

// spread is what the pair scores of one edge say about their variance.
type spread struct {
	squares  float64 // sum of the squared deviations from the expected score
	expected float64 // what it would be for independent games without draws
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

// freedom returns the part, 0..1, of the pairs whose noise the fit has not followed: degrees of
// freedom per pair. A player takes one degree, less what the prior holds back.
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
	// borrowed is how many pairs of equal players a presumed dispersion counts for beside the pairs
	// that were played: few pairs say little about their own variance, lopsided ones hardly more.
	borrowed = 10
	// evenPairs is how many pairs of equal players have the expected spread 1.
	evenPairs = 8
)

// dispersion returns the actual spread over the expected one, drawn towards the presumed
// dispersion. The freedom says how much of the actual spread the fit has taken away.
func (s spread) dispersion(presumed, freedom float64) float64 {
	actual := float64(evenPairs * s.squares)
	expected := float64(evenPairs * float64(s.expected*freedom))
	return (float64(borrowed*presumed) + actual) / (borrowed + expected)
}

// estimateDispersion returns the dispersion of all pairs at theta, where evaluate has been called;
// 1, that of independent games without draws, when there are no pairs.
func (p *posterior) estimateDispersion() float64 {
	var sum spread
	for _, e := range p.bread.edges {
		s := p.spread(e)
		sum.squares += s.squares
		sum.expected += s.expected
	}
	return sum.dispersion(1, p.freedom())
}

// presumption is the dispersion that is expected of a pairing by how lopsided it is. Openings that split the
// pairs of even players can split few where one player wins nearly all games, so that what was
// learnt from the ones does not hold for the others.
type presumption struct{ even, lopsided float64 }

// at returns the presumed dispersion for a lopsidedness.
func (d presumption) at(lopsided float64) float64 {
	return float64(d.even*(1-lopsided)) + float64(d.lopsided*lopsided)
}

// lopsidedness returns 0 for an edge of even players and 1 for one that is won always: as a dispersion,
// what games without draws keep at the expected score where openings split as many pairs as can be.
func (p *posterior) lopsidedness(e edge) float64 {
	up, down := logistic(p.theta[e.a] - p.theta[e.b])
	return 1 - min(up, down)/max(up, down)
}

// presume fits the presumption to all edges by least squares, each weighted by what it can say, beside
// borrowed pairs of independent games of either kind.
func (p *posterior) presume(freedom float64) presumption {
	const least = 0.05 // no dispersion is smaller; rounding and chance might bring one below 0
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

// meat returns the variance of the gradient at theta, as a system: each edge has the variance of the sum of its pair scores,
// by its own dispersion; the diagonal has the precision of the prior. It is the middle of the sandwich estimator.
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
