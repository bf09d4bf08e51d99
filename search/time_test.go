package search

import (
	"context"
	"slices"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

const ms = time.Millisecond

func TestClockLimits(t *testing.T) {
	for _, c := range []struct {
		name             string
		clock            Clock
		optimum, maximum time.Duration
	}{
		{"nothing", Clock{Unlimited, Unlimited, 0}, 0, 0},
		{"a turn is used up", Clock{5000 * ms, Unlimited, 0}, 0, 5000 * ms},
		{"an increment without a clock", Clock{5000 * ms, Unlimited, 100 * ms}, 0, 5000 * ms},
		{"the game's clock", Clock{Unlimited, 100 * time.Second, 0}, 5000 * ms, 20 * time.Second},
		{"with an increment", Clock{Unlimited, 100 * time.Second, 1000 * ms}, 5750 * ms, 21 * time.Second},
		{"saved time is of no use", Clock{1000 * ms, 100 * time.Second, 0}, 0, 1000 * ms},
		{"saved time is of use", Clock{1000 * ms, 10 * time.Second, 0}, 500 * ms, 1000 * ms},
		{"the increment is more than is left", Clock{Unlimited, 40 * ms, 5000 * ms}, 40 * ms, 40 * ms},
		{"no time for the turn", Clock{0, Unlimited, 0}, 0, leastTime},
		{"used up", Clock{30 * ms, 0, 0}, leastTime, leastTime},
		{"more than used up", Clock{Unlimited, -7 * ms, 0}, leastTime, leastTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := c.clock.Limits()
			if l.Optimum != c.optimum || l.Time != c.maximum || l.Nodes != 0 || l.Depth != 0 {
				t.Errorf("%+v, want %v and %v", l, c.optimum, c.maximum)
			}
		})
	}
}

// A game of any number of moves, each at its maximum time, stays within its clock.
func TestGameClockIsNeverUsedUp(t *testing.T) {
	for _, increment := range []time.Duration{0, 100 * ms} {
		left := 10 * time.Second
		for move := range 300 {
			used := Clock{Unlimited, left, increment}.Limits().Time
			if used > left && used > leastTime {
				t.Fatalf("move %d takes %v, left %v", move, used, left)
			}
			left += increment - used
		}
	}
}

func TestShareOfTheOptimumTime(t *testing.T) {
	a, b := board.At(1, 1), board.At(2, 2)
	m := timeManager{bestMove: board.NoCell}
	for i, step := range []struct {
		best  board.Cell
		score int32
		want  int64
	}{
		{a, -900, 180},
		{a, 0, 140},
		{a, 10, 115},
		{b, 20, 180},
		{b, 30, 140},
		{b, -100, 172},
		{b, -100, 100},
		{b, -100, 85},
		{b, -100, 70},
		{b, -100, 60},
		{b, -100, 60},
	} {
		if got := m.update(&Result{Best: step.best, Score: step.score, Depth: i + 1}, 50); got != step.want {
			t.Errorf("iteration %d: %d %%, want %d %%", i+1, got, step.want)
		}
	}
}

// quietPosition has no forced play, so that only limits end its search.
const quietPosition = "h8i9h10i8g8"

// A search is ended by its maximum time, and not before it, with any number of threads. BenchmarkLateness
// measures how late it ends, since the machine may be busy.
func TestHardLimitEndsASearch(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	for _, threads := range []int{1, 2} {
		start := time.Now()
		r := newTeam(t, b, threads).Search(context.Background(), b, Limits{Time: 20 * ms}, nil)
		if took := time.Since(start); took < 20*ms || r.Depth >= MaxDepth || b.Legal(r.Best) != nil {
			t.Errorf("%d threads: depth %d and move %v after %v", threads, r.Depth, r.Best, took)
		}
	}
}

// BenchmarkLateness reports by how much a search of 20 ms exceeds its maximum time.
func BenchmarkLateness(b *testing.B) {
	position := boardtest.SetUp(b, 15, pattern.Freestyle, quietPosition)
	e := newTeam(b, position, 1)
	var late []time.Duration
	for b.Loop() {
		start := time.Now()
		e.Search(context.Background(), position, Limits{Time: 20 * ms}, nil)
		late = append(late, time.Since(start)-20*ms)
	}
	slices.Sort(late)
	b.ReportMetric(late[len(late)/2].Seconds()*1000, "ms-late-median")
	b.ReportMetric(late[len(late)-1].Seconds()*1000, "ms-late-most")
}

func TestOptimumTimeEndsAnIteration(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	start := time.Now()
	r := newEngine(t, b).Search(context.Background(), b, Limits{Time: time.Minute, Optimum: 5 * ms}, nil)
	if took := time.Since(start); took > time.Minute || r.Depth < 1 {
		t.Errorf("depth %d after %v, want 1 or more within a minute", r.Depth, took)
	}
}

// An iteration is the last one from the optimum on, times what the iterations say of it in hundredths.
func TestFinishedAtTheOptimum(t *testing.T) {
	for _, test := range []struct {
		name   string
		beyond time.Duration
		want   bool
	}{{"a minute before", -time.Minute, false}, {"a minute after", time.Minute, true}} {
		t.Run(test.name, func(t *testing.T) {
			r, window := Result{Depth: 5, Score: 10}, int32(100)
			factor := new(timeManager).update(&r, window)
			m := timeManager{optimumTime: time.Hour}
			m.started = time.Now().Add(-m.optimumTime * time.Duration(factor) / 100).Add(-test.beyond)
			if got := m.finished(&r, window); got != test.want {
				t.Errorf("finished is %v, want %v, with a factor of %d hundredths", got, test.want, factor)
			}
		})
	}
}

// Against the clock a proven win and a forced reply are played at once.
func TestNoTimeIsWasted(t *testing.T) {
	for _, test := range []struct{ name, moves string }{
		{"own open four", "h8a1i8a2j8o15"},
		{"one reply to a four", "h8g8i8a1j8a15k8"},
		{"win by fours", "h8a1i8a2j9a15j10o1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.SetUp(t, 15, pattern.Freestyle, test.moves)
			r := newEngine(t, b).Search(context.Background(), b, Limits{Time: time.Minute}, nil)
			if r.Depth > forcedDepth || b.Legal(r.Best) != nil {
				t.Errorf("%v at depth %d, want a legal move at depth %d at most", r.Best, r.Depth, forcedDepth)
			}
		})
	}
}
