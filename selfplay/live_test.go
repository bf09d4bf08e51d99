package selfplay

import (
	"context"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// watching is a Player that reads its pool's Live at every move.
type watching struct {
	pool *Pool
	t    *testing.T
	seen *int
}

func (w watching) NewGame(uint64) error { return nil }

func (w watching) Move(_ context.Context, b *board.Board) (Reply, error) {
	live := w.pool.Live()
	if live == nil || live.Size != b.Size() || !slices.Equal(live.Moves, b.Moves()) {
		w.t.Errorf("the pool shows %+v, the game is at %s", live, board.FormatMoves(b.Moves()))
	}
	*w.seen++
	for c := range board.Cell(board.NoCell) {
		if b.Legal(c) == nil {
			return Reply{Move: c}, nil
		}
	}
	return Reply{Move: board.NoCell}, nil
}

func TestPoolShowsAGameInProgress(t *testing.T) {
	pool, seen := NewPool(1), 0
	if pool.Live() != nil {
		t.Error("a game is shown before the first")
	}
	watcher := Contestant{Open: func(int, pattern.Rule, int64) (Player, error) { return watching{pool, t, &seen}, nil }}
	batch := &Batch{
		Contestants: []Contestant{watcher}, Rule: pattern.Freestyle, Size: 9, Nodes: 1,
		Pairings: []Pairing{{Opening: boardtest.Moves(t, "e5")}},
	}
	if _, err := pool.Run(t.Context(), batch, nil); err != nil || seen == 0 {
		t.Errorf("%d moves seen, error %v", seen, err)
	}
}
