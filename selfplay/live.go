package selfplay

import (
	"context"
	"sync/atomic"

	"quintune/board"
)

// Live is a game in progress, for display. It is immutable.
type Live struct {
	Size  int          // cells on a side
	Moves []board.Cell // so far, opening included
}

// Live returns a game that one of the pool's workers is playing, or played last; nil before its first
// move. Safe for concurrent use.
func (p *Pool) Live() *Live { return p.live.Load() }

// shown is a Player that publishes each position before its player answers it.
type shown struct {
	Player
	live *atomic.Pointer[Live]
}

// Move publishes the position and answers it.
func (s shown) Move(ctx context.Context, position *board.Board) (Reply, error) {
	s.live.Store(&Live{position.Size(), position.Moves()})
	return s.Player.Move(ctx, position)
}
