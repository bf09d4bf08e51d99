package search

import (
	"context"

	"quintune/board"
)

// Lazy SMP: helper threads search the same position, each with its own board, histories and table of refuted
// fours. Only the TT is shared. The result is that of the first thread, which profits from what the others have
// stored in the TT. Source: Østensen, "A Complete Chess Engine Parallelized Using Lazy SMP" (thesis, Oslo
// 2016).

// join waits until the helpers have stopped, so that their state may be touched.
func (e *Engine) join() { e.running.Wait() }

// searchTogether is Search with helpers. A limit of nodes is divided among the threads, rounded up. Reports count the
// nodes of the first thread, the result those of all threads, where up to clockInterval − 1 nodes of each helper are
// missing. It does not wait for the helpers to stop: on a busy machine this may take longer than the limit.
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
		h.beginSearch(position, limit, time) // in this goroutine: once Search has returned, the caller may change the position
		e.running.Go(func() { h.help(depth, i) })
	}
	e.beginSearch(position, limit, time)
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
