// Package search looks ahead: iterative-deepening principal variation search on the evaluator's
// scores, with solvers for victories by continuous fours (VCF) and continuous threats (VCT).
//
// Everything is integer. With one thread and limits by depth or nodes a search is a pure function
// of weights, position, limits and the engine's memory of the current game. More threads and clocks
// are for play.
//
// Start at Engine.search in search.go: the node, in numbered steps. root.go deepens and asks the solver of fours
// (vcf.go), movegen.go makes and orders the move lists, time.go manages the clock, smp.go runs more threads. solve.go offers the solvers of
// fours and of threats (vct.go) without a search.
package search

import (
	"context"
	"sync"
	"sync/atomic"

	"quintune/board"
	"quintune/evaluator"
	"quintune/pattern"
	"quintune/weights"
)

// Options are an engine's constants that are not weights.
type Options struct {
	TableEntries int     // size of the TT, entries of EntryBytes, rounded down to a power of two from 4 on; 0 or less: DefaultTableEntries
	Off          Feature // features that are switched off
	Threads      int     // threads of a search; 0 or less: one. Only a search by one thread can be repeated exactly
}

// DefaultTableEntries is the size of a TT in self-play: half a mebibyte stays in the second-level
// cache of one core.
const DefaultTableEntries = 1 << 15

// numCells is the length of tables by cell. It is a power of two, so an index c%numCells needs no bounds check.
const numCells = board.NoCell + 1

// Engine searches positions of one size and rule with one set of weights. Its TT and histories last until
// NewGame. It is not safe for concurrent use; distinct engines are independent. Helper threads may run for a few
// milliseconds after Search has returned.
type Engine struct {
	board  *board.Board
	state  *evaluator.State
	tables *evaluator.Tables
	params params
	off    Feature
	tt     *table
	vcf    *vcf

	history     history
	corrections corrections
	moves       []scored // stack of the move lists of all plies
	cells       []board.Cell
	marks       [numCells]uint8 // [cell]: scratch memory of move generation, all zero between calls
	pv          [maxPly + 1]pvLine
	statics     [maxPly + 1]int32 // [ply]: static scores on the current path; a node with a forced reply inherits its score

	limit   limiter
	time    timeManager
	nodes   int64
	aborted bool

	helpers []*Engine      // the other threads; they share the buckets of the TT
	running sync.WaitGroup // counts the helpers that still search
	counted atomic.Int64   // copy of nodes that other threads may read, updated when the limits are checked
}

// pvLine is a principal variation, best move first.
type pvLine struct {
	n     int
	cells [64]board.Cell
}

// set makes the line the move followed by the rest.
func (l *pvLine) set(move board.Cell, rest *pvLine) {
	l.cells[0] = move
	l.n = 1 + copy(l.cells[1:], rest.cells[:rest.n])
}

// NewEngine returns an engine for boards of the size under the rule. It is an error when the size or
// rule is not played; the set must be within its bounds.
func NewEngine(set *weights.Set, size int, rule pattern.Rule, options Options) (*Engine, error) {
	entries := options.TableEntries
	if entries <= 0 {
		entries = DefaultTableEntries
	}
	e := newThread(options.Off, newTable(entries))
	for range options.Threads - 1 {
		e.tt.shared = true
		e.helpers = append(e.helpers, newThread(options.Off, e.tt.view()))
	}
	e.compile(set)
	if err := e.SetBoard(size, rule); err != nil {
		return nil, err
	}
	return e, nil
}

// newThread returns an engine that has no weights, board or helpers yet.
func newThread(off Feature, tt *table) *Engine {
	e := &Engine{off: off, tt: tt}
	e.vcf = newVCF(e, vcfEntries)
	return e
}

// compile compiles the weights and gives the result to all threads.
func (e *Engine) compile(set *weights.Set) {
	e.join()
	e.tables, e.params = evaluator.Compile(set), newParams(set)
	for _, h := range e.helpers {
		h.tables, h.params = e.tables, e.params
	}
}

