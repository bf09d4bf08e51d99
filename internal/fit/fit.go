// Package fit fits weights to labelled positions by logistic regression: the score of a position, over a scale,
// is the logit of the side to move winning (P. Österlund, "Texel's tuning method"). Every sum is taken in an order
// that does not depend on the number of workers.
package fit

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/optimize"

	"quintune/weights"
)

// Settings of a fit. The zero value of a field stands for its default.
type Settings struct {
	Workers int   // goroutines, without effect on the result; 0: one a core
	Frozen  []int // places of genes that keep their start's value
	// Prior is the sd, in gene units, of the normal prior around the start: what the positions say little about
	// stays where it was. 0: .3, a factor of 1.9 on a weight.
	Prior float64
}

const (
	usualPrior = .3
	// leastPositions is how many positions a fit takes at the least, on either side of its split.
	leastPositions = 50
	iterations     = 300
	edge           = .999 // farthest that a gene gets, so that it can come back
)

// Report says what a fit came to.
type Report struct {
	Positions int     // that it was fitted to
	Scale     float64 // points of one unit of the logit
	Before    float64 // mean loss of the start on positions of other games, nats; the label's own entropy included
	After     float64 // of the result, on the same
}

// Fit returns the genes of the space that fit the positions best, near the start's. Positions of one game are all
// either fitted to or, for every tenth game, kept to judge the result: where it does not predict these better than
// the start did, the start is returned. Equal positions give equal genes. Too few positions are an error.
func Fit(space *weights.Space, start []float64, positions []Position, s Settings) ([]float64, Report, error) {
	fitted, kept := split(positions)
	if len(fitted) < leastPositions || len(kept) < leastPositions/10 {
		return nil, Report{}, fmt.Errorf("fit: %d and %d positions of distinct games are too few, the least are %d and %d",
			len(fitted), len(kept), leastPositions, leastPositions/10)
	}
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	if s.Prior == 0 {
		s.Prior = usualPrior
	}
	p := newProblem(space, start, fitted, s)
	x, err := minimise(p)
	if err != nil {
		return nil, Report{}, err
	}
	genes, scale := p.genes(x), math.Exp(x[len(x)-1])
	first := p.first()
	report := Report{
		Positions: len(fitted), Scale: scale,
		Before: loss(space.Real(start), math.Exp(first[len(first)-1]), kept), After: loss(space.Real(genes), scale, kept),
	}
	if !(report.After < report.Before) {
		return append([]float64(nil), start...), report, nil
	}
	return genes, report, nil
}

// keptOf is the share of the games that judge the result: one of so many.
const keptOf = 10

// split divides positions by game.
func split(positions []Position) (fitted, kept []Position) {
	for _, p := range positions {
		if p.Game%keptOf == keptOf-1 {
			kept = append(kept, p)
		} else {
			fitted = append(fitted, p)
		}
	}
	return fitted, kept
}

// minimise runs gonum's L-BFGS from the start's point.
func minimise(p *problem) ([]float64, error) {
	problem := optimize.Problem{Func: p.value, Grad: p.gradient}
	settings := &optimize.Settings{
		GradientThreshold: 1e-6, MajorIterations: iterations,
		Converger: &optimize.FunctionConverge{Relative: 1e-8, Iterations: 20},
	}
	result, err := optimize.Minimize(problem, p.first(), settings, &optimize.LBFGS{})
	if result == nil || len(result.X) == 0 {
		return nil, errors.Join(errors.New("fit: the minimum was not found"), err)
	}
	// A line search that finds no lower point any more has found the minimum as far as rounding allows.
	for _, v := range result.X {
		if math.IsNaN(v) {
			return nil, errors.New("fit: the minimum is no number")
		}
	}
	return result.X, nil
}
