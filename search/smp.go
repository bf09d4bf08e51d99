package search

import (
	"context"

	"quintune/board"
)

// Lazy SMP: helper threads search the same position, each with its own board, histories and table of
// refuted fours. They share the TT alone. The first thread's search is the result; it finds in the TT
// what the others have found before it.
// Source: Östensson, "A Complete Chess Engine Parallelized Using Lazy SMP" (thesis, Oslo 2016).

// join waits until the helpers have stopped, so that their state may be touched.
func (e *Engine) join() { e.running.Wait() }

// searchTogether is Search with helpers. A limit of nodes is divided among the threads. The nodes
// reported after an iteration are those of the first thread; the result has those of all. It does not
// wait for the helpers to stop, which on a busy machine may take longer than the limit.
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
		h.prepare(position, limit, time) // here, since the position is the caller's again after Search
		e.running.Go(func() { h.help(depth, i) })
	}
	e.prepare(position, limit, time)
	result := e.searchRoot(depth, report)
	for _, h := range e.helpers {
		result.Nodes += h.counted.Load()
	}
	return result
}

// help deepens until it is stopped, and leaves its results in the TT. Every other helper is a ply
// ahead, so that not all do the same work at the same time.
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
