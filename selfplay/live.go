package selfplay

import (
	"context"
	"sync/atomic"

	"quintune/board"
	"quintune/pattern"
)

// Live is a game in progress, for showing. It does not change.
type Live struct {
	Rule  pattern.Rule
	Size  int          // cells on a side
	Moves []board.Cell // so far, opening included
}

// Live returns a game that one of the pool's workers is playing, or played last; nil before its first
// move. Safe for concurrent use.
func (p *Pool) Live() *Live { return p.live.Load() }

// shown is a Player whose positions are shown before it answers them.
type shown struct {
	Player
	live *atomic.Pointer[Live]
}

// Move shows the position and answers it.
func (s shown) Move(ctx context.Context, position *board.Board) (Reply, error) {
	s.live.Store(&Live{position.Rule(), position.Size(), position.Moves()})
	return s.Player.Move(ctx, position)
}
