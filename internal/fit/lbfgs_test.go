package fit

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"testing"
)

// bitsOf returns a hash of the bits of numbers.
func bitsOf(lists ...[]float64) uint64 {
	bits := fnv.New64()
	for _, list := range lists {
		for _, v := range list {
			bits.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	return bits.Sum64()
}

// rosenbrock is a function whose minimum, at 1 in each argument, lies in a bent valley.
func rosenbrock(x []float64) float64 {
	sum := 0.0
	for i := range len(x) - 1 {
		a, b := x[i+1]-float64(x[i]*x[i]), 1-x[i]
		sum += float64(100*a*a) + float64(b*b)
	}
	return sum
}

func rosenbrockGradient(gradient, x []float64) {
	clear(gradient)
	for i := range len(x) - 1 {
		a, b := x[i+1]-float64(x[i]*x[i]), 1-x[i]
		gradient[i] -= float64(400*a*x[i]) + float64(2*b)
		gradient[i+1] += float64(200 * a)
	}
}

// The points are those of gonum's L-BFGS on amd64, to the last bit, for every number of arguments that its loops over
// four elements tell apart.
func TestLBFGS(t *testing.T) {
	var points [][]float64
	for n := 2; n < 20; n++ {
		m := lbfgs{value: rosenbrock, gradientAt: rosenbrockGradient, x: make([]float64, n)}
		for i := range m.x {
			m.x[i] = float64(.3*float64(i)) - 1.2
		}
		x, err := m.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range x {
			if math.Abs(v-1) > 1e-6 {
				t.Errorf("%d arguments: got %v, want 1 each", n, x)
				break
			}
		}
		points = append(points, x)
	}
	if got, want := bitsOf(points...), uint64(0x20f0c3e51bf77e6d); got != want {
		t.Errorf("got bits that sum to %#x, want %#x", got, want)
	}
}

// A search whose context is done ends with the iteration.
func TestLBFGSStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gradients := 0
	m := lbfgs{value: rosenbrock, x: []float64{-1.2, 1}, gradientAt: func(gradient, x []float64) {
		if gradients++; gradients == 3 {
			cancel()
		}
		rosenbrockGradient(gradient, x)
	}}
	if x, err := m.run(ctx); !errors.Is(err, context.Canceled) || gradients > 5 {
		t.Errorf("got %v and error %v after %d gradients, want %v after 3", x, err, gradients, context.Canceled)
	}
}

func TestLBFGSRefusesWhatIsNotANumber(t *testing.T) {
	nan := func([]float64) float64 { return math.NaN() }
	m := lbfgs{value: nan, gradientAt: func(gradient, _ []float64) { clear(gradient) }, x: []float64{1}}
	if x, err := m.run(t.Context()); err == nil {
		t.Errorf("got %v, want an error", x)
	}
}

// The search ends where no point is lower, though the gradient says that there is one.
func TestLBFGSEndsWhereNothingIsLower(t *testing.T) {
	flat := func([]float64) float64 { return 1 }
	m := lbfgs{value: flat, gradientAt: func(gradient, _ []float64) { gradient[0] = 1 }, x: []float64{1}}
	if x, err := m.run(t.Context()); err != nil || len(x) != 1 {
		t.Errorf("got %v and error %v, want a point", x, err)
	}
}

// The genes of a fit have the same bits on every processor.
func TestGenesHaveTheSameBitsEverywhere(t *testing.T) {
	sp, genes := space(t)
	scores, _, err := Fit(t.Context(), sp, genes, newTruth(sp, genes, 7).positions(300, 5), Settings{prior: .1})
	if err != nil {
		t.Fatal(err)
	}
	ordering, start := spaceOf(t, "order")
	moves, _, err := Fit(t.Context(), ordering, start, newTruth(ordering, start, 8).moves(300), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(scores, genes) || slices.Equal(moves, start) {
		t.Fatal("a fit changed nothing")
	}
	if got, want := bitsOf(scores, moves), uint64(0x62a81b7794ec2a70); got != want {
		t.Errorf("got bits that sum to %#x, want %#x", got, want)
	}
}

// A change along which the gradient seems not to change leaves the next direction a number.
func TestFlatChangesAreNotRemembered(t *testing.T) {
	for name, to := range map[string][2][]float64{ // point and gradient
		"no product":      {{1, 0}, {1, 1}},
		"least product":   {{5e-324, 0}, {2, 0}},
		"negative":        {{1, 0}, {.5, 0}},
		"squares of zero": {{0, 1e-100}, {1, 1e-170}},
	} {
		m := &lbfgs{x: []float64{0, 0}, gradient: []float64{1, 0}}
		m.move(to[0], 0, to[1])
		m.descend()
		if !slices.Equal(m.direction, scaled(-1, to[1])) {
			t.Errorf("%s: direction %v, want down the gradient %v", name, m.direction, to[1])
		}
	}
}
