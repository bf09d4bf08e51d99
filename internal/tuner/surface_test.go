package tuner

import (
	"math"
	"math/rand/v2"
	"testing"

	"quintune/internal/run"
	"quintune/internal/stats/statstest"
)

func TestSurfaceFindsTheTopOfParabolas(t *testing.T) {
	top, loss := []float64{.2, -.3}, []float64{900, 300} // loss in Elo for a distance of one gene unit
	elo := func(genes []float64) float64 {
		e := 0.0
		for i := range genes {
			e -= loss[i] * (genes[i] - top[i]) * (genes[i] - top[i])
		}
		return e
	}
	s := &run.Surface{Moments: make([]float64, 16), Sums: make([]float64, 4)}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		slopes, _ := solve(s)
		for range 50 {
			x, y := []float64{r.NormFloat64() / 3, r.NormFloat64() / 3}, []float64{r.NormFloat64() / 3, r.NormFloat64() / 3}
			score := 0.0
			for range 2 {
				if r.Float64() < statstest.ScoreOf(elo(x)-elo(y)) {
					score += .5
				}
			}
			addPair(s, slopes, x, y, score)
		}
	}
	slopes, covariances := solve(s)
	for i := range top {
		found := -slopes[i] / (2 * slopes[2+i])
		if math.Abs(found-top[i]) > .02 || slopes[2+i] > -surfaceSigmas*math.Sqrt(covariances[4*(2+i)+2+i]) {
			t.Errorf("gene %d: top at %.3f, want %.3f", i, found, top[i])
		}
	}
}

func TestInvert(t *testing.T) {
	matrix := []float64{4, 1, 1, 3}
	inverse := invert(matrix, 2)
	for i := range 2 {
		for j := range 2 {
			sum, want := 0.0, 0.0
			for k := range 2 {
				value := matrix[2*i+k]
				if i == k {
					value += littleRidge
				}
				sum += value * inverse[2*k+j]
			}
			if i == j {
				want = 1
			}
			if math.Abs(sum-want) > 1e-12 {
				t.Errorf("row %d, column %d: %v, want %v", i, j, sum, want)
			}
		}
	}
}
