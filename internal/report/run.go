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
	Limit    string   // of a move, see run.Spec.Limit
	Commands []string // that repeat it, in their order
	Notes    []string // what else a repetition needs, or why there can be none

	Generations []run.Generation
	Weights     []run.Value      // all, in the order of their declaration; idle ones are not shown
	Sensitivity *run.Sensitivity // what was measured of single weights; nil: nothing
	Outdated    string           // sentence about a sensitivity that is left out, since the run has gone on; "": none is
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

// changed returns the indices of the weights that changed, the largest changes first.
func (r *Run) changed() []int {
	var list []int
	for i := range r.Weights {
		if w := &r.Weights[i]; w.Start != w.Now && !w.Idle {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(r.Weights[b].Distance(), r.Weights[a].Distance()) })
	return list
}
