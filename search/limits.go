package search

import (
	"context"
	"time"

	"quintune/board"
	"quintune/evaluator"
)

// MaxDepth is the deepest iteration, plies. Chosen far above what a search for a move reaches, not measured.
const MaxDepth = 100

// maxPly bounds the length of a search line in plies; forced replies may lengthen a line beyond MaxDepth.
const maxPly = 240

// Limits end a search; the first that is reached counts. The zero value limits the depth to MaxDepth.
type Limits struct {
	Depth   int           // plies; 0 or less, and more than MaxDepth: MaxDepth
	Nodes   int64         // moves made by search and solvers; 0 or less: no limit
	Time    time.Duration // from the call of Search; 0 or less: no limit
	Optimum time.Duration // optimum time from the call of Search, at most Time; 0 or less: all of Time; without Time it counts for nothing; see Clock
}

// Result is what a search found. After a search that a limit ended, Best and PV may be those of the iteration that it cut short; Score
// and Depth are those of the last finished one.
type Result struct {
	Best  board.Cell   // legal where the position is Ongoing, even if a limit was reached at once
	Score int32        // points from the side to move; see PliesToWin
	Depth int          // of the last finished iteration, in plies; 0 where none was finished, or no search was needed
	Nodes int64        // moves made by search and solvers
	PV    []board.Cell // best line, Best first; empty where a limit was reached before a move was searched
}

// clockInterval is the number of nodes between checks of the clock and the context: a search ends late by that many at the most, a
// tenth of a millisecond on a quiet core. Chosen, not measured.
const clockInterval = 256

// limiter stops a search.
type limiter struct {
	done     <-chan struct{}
	deadline time.Time     // zero: none
	time     time.Duration // from the start of the search to the deadline
	nodes    int64         // limit, at most maxNodes
	next     int64         // node count of the next check, at most the limit
	stopped  bool
}

// maxNodes is a number of nodes that no search uses up. It stands for no limit.
const maxNodes = 1 << 60

func newLimiter(ctx context.Context, nodes int64, t *timeManager) limiter {
	l := limiter{done: ctx.Done(), deadline: t.deadline(), time: t.maximumTime, nodes: maxNodes}
	if nodes > 0 {
		l.nodes = min(nodes, maxNodes)
	}
	l.next = min(clockInterval, l.nodes)
	return l
}

// expected estimates the number of nodes that the limits allow, at one node a microsecond: a third of what a quiet core makes
// (docs/results/search.md#speed). Chosen, not measured.
func (l *limiter) expected() int64 {
	if l.deadline.IsZero() {
		return l.nodes
	}
	return min(l.nodes, l.time.Microseconds())
}

// check sets stopped when a limit is reached. Otherwise it sets the node count of the next check.
func (l *limiter) check(nodes int64) {
	if nodes >= l.nodes {
		l.stopped = true
		return
	}
	select {
	case <-l.done:
		l.stopped = true
	default:
		if !l.deadline.IsZero() && !time.Now().Before(l.deadline) {
			l.stopped = true
		}
	}
	l.next = min(nodes+clockInterval, l.nodes)
}

// Scores are in points, from the side to move. Win-n is a win in n plies, n-Win a loss in n.
const (
	Win int32 = 1 << 28
	// MaxWin is the longest win that a score can express, plies. It must exceed the number of cells of the greatest board.
	MaxWin = 1000
	// provenWin is the least score that claims a win.
	provenWin = Win - MaxWin
	// unproven is the greatest score that claims no win. -unproven is the score of a loss that is not proven because some
	// replies were not searched.
	unproven = provenWin - 1
	infinite = Win + 1
)

// This line compiles only if every score of the evaluator is below provenWin.
var _ [unproven - evaluator.MaxScore]struct{}

// winIn returns the score of a win in n plies.
func winIn(n int) int32 { return Win - int32(n) }

// PliesToWin returns the number of plies to the win that the score claims. It is negative for a loss and 0 for
// every other score.
func PliesToWin(score int32) int {
	switch {
	case score >= provenWin:
		return int(Win - score)
	case score <= -provenWin:
		return -int(Win + score)
	}
	return 0
}
