package main

import (
	"time"

	"quintune/internal/gomocup"
	"quintune/search"
)

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
