package search

import (
	"context"

	"quintune/board"
)

// Solution is what a solver found. A win is a proof: every reply that could stop it was searched.
type Solution struct {
	Win bool
	// Plies is an upper bound of the plies to the win, 0 without a win.
	Plies int
	// Line is the winning sequence, both sides, against the defence that holds out longest: Plies
	// moves, the last of them the five.
	Line  []board.Cell
	Nodes int64 // made moves
	// Exhausted reports that all moves of the solver were tried without a win: a greater limit finds nothing.
	Exhausted bool
}

// Sizes of a solver's tables, entries of 8 bytes: 8 KiB to 8 MiB. Chosen, not measured.
const (
	leastSolverEntries = 1 << 10
	mostSolverEntries  = 1 << 20
)

// SolveVCF searches for a victory of the side to move by continuous fours, counter-fours included,
// fewest fours first; the win is at most two plies longer than the shortest. The position is as for Search. It ends when the made
// moves reach nodes (0 or less: no limit) or ctx is done. All answers in the line are forced. The memory of Search is not touched.
func (e *Engine) SolveVCF(ctx context.Context, position *board.Board, nodes int64) Solution {
	e.beginSolve(ctx, position, nodes)
	v := newVCF(e, solverEntries(nodes))
	plies, exhausted := v.shortest(maxNodes)
	s := Solution{Nodes: e.nodes}
	if plies == 0 {
		s.Exhausted = exhausted
		return s
	}
	s.Win, s.Plies = true, plies
	s.Line = v.appendLine(nil, plies)
	return s
}

// SolveVCT searches for a victory of the side to move by continuous threats, fewest quiet threats first.
// A threat is a four, or a move after which continuous fours would win if the defender passed. Limits
// and memory are as for SolveVCF, but nodes may be passed by the moves of a line of fours, which is played through
// again once it is found. Exhausted refers to the threats that the solver generates, which are not all moves.
func (e *Engine) SolveVCT(ctx context.Context, position *board.Board, nodes int64) Solution {
	e.beginSolve(ctx, position, nodes)
	t := newVCT(e, solverEntries(nodes))
	plies, exhausted := t.solve()
	s := Solution{Win: plies > 0, Plies: plies, Exhausted: exhausted}
	if s.Win {
		s.Line = append(s.Line, t.path[0].line...)
	}
	s.Nodes = e.nodes
	return s
}

// beginSolve sets up the position and the limit of a solver.
func (e *Engine) beginSolve(ctx context.Context, position *board.Board, nodes int64) {
	e.loadPosition(position)
	e.limit = newLimiter(ctx, nodes, &timeManager{})
	e.nodes, e.aborted = 0, false
}

// solverEntries returns the size of a table for a limit of nodes, a power of two.
func solverEntries(nodes int64) int {
	entries := leastSolverEntries
	for entries < mostSolverEntries && (nodes <= 0 || int64(entries) < nodes) {
		entries *= 2
	}
	return entries
}

// refutations is a table of positions in which a solver found no win, indexed by the low bits of the
// hash. The low byte of an entry is the limit up to which the position is refuted; the other bits are
// those of the hash. The length is a power of two from 256 on.
type refutations []uint64

// probe returns the limit up to which the position is refuted.
func (r refutations) probe(hash uint64) (limit uint8, found bool) {
	entry := r[hash&uint64(len(r)-1)]
	return uint8(entry), entry&^0xff == hash&^0xff
}

// store records that the position is refuted up to the limit.
func (r refutations) store(hash uint64, limit uint8) {
	r[hash&uint64(len(r)-1)] = hash&^0xff | uint64(limit)
}
