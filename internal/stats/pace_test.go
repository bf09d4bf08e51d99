//go:build !race

package stats

// ladderKinds is the number of kinds of games with which synthetic ladders are played: all.
const ladderKinds = 5
