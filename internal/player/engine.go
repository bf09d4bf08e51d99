package player

import (
	"context"
	"time"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// tableEntries is the size of the TT outside self-play, where a move may take much longer: 4 MiB.
const tableEntries = 1 << 18

// ownEngine is our search under limits of any kind. With a clock its games depend on the machine.
type ownEngine struct {
	engine *search.Engine
	limits search.Limits
	clock  clock
}

func newEngine(set *weights.Set, size int, rule pattern.Rule, limits search.Limits, control TimeControl, off search.Feature) (selfplay.Player, error) {
	e, err := search.NewEngine(set, size, rule, search.Options{TableEntries: tableEntries, Threads: control.Threads, Off: off})
	if err != nil {
		return nil, err
	}
	return &ownEngine{engine: e, limits: limits, clock: clock{control: control}}, nil
}

// NewGame forgets what the search has learnt, and winds up the clock.
func (e *ownEngine) NewGame(uint64) error {
	e.engine.NewGame()
	e.clock.newGame()
	return nil
}

// Move searches the position within the limits.
func (e *ownEngine) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	start := time.Now()
	r := e.engine.Search(ctx, position, e.clock.limits(e.limits), nil)
	reply := selfplay.Reply{Move: r.Best, Claim: search.PliesToWin(r.Score), Nodes: r.Nodes, Took: time.Since(start)}
	if err := ctx.Err(); err != nil {
		return reply, err
	}
	return reply, e.clock.spend(reply.Took)
}
