package search

import (
	"math"
	"time"

	"quintune/board"
)

// Unlimited is a duration that stands for no limit.
const Unlimited time.Duration = math.MaxInt64

// Clock is the time that a match leaves for a move. What must stay free for the way to the manager
// and back is already taken off.
type Clock struct {
	Turn      time.Duration // limit of this move, or Unlimited
	Left      time.Duration // of the whole game from now on, at most 0 when used up, or Unlimited
	Increment time.Duration // what every move adds to Left
}

// Shares of the game's clock. Games take 15 to 25 moves a side; twenty moves at the soft limit use
// 64 % of the clock, and no number of moves at the hard limit uses it up.
const (
	softShare = 20
	hardShare = 5
	// leastTime is the time of a move that should come at once.
	leastTime = 500 * time.Microsecond
)

// Limits returns the limits of time of one move: with a clock of the game an aim that a search
// falls short of or goes beyond as its best move is settled or not, without one the turn's limit
// alone, since time that is saved there is lost.
func (c Clock) Limits() Limits {
	hard, soft := c.Turn, time.Duration(0)
	if c.Left != Unlimited {
		hard = min(hard, c.Left, c.Left/hardShare+c.Increment)
		soft = max(min(hard, c.Left/softShare+c.Increment*3/4), leastTime)
	}
	if hard == Unlimited {
		return Limits{}
	}
	return Limits{Time: max(hard, leastTime), Soft: soft}
}

// pace follows a search from one iteration to the next.
type pace struct {
	best   board.Cell // of the last iteration
	score  int32      // of the last iteration
	stable int        // iterations in which best was the same, without the first
}

// patience is the share of the soft limit that a search takes, percent, by the number of
// iterations in which the best move has not changed.
var patience = [...]time.Duration{180, 140, 115, 100, 85, 70, 60}

// worry is the further share where the score has fallen by more than half a window, percent.
const worry = 150

// share notes the result of an iteration and returns what share of the soft limit it deserves, percent.
func (p *pace) share(r *Result, window int32) time.Duration {
	if r.Best == p.best {
		p.stable++
	} else {
		p.best, p.stable = r.Best, 0
	}
	share := patience[min(p.stable, len(patience)-1)]
	if r.Depth > 1 && r.Score < p.score-window {
		share = share * worry / 100
	}
	p.score = r.Score
	return share
}

// enough says whether a search against the clock should end after the iteration: when a win is
// proven, or when the soft limit, stretched by what is still in doubt, is reached. Without a clock
// it never should.
func (e *Engine) enough(r *Result) bool {
	if e.limit.started.IsZero() {
		return false
	}
	if PliesToWin(r.Score) > 0 {
		return true
	}
	share := e.pace.share(r, e.params.aspiration)
	return e.limit.soft > 0 && time.Since(e.limit.started) >= e.limit.soft*share/100
}
