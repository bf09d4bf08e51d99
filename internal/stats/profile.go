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

// value returns the log posterior at theta but for a constant, nats.
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
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
