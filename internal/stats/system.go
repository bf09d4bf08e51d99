package stats

import (
	"math"
)

// system is the symmetric positive definite matrix
//
//	Σ_e weight_e (u_a − u_b)(u_a − u_b)ᵀ + diag(precision)
//
// over the edges e = (a, b). The u are unit vectors; rows and columns of fixed players are left out. The matrix
// is stored as its edges: in a gauntlet a player meets one other.
type system struct {
	edges     []edge
	weight    []float64 // [edge], ≥ 0
	precision []float64 // [player], > 0 except for fixed players
	fixed     []bool    // [player]
}

// multiply sets dst to the matrix times x. The entries of dst for fixed players become 0; those of x must be 0.
func (s *system) multiply(dst, x []float64) {
	for i, v := range x {
		dst[i] = float64(s.precision[i] * v)
	}
	for i, e := range s.edges {
		flow := float64(s.weight[i] * (x[e.a] - x[e.b]))
		dst[e.a] += flow
		dst[e.b] -= flow
	}
	s.clearFixed(dst)
}

func (s *system) clearFixed(x []float64) {
	for i, fixed := range s.fixed {
		if fixed {
			x[i] = 0
		}
	}
}

// diagonal returns the diagonal of the matrix, 1 for fixed players.
func (s *system) diagonal() []float64 {
	d := append([]float64(nil), s.precision...)
	for i, e := range s.edges {
		d[e.a] += s.weight[i]
		d[e.b] += s.weight[i]
	}
	for i, fixed := range s.fixed {
		if fixed {
			d[i] = 1
		}
	}
	return d
}

// residualLimit is the residual, relative to the right-hand side, at which solve stops.
const residualLimit = 1e-11

// solve returns the x with matrix · x = rhs by conjugate gradients, with the diagonal as preconditioner. The
// entries of rhs for fixed players must be 0.
func (s *system) solve(rhs []float64) []float64 {
	n := len(rhs)
	x, direction, image, scaled := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	residual := append([]float64(nil), rhs...)
	diagonal := s.diagonal()
	rescale := func() float64 {
		for i, r := range residual {
			scaled[i] = r / diagonal[i]
		}
		return dot(residual, scaled)
	}
	norm := rescale()
	copy(direction, scaled)
	goal := norm * residualLimit * residualLimit
	// In exact arithmetic n multiplications would be enough; rounding may require more.
	for range 4*n + 100 {
		if norm <= goal {
			break
		}
		s.multiply(image, direction)
		step := norm / dot(direction, image)
		for i := range x {
			x[i] += float64(step * direction[i])
			residual[i] -= float64(step * image[i])
		}
		before := norm
		norm = rescale()
		keep := norm / before
		for i := range direction {
			direction[i] = scaled[i] + float64(keep*direction[i])
		}
	}
	return x
}

// dot returns the inner product, summed in index order.
func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// form returns xᵀ · matrix · x. The entries of x for fixed players must be 0.
func (s *system) form(x []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(s.precision[i] * float64(v*v))
	}
	for i, e := range s.edges {
		d := x[e.a] - x[e.b]
		sum += float64(s.weight[i] * float64(d*d))
	}
	return math.Max(sum, 0)
}
