package main

import (
	"time"

	"quintune/internal/config"
	"quintune/internal/gomocup"
	"quintune/search"
)

// defaultTime is the time of a move when nothing limits it.
const defaultTime = time.Second

// limitsOf returns the limits that --nodes and --time give, defaultTime without either.
func limitsOf(v *config.Values) search.Limits {
	l := search.Limits{Nodes: v.Int64("nodes"), Time: v.Duration("time")}
	if l.Nodes == 0 && l.Time == 0 {
		l.Time = defaultTime
	}
	return l
}

// limitsUnder returns the limits of a search that begins at start, for a move under a manager. How
// much of the game's clock a move is worth is search.Clock's to say.
func limitsUnder(l gomocup.Limits, start time.Time) search.Limits {
	limits := search.Clock{Turn: l.MoveTime, Left: l.GameTimeLeft, Increment: l.Increment}.Limits()
	limits.Depth, limits.Nodes = l.MaxDepth, l.MaxNodes
	const least = time.Microsecond // a limit all the same
	gone := start.Sub(l.Started)
	if limits.Time > 0 {
		limits.Time = max(limits.Time-gone, least)
	}
	if limits.Soft > 0 {
		limits.Soft = max(limits.Soft-gone, least)
	}
	return limits
}
