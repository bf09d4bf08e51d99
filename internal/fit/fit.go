// Package fit fits weights to labelled positions by logistic regression: the score of a position, over a scale,
// is the logit of the side to move winning (P. Österlund, "Texel's tuning method"). Every sum is taken in an order
// that does not depend on the number of workers.
package fit

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"quintune/weights"
)

// Learns reports whether a fit can change weights of the groups, or of the default ones where none is named.
// Search weights are not part of a score, so a fit cannot change them.
func Learns(groups []string) bool {
	return len(groups) == 0 || slices.ContainsFunc(groups, func(group string) bool { return group != weights.SearchGroup })
}

// Settings of a fit. The zero value of a field stands for its default.
type Settings struct {
	Frozen []int // indices of genes that keep the value of the start
	// ScaleAll lets weights of other families, such as those of the search, follow the scale of the fitted ones: up to version 5.
	ScaleAll bool

	workers int // goroutines, without effect on the result; 0: one a core
	// prior is the standard deviation of the normal prior around the start, for a weight times the size of its derivatives, in
	// units of the logit; 0: .01. It is narrow on purpose. Many solutions predict equally well, and in some of them large
	// weights cancel each other. The prior chooses one with small weights, which still plays well after an optimiser has
	// changed them a little.
	prior float64
}

const (
	usualPrior     = .01 // Elo of others is in docs/results/fit.md
	orderPrior     = 1   // the same for the ordering; wide, because its weights do not cancel each other
	leastPositions = 50  // to fit to, so that five judge the result; see enough
	iterations     = 300 // bounds a search that goes on to find lower points
)

// Report is the result of a fit. Losses are means over positions of games that were not used for fitting, in
// nats. They include the entropy of the labels.
type Report struct {
	Positions   int     // that it was fitted to
	Scale       float64 // points that make one unit of the logit
	Before      float64 // loss of the start's scores
	After       float64 // loss of the fitted weights
	OrderBefore float64 // loss of the start's move ordering
	OrderAfter  float64 // loss of the fitted order
}

// Fit returns genes near the start's that fit the positions best: scores to labels, and ordering scores to best
// moves. Every tenth game is not fitted but used to judge the result. If the result does not predict these games
// better than the start, it is dropped. Equal positions give equal genes. Too few positions are an error, and so is a ctx that
// is done.
func Fit(ctx context.Context, space *weights.Space, start []float64, positions []Position, s Settings) ([]float64, Report, error) {
	fitted, heldOut := split(positions)
	if !enough(fitted, heldOut) {
		return nil, Report{}, fmt.Errorf("fit: %d and %d positions of distinct games are too few, the least are %d and %d",
			len(fitted), len(heldOut), leastPositions, leastPositions/heldOutOf)
	}
	if s.workers == 0 {
		s.workers = runtime.GOMAXPROCS(0)
	}
	if s.prior == 0 {
		s.prior = usualPrior
	}
	f := fitter{space: space, settings: s, reaches: free(space, s.Frozen), fitted: fitted, heldOut: heldOut}
	genes, scores, err := f.improve(ctx, start, scoreLoss, s.prior)
	if err != nil {
		return nil, Report{}, err
	}
	genes, moves, err := f.improve(ctx, genes, moveLoss, orderPrior)
	if err != nil {
		return nil, Report{}, err
	}
	return genes, Report{
		Positions: len(fitted), Scale: scores.scale, Before: scores.before, After: scores.after,
		OrderBefore: moves.before, OrderAfter: moves.after,
	}, nil
}

// free returns the bounds of the weights that a fit may move.
func free(space *weights.Space, frozen []int) (list []weights.Reach) {
	genes, declared := space.Genes(), weights.Declarations()
	for _, r := range space.Reaches() {
		if !slices.ContainsFunc(frozen, func(gene int) bool { return genes[gene].Name == declared[r.Place].Name }) {
			list = append(list, r)
		}
	}
	return list
}

// fitter fits one thing after the other to the same positions.
type fitter struct {
	space           *weights.Space
	settings        Settings
	reaches         []weights.Reach
	fitted, heldOut []Position
}

// judgement holds a loss before and after a fit, and its scale.
type judgement struct{ scale, before, after float64 }

