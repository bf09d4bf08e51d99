// Package search looks ahead: iterative-deepening principal variation search on the evaluator's
// scores, with solvers for victories by continuous fours (VCF) and continuous threats (VCT).
//
// Everything is integer. With one thread and limits by depth or nodes a search is a pure function
// of weights, position, limits and the engine's memory of the current game. More threads and clocks
// are for play.
//
// Start at Engine.search in search.go: the node, in numbered steps. root.go deepens and asks the solvers
// (vcf.go, vct.go), movegen.go makes and orders the move lists, time.go manages the clock.
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
	TableEntries int     // size of the TT, entries of EntryBytes; 0: DefaultTableEntries
	Off          Feature // features that are switched off
	Threads      int     // threads of a search; 0: one. Only a search by one thread can be repeated exactly
}

// DefaultTableEntries is the size of a TT in self-play: half a mebibyte stays in the second-level
// cache of one core.
const DefaultTableEntries = 1 << 15

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
	marks       [1 << 10]uint8 // [cell]: scratch memory of move generation, all zero between calls
	pv          [maxPly + 1]line
	statics     [maxPly + 1]int32 // [ply]: static scores on the current path; a node with a forced reply inherits its score

	limit   limiter
	time    timeManager
	nodes   int64
	aborted bool

	helpers []*Engine      // the other threads; they share the buckets of the TT
	running sync.WaitGroup // counts the helpers that still search
	counted atomic.Int64   // copy of nodes that other threads may read, updated when the limits are checked
}

// line is a principal variation, best move first.
type line struct {
	n     int
	cells [64]board.Cell
}

// set makes the line the move followed by the rest.
func (l *line) set(move board.Cell, rest *line) {
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

// SetWeights makes the engine play with another set from now on; it implies NewGame.
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

// Search returns the best move of the position. The position must have the engine's size and rule, and be
// Ongoing: there is a legal move. The search ends at the first limit or when ctx is done, and even then returns a legal move.
// After each finished iteration it calls report, if not nil, from the same goroutine.
func (e *Engine) Search(ctx context.Context, position *board.Board, limits Limits, report func(Result)) Result {
	depth := limits.Depth
	if depth <= 0 || depth > MaxDepth {
		depth = MaxDepth
	}
	if len(e.helpers) > 0 {
		return e.searchTogether(ctx, position, limits, depth, report)
	}
	time := newTimeManager(limits)
	e.prepare(position, newLimiter(ctx, limits.Nodes, &time), time)
	return e.searchRoot(depth, report)
}

// prepare sets up the search of a position.
func (e *Engine) prepare(position *board.Board, limit limiter, time timeManager) {
	e.load(position)
	e.limit, e.time = limit, time
	e.nodes, e.aborted = 0, false
	e.counted.Store(0)
	e.statics = [maxPly + 1]int32{}
	e.tt.nextAge()
	e.history.age()
}

// load puts the position on the engine's own board.
func (e *Engine) load(position *board.Board) {
	e.board.CopyFrom(position)
	e.state.Rebuild()
}

// Explain returns the terms of the static score of the position; see evaluator.State.Explain.
func (e *Engine) Explain(position *board.Board) []evaluator.Term {
	e.load(position)
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

// has reports whether the feature is switched on.
func (e *Engine) has(f Feature) bool { return e.off&f == 0 }

// Lazy SMP: helper threads search the same position, each with its own board, histories and table of refuted
// fours. Only the TT is shared. The result is that of the first thread, which profits from what the others have
// stored in the TT. Source: Östensson, "A Complete Chess Engine Parallelized Using Lazy SMP" (thesis, Oslo
// 2016).

// join waits until the helpers have stopped, so that their state may be touched.
func (e *Engine) join() { e.running.Wait() }

// searchTogether is Search with helpers. A limit of nodes is divided among the threads. Reports count the nodes
// of the first thread, the result those of all threads. It does not wait for the helpers to stop: on a busy
// machine this may take longer than the limit.
func (e *Engine) searchTogether(ctx context.Context, position *board.Board, limits Limits, depth int, report func(Result)) Result {
	e.join()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if threads := int64(len(e.helpers) + 1); limits.Nodes > 0 {
		limits.Nodes = (limits.Nodes + threads - 1) / threads
	}
	time := newTimeManager(limits)
	limit := newLimiter(ctx, limits.Nodes, &time)
	for i, h := range e.helpers {
		h.prepare(position, limit, time) // in this goroutine: once Search has returned, the caller may change the position
		e.running.Go(func() { h.help(depth, i) })
	}
	e.prepare(position, limit, time)
	result := e.searchRoot(depth, report)
	for _, h := range e.helpers {
		result.Nodes += h.counted.Load()
	}
	return result
}

// help runs a helper: iterative deepening until it is stopped. Only its entries in the TT are used. Every other
// helper begins one ply deeper, so that the threads search different subtrees.
func (e *Engine) help(depth, number int) {
	if _, known := e.knownMove(); known || e.hasForcedReply() {
		return
	}
	score := int32(0)
	for d := 1 + (number+1)%2; d <= depth && !e.aborted; d++ {
		score = e.aspirate(d, score)
	}
	e.counted.Store(e.nodes)
}
