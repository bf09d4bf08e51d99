package player

import (
	"fmt"
	"time"

	"quintune/search"
	"quintune/selfplay"
)

// TimeControl holds the limits of a player in a match besides the nodes of a move. The zero value means no time
// limit, and one thread.
type TimeControl struct {
	Move      time.Duration // limit of one move, 0: none
	Game      time.Duration // clock of all moves of a game, 0: none
	Increment time.Duration // what every move adds to the clock of the game
	Threads   int           // that search together; 0: one, or the own choice of an external engine
}

// timed reports whether a clock runs, in place of a limit of nodes.
func (tc TimeControl) timed() bool { return tc.Move > 0 || tc.Game > 0 }

// lateness is the time by which a player in our own process may overdraw the clock of a game before it loses. It
// is the same as for external engines.
const lateness = 500 * time.Millisecond

// clock is one player's time in one game. It does nothing where the control has no limit of time.
type clock struct {
	control TimeControl
	left    time.Duration // what is left of control.Game
}

func (c *clock) newGame() { c.left = c.control.Game }

// limits adds to the limits what the clock leaves for a move.
func (c *clock) limits(l search.Limits) search.Limits {
	if !c.control.timed() {
		return l
	}
	rest := search.Clock{Turn: search.Unlimited, Left: search.Unlimited, Increment: c.control.Increment}
	if c.control.Move > 0 {
		rest.Turn = c.control.Move
	}
	if c.control.Game > 0 {
		rest.Left = c.left
	}
	under := rest.Limits()
	l.Time, l.Optimum = under.Time, under.Optimum
	return l
}

// spend takes the time of a move off the clock. The error is a fault of kind "timeout": the game is
// lost.
func (c *clock) spend(took time.Duration) error {
	if c.control.Game == 0 {
		return nil
	}
	c.left -= took
	if c.left < -lateness {
		return &selfplay.Fault{Kind: "timeout", Text: fmt.Sprintf("timeout: the clock of the game is overdrawn by %d ms", -c.left.Milliseconds())}
	}
	c.left += c.control.Increment
	return nil
}
