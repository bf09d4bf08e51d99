//go:build race

package stats

// ladderKinds is of how many kinds of games synthetic ladders are played; the race detector makes them ten
// times as slow.
const ladderKinds = 1
