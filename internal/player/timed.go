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

// timedTable is the size of the TT under a clock, entries: a move may take much longer than in tuning.
const timedTable = 1 << 18

// timed is our engine with a clock in place of a node limit; its games depend on the machine.
type timed struct {
	engine *search.Engine
	limits search.Limits
}

func newTimed(set *weights.Set, size int, rule pattern.Rule, move time.Duration) (*timed, error) {
	e, err := search.NewEngine(set, size, rule, search.Options{TableEntries: timedTable})
	if err != nil {
		return nil, err
	}
	return &timed{e, search.Limits{Time: move}}, nil
}

// NewGame forgets what the search has learnt.
func (t *timed) NewGame(uint64) error {
	t.engine.NewGame()
	return nil
}

// Move searches the position for the time of a move.
func (t *timed) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	r := t.engine.Search(ctx, position, t.limits, nil)
	return selfplay.Reply{Move: r.Best, Claim: search.PliesToWin(r.Score), Nodes: r.Nodes}, ctx.Err()
}
