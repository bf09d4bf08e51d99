package main

import (
	"time"

	"quintune/internal/config"
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
