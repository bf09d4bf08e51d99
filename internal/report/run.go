// Package report tells what a run has come to: one HTML file that needs nothing else, and pictures.
package report

import (
	"cmp"
	"slices"
	"time"
)

// Run is all that a report says of a run.
type Run struct {
	Name      string
	ID        string // hash of the configuration
	Begun     time.Time
	Done      bool
	Start     string // player that it began with
	Rule      string
	Size      int   // cells on a side
	Nodes     int64 // limit a move
	Optimizer string
	Seed      uint64
	Budget    int // games
	Games     int // played, of all kinds
	Evolution int // games of the closed generations
	Engine    string
	Commit    string
	Arch      string   // processor, for which equal bytes are promised
	Commands  []string // that repeat it, in their order
	Notes     []string // what else a repetition needs, or why there can be none

	Checks      []Point // single check matches
	Generations []Generation
	Weights     []Weight // all, in the order of their declaration
	Gates       []Gate
	Validations []Validation // the one to quote first
	Sensitivity []Ablation   // what was measured of single weights; none: nothing
}

// Generation is one closed generation.
type Generation struct {
	Games      int // of the evolution
	Spread     float64
	Sigma      float64
	Best, Mean float64
	Values     []int32 // the champion's, by index of Run.Weights; nil: not stored
}

// Weight is one weight, before and after.
type Weight struct {
	Name, Group, Doc string
	Start, Final     int32
	Distance         float64 // between both, doublings; see weights.Decl.Distance
	Idle             bool    // counts under another rule alone, and is not shown
}

// Gate is one gate that was played.
type Gate struct {
	Opponent       string
	Final          bool
	Passed         bool
	Verdict        string // "accept H1", "accept H0", "inconclusive"
	Pairs          int64
	Elo, Low, High float64
	LLR            float64
	Lower, Upper   float64 // LLR that fails and passes
	NElo0, NElo1   float64
	Alpha          float64
}

// Validation is a match of fixed length on openings of its own.
type Validation struct {
	Opponent            string
	Nodes               int64 // limit a move
	Games               int64
	Wins, Draws, Losses int64
	Elo, Low, High      float64
	Openings            string // hash
}

// Ablation is what one weight is worth: the tuned set against itself with this weight set back.
type Ablation struct {
	Weight         string
	Pairs          int64
	Elo, Low, High float64 // lost by setting it back
}

// Factor returns final by start; false where that says nothing.
func (w *Weight) Factor() (float64, bool) {
	if w.Start > 0 && w.Final > 0 {
		return float64(w.Final) / float64(w.Start), true
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
