// Package report shows what a run has come to: one HTML file that needs nothing else, and pictures.
package report

import (
	"cmp"
	"slices"

	"quintune/internal/run"
)

// Run is all that a report shows of a run.
type Run struct {
	run.Summary
	State    run.State
	Commands []string // that repeat it, in their order
	Notes    []string // what else a repetition needs, or why there can be none

	Generations []run.Generation
	Weights     []Weight         // all, in the order of their declaration
	Sensitivity *run.Sensitivity // what was measured of single weights; nil: nothing
}

// ablations returns the weights that a match was played for.
func (r *Run) ablations() []run.WeightChange {
	if r.Sensitivity == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Sensitivity.Changes), func(c run.WeightChange) bool { return c.Cost == nil })
}

// groupCosts returns the groups of weights that a match was played for.
func (r *Run) groupCosts() []run.GroupChange {
	if r.Sensitivity == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Sensitivity.Groups), func(g run.GroupChange) bool { return g.Cost == nil })
}

// Weight is one number that can be tuned, before and after.
type Weight struct {
	Name, Group, Doc string
	Start, Final     float64
	Distance         float64 // between both, doublings; see run.Parameter.Distance
	Idle             bool    // has an effect only under another rule, and is not shown
}

// Factor returns final by start; false where there is no such factor.
func (w *Weight) Factor() (float64, bool) {
	if w.Start > 0 && w.Final > 0 {
		return w.Final / w.Start, true
	}
	return 0, false
}

// changed returns the indices of the weights that changed, the largest changes first.
func (r *Run) changed() []int {
	var list []int
	for i := range r.Weights {
		if w := &r.Weights[i]; w.Start != w.Final && !w.Idle {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(r.Weights[b].Distance, r.Weights[a].Distance) })
	return list
}
