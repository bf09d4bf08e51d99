//go:build !race

package stats

// ladderKinds is of how many kinds of games synthetic ladders are played: of all.
const ladderKinds = 5
