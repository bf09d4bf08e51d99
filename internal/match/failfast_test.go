package match

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quintune/board"
	"quintune/pattern"
	"quintune/selfplay"
)

// crasher is a player that fails in the games that its function selects.
type crasher struct {
	fails func(game int) bool
	game  int
}

func (c *crasher) NewGame(uint64) error {
	c.game++
	return nil
}

func (c *crasher) Move(_ context.Context, b *board.Board) (selfplay.Reply, error) {
	if c.fails(c.game) {
		return selfplay.Reply{Move: board.NoCell}, errors.New("out of luck")
	}
	for y := range b.Size() {
		for x := range b.Size() {
			if b.Empty(board.At(x, y)) {
				return selfplay.Reply{Move: board.At(x, y)}, nil
			}
		}
	}
	return selfplay.Reply{Move: board.NoCell}, errors.New("the board is full")
}

func TestFailFast(t *testing.T) {
	for _, test := range []struct {
		name   string
		fails  func(game int) bool
		pairs  int
		before int // pairs played before
		played int
		want   string // "" for no error
	}{
		{"never", func(int) bool { return false }, 12, 0, 12, ""},
		{"always", func(int) bool { return true }, 12, 0, mostFaults, "unlucky cannot play: it failed in 5 pairs in a row, last: out of luck"},
		{"in all of few pairs", func(int) bool { return true }, 2, 0, 2, "unlucky cannot play: no pair counts, and it failed in the last: out of luck"},
		{"now and then", func(game int) bool { return game%20 < 16 }, 12, 0, 12, ""},
		{"in the last pairs of a match", func(int) bool { return true }, 2, 10, 2, ""},
		{"always, after other pairs", func(int) bool { return true }, 12, 10, mostFaults, "it failed in 5 pairs in a row"},
	} {
		t.Run(test.name, func(t *testing.T) {
			open := func(fails func(int) bool) func(int, pattern.Rule, int64) (selfplay.Player, error) {
				return func(int, pattern.Rule, int64) (selfplay.Player, error) { return &crasher{fails: fails}, nil }
			}
			b := &selfplay.Batch{
				Contestants: []selfplay.Contestant{
					{Name: "steady", Open: open(func(int) bool { return false })}, {Name: "unlucky", Open: open(test.fails)},
				},
				Pairings: make([]selfplay.Pairing, test.pairs), Size: 9, Nodes: 1,
			}
			for i := range b.Pairings {
				b.Pairings[i].B = 1
			}
			played := 0
			_, err := FailFast(selfplay.NewPool(1), test.before).Run(context.Background(), b, func(int, *selfplay.Result) { played++ })
			if played != test.played || (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || !errors.Is(err, ErrFails)) {
				t.Errorf("%d pairs, %v; want %d, %q", played, err, test.played, test.want)
			}
		})
	}
}

// Where both players failed, one line names both.
func TestFailFastOfBoth(t *testing.T) {
	open := func(int, pattern.Rule, int64) (selfplay.Player, error) {
		return &crasher{fails: func(int) bool { return true }}, nil
	}
	b := &selfplay.Batch{
		Contestants: []selfplay.Contestant{{Name: "one", Open: open}, {Open: open}},
		Pairings:    []selfplay.Pairing{{A: 1, B: 0}}, Size: 9, Nodes: 1,
	}
	_, err := FailFast(selfplay.NewPool(1), 0).Run(t.Context(), b, nil)
	const want = "player 2 cannot play: no pair counts, and it failed in the last: out of luck; one cannot play: no pair counts, and it failed in the last: out of luck"
	if err == nil || err.Error() != want || !errors.Is(err, ErrFails) {
		t.Errorf("%v, want %s", err, want)
	}
}