// SetBoard changes the size and rule of the boards that the engine plays on. The memory of its TT is kept, its
// content is not: SetBoard implies NewGame. The errors are those of NewEngine; on an error nothing changes.
func (e *Engine) SetBoard(size int, rule pattern.Rule) error {
	b, err := board.New(size, rule)
	if err != nil {
		return err
	}
	e.join()
	e.board, e.state = b, evaluator.NewState(b, e.tables)
	// Capacities above what searches use, so that these seldom grow. Chosen, not measured.
	e.moves = make([]scored, 0, 64*size*size)
	e.cells = make([]board.Cell, 0, 4*size*size)
	for _, h := range e.helpers {
		if err := h.SetBoard(size, rule); err != nil {
			return err
		}
	}
	e.NewGame()
	return nil
}

// SetWeights makes the engine play with another set from now on; it implies NewGame. The set must be within its bounds.
func (e *Engine) SetWeights(set *weights.Set) {
	e.compile(set)
	e.state.SetTables(e.tables)
	for _, h := range e.helpers {
		h.state.SetTables(e.tables)
	}
	e.NewGame()
}

// NewGame clears all memory, so that the next game depends on nothing before it.
func (e *Engine) NewGame() {
	e.join()
	e.tt.clear()
	e.vcf.clear()
	e.history.clear()
	e.corrections.clear()
	for _, h := range e.helpers {
		h.NewGame()
	}
}

// Search returns the best move of the position. The position must have the engine's size and rule, else Search panics, and be
// Ongoing with a legal move; see board.Board.Pass. The search ends at the first limit or when ctx is done, and even then returns
// a legal move. After each finished iteration it calls report, if not nil, from the same goroutine. It reports nothing where the
// move is known without iterations, and none of those that only look for a shorter win than one by continuous fours.
func (e *Engine) Search(ctx context.Context, position *board.Board, limits Limits, report func(Result)) Result {
	depth := limits.Depth
	if depth <= 0 || depth > MaxDepth {
		depth = MaxDepth
	}
	if len(e.helpers) > 0 {
		return e.searchTogether(ctx, position, limits, depth, report)
	}
	time := newTimeManager(limits)
	e.beginSearch(position, newLimiter(ctx, limits.Nodes, &time), time)
	return e.searchRoot(depth, report)
}

// SearchBalance is Search for positions that are judged: the score is the mean of the last two iterations, where the last one claims no
// win or loss. A score favours the side that moves last in its line, and the lines of two iterations end with different sides. Where one
// of the two found a win or loss, proven or not, the mean can be half of Win in size or more, though PliesToWin is 0.
func (e *Engine) SearchBalance(ctx context.Context, position *board.Board, limits Limits) Result {
	var last, before int64
	result := e.Search(ctx, position, limits, func(r Result) { last, before = int64(r.Score), last })
	if result.Depth >= 2 && PliesToWin(result.Score) == 0 {
		result.Score = int32((last + before) / 2)
	}
	return result
}

// beginSearch sets up the search of a position.
func (e *Engine) beginSearch(position *board.Board, limit limiter, time timeManager) {
	e.loadPosition(position)
	e.limit, e.time = limit, time
	e.nodes, e.aborted = 0, false
	e.counted.Store(0)
	e.statics = [maxPly + 1]int32{}
	e.tt.nextAge()
	e.history.age()
}

// loadPosition puts the position on the engine's own board.
func (e *Engine) loadPosition(position *board.Board) {
	e.board.CopyFrom(position)
	e.state.Rebuild()
}

// Explain returns the terms of the static score of the position, which must have the engine's size and rule, else Explain panics;
// see evaluator.State.Explain.
func (e *Engine) Explain(position *board.Board) []evaluator.Term {
	e.loadPosition(position)
	return e.state.Explain()
}

// make plays a move and counts the node.
func (e *Engine) make(c board.Cell) {
	e.state.Make(c)
	if e.nodes++; e.nodes >= e.limit.next {
		e.limit.check(e.nodes)
		e.counted.Store(e.nodes)
		e.aborted = e.aborted || e.limit.stopped
	}
}

func (e *Engine) unmake() { e.state.Unmake() }

// enabled reports whether the feature is switched on.
func (e *Engine) enabled(f Feature) bool { return e.off&f == 0 }
