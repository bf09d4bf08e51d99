package search

import (
	"math"
	"time"

	"quintune/board"
)

// Unlimited is a duration that stands for no limit.
const Unlimited time.Duration = math.MaxInt64

// Clock is the time that a match leaves for a move, less the time that messages to the manager need.
type Clock struct {
	Turn      time.Duration // limit of this move, or Unlimited
	Left      time.Duration // of the whole game from now on, at most 0 when used up, or Unlimited
	Increment time.Duration // added to Left by every move; unlike the others never Unlimited
}

// Shares of the game's clock. Games take 15 to 25 moves a side. Without an increment twenty moves at the optimum time use
// 64 % of the clock, and no number of moves at the maximum time uses it up. All three were chosen, not measured.
const (
	optimumShare = 20
	maximumShare = 5
	// leastTime is the time of a move that should come at once.
	leastTime = 500 * time.Microsecond
)

// Limits returns the limits of time of one move. With a clock of the game it sets an optimum time that
// the search may undercut or exceed. Where the turn's limit alone counts, or is no more than the optimum
// time, the search may use all of it: a later move could not use what is saved.
// Elsewhere a quarter of the increment is saved for later moves; chosen, not measured.
func (c Clock) Limits() Limits {
	maximum, optimum := c.Turn, time.Duration(0)
	if c.Left != Unlimited {
		maximum = min(maximum, c.Left, c.Left/maximumShare+c.Increment)
		if even := c.Left/optimumShare + c.Increment*3/4; even < c.Turn {
			optimum = max(min(maximum, even), leastTime)
		}
	}
	if maximum == Unlimited {
		return Limits{}
	}
	return Limits{Time: max(maximum, leastTime), Optimum: optimum}
}

// timeManager decides when a search against the clock ends before its limit. The zero value is a
// search without a clock.
type timeManager struct {
	started          time.Time     // zero: no clock
	optimumTime      time.Duration // 0: none, the whole maximum time is used
	maximumTime      time.Duration // from started
	bestMove         board.Cell    // of the last iteration
	score            int32         // of the last iteration
	stableIterations int           // iterations that kept bestMove
}

func newTimeManager(limits Limits) timeManager {
	if limits.Time <= 0 {
		return timeManager{}
	}
	return timeManager{started: time.Now(), optimumTime: limits.Optimum, maximumTime: limits.Time, bestMove: board.NoCell}
}

// deadline returns the time at which the search must end; zero without a clock.
func (t *timeManager) deadline() time.Time {
	if t.started.IsZero() {
		return time.Time{}
	}
	return t.started.Add(t.maximumTime)
}

// stabilityFactor is [iterations that kept the best move]: the share of the optimum time, percent. No iteration
// begins after .6 to 1.8 times the optimum. Chosen, not measured.
var stabilityFactor = [...]int64{180, 140, 115, 100, 85, 70, 60}

// fallingEvalFactor is the further share where the score has fallen by more than the weight search.aspiration, percent. With both
// factors no iteration begins after 2.7 times the optimum; the maximum ends one that has begun. Chosen, not measured.
const fallingEvalFactor = 150

// update records an iteration and returns the share of the optimum time that it deserves, percent. window is the half width of
// the first aspiration window.
func (t *timeManager) update(r *Result, window int32) int64 {
	if r.Best == t.bestMove {
		t.stableIterations++
	} else {
		t.bestMove, t.stableIterations = r.Best, 0
	}
	factor := stabilityFactor[min(t.stableIterations, len(stabilityFactor)-1)]
	if r.Depth > 1 && r.Score < t.score-window {
		factor = factor * fallingEvalFactor / 100
	}
	t.score = r.Score
	return factor
}

// finished reports whether the search should end after the iteration: at a proven win, or when its
// share of the optimum time is used. It is never true without a clock.
func (t *timeManager) finished(r *Result, window int32) bool {
	if t.started.IsZero() {
		return false
	}
	if PliesToWin(r.Score) > 0 {
		return true
	}
	factor := t.update(r, window)
	return t.optimumTime > 0 && time.Since(t.started) >= t.optimumTime*time.Duration(factor)/100
}
