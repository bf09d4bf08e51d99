package stats

import "math"

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

// meat returns the variance of the gradient at theta over games and prior: for every edge that of
// the sum of its pair scores, by the edge's own dispersion, and the prior's precision.
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

// StandardErrors returns the standard errors of the ratings in Elo, [player]; 0 for anchored ones.
// They are the square roots of the diagonal of H⁻¹ M H⁻¹, H being minus the Hessian of the log
// posterior and M the variance of its gradient over pairs and prior (the sandwich of P. Huber and
// H. White). So they hold for whatever correlation the games of a pair have, and cover the
// shrinking towards the prior as far as true ratings are distributed like it.
//
// The time is cubic in the number of players: 512 take 20 ms. Unlike the ratings, the last bits
// may differ between processor architectures.
func (r *Ratings) StandardErrors() ([]float64, error) {
	inverse, err := r.top.bread.inverse()
	if err != nil {
		return nil, err
	}
	errors := make([]float64, len(r.elo))
	column := make([]float64, len(r.elo))
	for i := range errors {
		if r.top.bread.fixed[i] {
			continue
		}
		for j := range column {
			column[j] = inverse.At(i, j)
		}
		errors[i] = float64(math.Sqrt(r.meat.form(column)) * nat)
	}
	return errors, nil
}

// Rating returns a player's rating with its interval, of no width when anchored. For
// the errors of all players StandardErrors is quicker.
func (r *Ratings) Rating(player int) Estimate {
	contrast := make([]float64, len(r.elo))
	contrast[player] = 1
	return around(r.elo[player], r.standardError(contrast))
}

// Difference returns a's rating less b's with its interval. It is narrower than the two ratings'
// intervals suggest where a and b were measured against the same players.
func (r *Ratings) Difference(a, b int) Estimate {
	contrast := make([]float64, len(r.elo))
	contrast[a]++
	contrast[b]--
	return around(r.elo[a]-r.elo[b], r.standardError(contrast))
}

// standardError returns that of the linear combination of the ratings, in Elo. It overwrites the
// contrast's entries for fixed players.
func (r *Ratings) standardError(contrast []float64) float64 {
	r.top.bread.clearFixed(contrast)
	return float64(math.Sqrt(r.meat.form(r.top.bread.solve(contrast))) * nat)
}
