package player

import (
	"context"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// tableEntries is the size of the TT outside self-play, where a move may take much longer: 4 MiB.
const tableEntries = 1 << 18

// engine is our search under limits of any kind. With a clock its games depend on the machine.
type engine struct {
	engine *search.Engine
	limits search.Limits
}

func newEngine(set *weights.Set, size int, rule pattern.Rule, limits search.Limits) (selfplay.Player, error) {
	e, err := search.NewEngine(set, size, rule, search.Options{TableEntries: tableEntries})
	if err != nil {
		return nil, err
	}
	return &engine{e, limits}, nil
}

// NewGame forgets what the search has learnt.
func (e *engine) NewGame(uint64) error {
	e.engine.NewGame()
	return nil
}

// Move searches the position within the limits.
func (e *engine) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	r := e.engine.Search(ctx, position, e.limits, nil)
	return selfplay.Reply{Move: r.Best, Claim: search.PliesToWin(r.Score), Nodes: r.Nodes}, ctx.Err()
}
