//go:build race

package stats

// ladderKinds is the number of kinds of games with which synthetic ladders are played. The race detector makes
// the test ten times as slow, so there is only one.
const ladderKinds = 1
