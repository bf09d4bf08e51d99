package search

import (
	"context"

	"quintune/board"
)

// Lazy SMP: helper threads search the same position, each with its own board, histories and cache of
// fours, and all that passes between threads goes through the TT. The first thread's search is the
// result; it finds in the TT what the others have found before it.
// Source: Östensson, "A Complete Chess Engine Parallelized Using Lazy SMP" (thesis, Oslo 2016).

// recruit makes h, which has no TT, a helper of e.
func (e *Engine) recruit(h *Engine) {
	e.tt.shared = true
	h.tt = e.tt.view()
	e.helpers = append(e.helpers, h)
}

// join waits until the helpers have stopped, so that their state may be touched.
func (e *Engine) join() { e.running.Wait() }

// searchTogether is Search with helpers. A limit of nodes is divided among the threads; the nodes
// reported are those of the first thread, save in the result. It does not wait for the helpers to
// stop, which on a busy machine may take longer than the search is allowed to.
func (e *Engine) searchTogether(ctx context.Context, position *board.Board, limits Limits, depth int, report func(Result)) Result {
	e.join()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if threads := int64(len(e.helpers) + 1); limits.Nodes > 0 {
		limits.Nodes = (limits.Nodes + threads - 1) / threads
	}
	limit := newLimiter(ctx, limits)
	for i, h := range e.helpers {
		h.prepare(position, limit) // here, since the position is the caller's again after Search
		e.running.Go(func() { h.help(depth, i) })
	}
	e.prepare(position, limit)
	result := e.iterate(depth, report)
	for _, h := range e.helpers {
		result.Nodes += h.counted.Load()
	}
	return result
}

// help deepens like iterate until it is stopped, and leaves its results in the TT. Every other
// helper is a ply ahead, so that not all do the same work at the same time.
func (e *Engine) help(depth, number int) {
	if e.obvious().Best != board.NoCell || e.forced() {
		return
	}
	score := int32(0)
	for d := 1 + (number+1)%2; d <= depth && !e.aborted; d++ {
		score = e.aspirate(d, score)
	}
	e.counted.Store(e.nodes)
}
