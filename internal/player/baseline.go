package player

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
)

// parseBaseline returns the player of a system of the literature.
func parseBaseline(argument string) (*Player, error) {
	name := strings.TrimPrefix(argument, baselinePrefix)
	unit, err := baseline.Unit(name)
	if err != nil {
		return nil, fmt.Errorf("player %.80q: %w", argument, err)
	}
	return &Player{Name: displayed(argument), Unit: unit, baseline: name}, nil
}

// openBaseline returns a player of a system within the limits' nodes and time; their depth is for our
// own engine.
func openBaseline(name string, size int, rule pattern.Rule, limits search.Limits) (selfplay.Player, error) {
	p, err := baseline.Open(name, size, rule, limits.Nodes)
	if err != nil || limits.Time == 0 {
		return p, err
	}
	return &timed{p, limits.Time}, nil
}

// timed is a player that returns the best move that it knows when the context ends, under a limit of
// time.
type timed struct {
	selfplay.Player
	move time.Duration
}

// Move ends the player's thoughts when the time is over, which is no error.
func (t *timed) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	within, cancel := context.WithTimeout(ctx, t.move)
	defer cancel()
	reply, err := t.Player.Move(within, position)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return reply, err
}
