package player

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
)

// parseBaseline returns the player of a system of the literature.
func parseBaseline(argument string) (*Player, error) {
	name := strings.TrimPrefix(argument, baseline.Prefix)
	unit, err := baseline.Unit(name)
	if err != nil {
		return nil, argumentError{fmt.Errorf("player %.80q: %w", argument, err)}
	}
	return &Player{Name: text.Ends(argument, maxName), Unit: unit, baseline: name}, nil
}

// CheckRule returns an error where the player is a system of the literature that does not play the rule.
func (p *Player) CheckRule(rule pattern.Rule) error {
	if p.baseline == "" {
		return nil
	}
	return baseline.CheckRule(p.baseline, rule)
}

// openBaseline returns a player of a system within the limits' nodes and the control's time.
func openBaseline(name string, size int, rule pattern.Rule, limits search.Limits, control TimeControl) (selfplay.Player, error) {
	p, err := baseline.Open(name, size, rule, limits.Nodes)
	if err != nil || !control.timed() {
		return p, err
	}
	return &timed{p, clock{control: control}}, nil
}

// timed is a player that returns the best move that it knows when the context ends, under a limit of
// time.
type timed struct {
	selfplay.Player
	clock clock
}

// NewGame winds up the clock.
func (t *timed) NewGame(seed uint64) error {
	t.clock.newGame()
	return t.Player.NewGame(seed)
}

// Move ends the player's thoughts when the time is over, which is not an error; a clock that is overdrawn is.
func (t *timed) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	limits := t.clock.limits(search.Limits{})
	aim := limits.Time
	if limits.Optimum > 0 {
		aim = limits.Optimum
	}
	start := time.Now()
	within, cancel := context.WithTimeout(ctx, aim)
	defer cancel()
	reply, err := t.Player.Move(within, position)
	reply.Took = time.Since(start)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	if err != nil {
		return reply, err
	}
	return reply, t.clock.spend(reply.Took)
}
