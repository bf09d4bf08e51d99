package search

import (
	"context"
	"sync"

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

// searchTogether is Search with helpers. A limit of nodes is divided among the threads; the nodes
// reported are those of the first thread, save in the result.
func (e *Engine) searchTogether(ctx context.Context, position *board.Board, limits Limits, depth int, report func(Result)) Result {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if threads := int64(len(e.helpers) + 1); limits.Nodes > 0 {
		limits.Nodes = (limits.Nodes + threads - 1) / threads
	}
	limit := newLimiter(ctx, limits)
	var group sync.WaitGroup
	for i, h := range e.helpers {
		group.Go(func() {
			h.prepare(position, limit)
			h.help(depth, i)
		})
	}
	e.prepare(position, limit)
	result := e.iterate(depth, report)
	stop()
	group.Wait()
	for _, h := range e.helpers {
		result.Nodes += h.nodes
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
}