// improve returns genes with a smaller loss, or the given ones.
func (f *fitter) improve(ctx context.Context, genes []float64, loss lossOf, prior float64) ([]float64, judgement, error) {
	values := f.space.Real(genes)
	scale, err := f.scale(ctx, loss, values)
	if err != nil {
		return nil, judgement{}, err
	}
	j := judgement{scale: scale, before: meanLoss(loss, values, scale, f.heldOut, f.settings.workers)}
	j.after = j.before
	p := f.problem(loss, values, scale, prior)
	if len(p.free) == 0 {
		return genes, j, nil
	}
	x, err := minimise(ctx, p)
	if err != nil {
		return nil, j, err
	}
	share := p.share(x)
	if !(share > 0) {
		return genes, j, nil
	}
	for place, w := range p.weights(x) {
		values[place] = w * scale / share
	}
	better := f.space.Nearest(values)
	if !f.settings.ScaleAll {
		f.keepOthers(better, genes, p)
	}
	for _, gene := range f.settings.Frozen {
		better[gene] = genes[gene]
	}
	values = f.space.Real(better)
	if scale, err = f.scale(ctx, loss, values); err != nil {
		return nil, j, err
	}
	after := meanLoss(loss, values, scale, f.heldOut, f.settings.workers)
	if !(after < j.before) {
		return genes, j, nil
	}
	return better, judgement{scale: scale, before: j.before, after: after}, nil
}

// keepOthers sets the genes of families without a free weight of the problem back to those before: its scale is not theirs.
func (f *fitter) keepOthers(genes, before []float64, p *problem) {
	fitted, declared := map[string]bool{}, weights.Declarations()
	for _, place := range p.free {
		fitted[weights.Family(declared[place].Group)] = true
	}
	for i, g := range f.space.Genes() {
		if !fitted[weights.Family(g.Group)] {
			genes[i] = before[i]
		}
	}
}

// scale returns the points of one unit of the logit that suit the values best.
func (f *fitter) scale(ctx context.Context, loss lossOf, values []float64) (float64, error) {
	scale := bestScale(func(scale float64) float64 {
		if ctx.Err() != nil {
			return 0 // nobody sees the scale
		}
		return meanLoss(loss, values, scale, f.fitted, f.settings.workers)
	})
	return scale, ctx.Err()
}

// problem returns the problem of the free weights that the loss depends on.
func (f *fitter) problem(loss lossOf, values []float64, scale, prior float64) *problem {
	p := &problem{loss: loss, start: over(values, scale), positions: f.fitted, prior: prior, workers: f.settings.workers}
	squares := make([]float64, len(values))
	gradient := make([]float64, len(values))
	for i := range f.fitted {
		clear(gradient)
		loss(&f.fitted[i], p.start, gradient)
		for place, derivative := range gradient {
			squares[place] += float64(derivative * derivative)
		}
	}
	argument := make(map[int]int, len(f.reaches))
	for _, r := range f.reaches {
		if squares[r.Place] == 0 {
			continue
		}
		b := bound{weight: len(p.free), above: -1, least: r.Least / scale, most: r.Most / scale}
		if k, isFree := argument[r.Above]; isFree {
			b.above = k
		} else if r.Above >= 0 {
			b.base = p.start[r.Above]
		}
		p.scaled = p.scaled || r.Least == r.Most
		argument[r.Place] = b.weight
		p.free = append(p.free, r.Place)
		p.size = append(p.size, math.Sqrt(squares[r.Place]/float64(len(f.fitted))))
		p.bounds = append(p.bounds, b)
	}
	return p
}

// heldOutOf is the number of games of which one is held out of the fit, to judge its result.
const heldOutOf = 10

// enough reports whether there are positions for a fit, and a share of them to judge it.
func enough(fitted, heldOut []Position) bool {
	return len(fitted) >= leastPositions && len(heldOut) >= leastPositions/heldOutOf
}

// split divides positions by game.
func split(positions []Position) (fitted, heldOut []Position) {
	for _, p := range positions {
		if p.Game%heldOutOf == heldOutOf-1 {
			heldOut = append(heldOut, p)
		} else {
			fitted = append(fitted, p)
		}
	}
	return fitted, heldOut
}
