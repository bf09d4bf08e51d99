//go:build !race

package stats

// ladders is how many synthetic ladders of each kind are played.
const ladders = 1000
