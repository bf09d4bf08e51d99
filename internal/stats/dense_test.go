package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Slow versions of the intervals, for comparison: the normal approximation, and the inverse of the dense matrix.

// StandardErrors returns the standard error of each rating in Elo; 0 for anchored players. They are the square
// roots of the diagonal of H⁻¹ M H⁻¹. H is minus the Hessian of the log posterior; M is the variance of its
// gradient over pairs and prior (the sandwich estimator of P. Huber and H. White). So they are valid for any
// correlation between the games of a pair. They include the shrinkage towards the prior if true ratings are
// distributed like it.
//
// The time is cubic in the number of players: 512 take 20 ms. Unlike the ratings, the last bits may differ
// between processor architectures.
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

// Rating returns a player's rating with its interval, which is empty for an anchored player. StandardErrors is
// faster for all players.
func (r *Ratings) Rating(player int) Estimate {
	contrast := make([]float64, len(r.elo))
	contrast[player] = 1
	return around(r.elo[player], r.standardError(contrast))
}

// Difference returns a's rating less b's, with its interval. Where a and b have met the same players, the
// interval is narrower than those of the two ratings suggest.
func (r *Ratings) Difference(a, b int) Estimate {
	contrast := make([]float64, len(r.elo))
	contrast[a]++
	contrast[b]--
	return around(r.elo[a]-r.elo[b], r.standardError(contrast))
}

// standardError returns the standard error, in Elo, of the linear combination of ratings with the given
// coefficients. It overwrites the coefficients of fixed players.
func (r *Ratings) standardError(contrast []float64) float64 {
	r.top.bread.clearFixed(contrast)
	return float64(math.Sqrt(r.meat.form(r.top.bread.solve(contrast))) * nat)
}

// inverse returns the inverse of the matrix. Rows of fixed players are those of the unit matrix. The time is
// cubic and the memory quadratic in the number of players.
func (s *system) inverse() (*mat.SymDense, error) {
	dense := mat.NewSymDense(len(s.precision), nil)
	for i, d := range s.diagonal() {
		dense.SetSym(i, i, d)
	}
	for i, e := range s.edges {
		if !s.fixed[e.a] && !s.fixed[e.b] {
			dense.SetSym(e.a, e.b, -s.weight[i])
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(dense) {
		return nil, fmt.Errorf("ratings: the matrix of %d players is not positive definite", len(s.precision))
	}
	var inverse mat.SymDense
	if err := cholesky.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("ratings: the matrix of %d players: %w", len(s.precision), err)
	}
	return &inverse, nil
}

// Dispersion returns the variance of the pair scores, divided by that of two independent games without draws. It
// is below 1 where openings split pairs or games are drawn.
func (r *Ratings) Dispersion() float64 { return r.top.dispersion }
