package search

import (
	"context"

	"quintune/board"
)

// Solution is what a solver found. A win is a proof: every reply that could stop it was searched.
type Solution struct {
	Win bool
	// Plies is how soon the side to move wins at the latest, 0 without a win; not always the least possible.
	Plies int
	// Line is the winning sequence, both sides, against the defence that holds out longest: Plies
	// moves, the last of them the five.
	Line  []board.Cell
	Nodes int64 // made moves
	// Exhausted says, where no win was found, that the solver's moves were all tried: a greater limit finds nothing.
	Exhausted bool
}

// Sizes of a solver's tables, entries of 8 bytes.
const (
	leastSolverEntries = 1 << 10
	mostSolverEntries  = 1 << 20
)

// SolveVCF looks for a victory of the side to move by continuous fours, counter-fours included,
// shortest first. The position is as for Search. It ends when the made moves reach nodes (0: no limit) or ctx is
// done. The line's answers are the only ones; what Search remembers is not touched.
func (e *Engine) SolveVCF(ctx context.Context, position *board.Board, nodes int64) Solution {
	e.begin(ctx, position, nodes)
	v := newVCF(solverEntries(nodes))
	plies, final := e.shortestVCF(v, maxBudget)
	s := Solution{Nodes: e.nodes}
	if plies == 0 {
		s.Exhausted = final
		return s
	}
	s.Win, s.Plies = true, plies
	s.Line = e.appendLine(nil, v, plies)
	return s
}

// SolveVCT looks for a victory of the side to move by continuous threats, fewest quiet threats first: fours, and
// moves after which continuous fours would win if the defender passed. Otherwise it is as SolveVCF;
// here Exhausted speaks of the threats that the solver thinks of, which are not all moves.
func (e *Engine) SolveVCT(ctx context.Context, position *board.Board, nodes int64) Solution {
	e.begin(ctx, position, nodes)
	t := newVCT(e, solverEntries(nodes))
	plies, exhausted := t.solve()
	s := Solution{Win: plies > 0, Plies: plies, Exhausted: exhausted}
	if s.Win {
		s.Line = append(s.Line, t.levels[0].line...)
	}
	s.Nodes = e.nodes
	return s
}

// maxBudget is a budget of fours that never ends.
const maxBudget = 1 << 60

// begin sets up the position and the limit of a solver.
func (e *Engine) begin(ctx context.Context, position *board.Board, nodes int64) {
	e.load(position)
	e.limit = newLimiter(ctx, Limits{Nodes: nodes})
	e.nodes, e.aborted = 0, false
}

// solverEntries returns the size of a table for so many nodes, a power of two.
func solverEntries(nodes int64) int {
	entries := leastSolverEntries
	for entries < mostSolverEntries && (nodes == 0 || int64(entries) < nodes) {
		entries *= 2
	}
	return entries
}
