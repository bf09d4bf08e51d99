//go:build race

package stats

// ladders is how many synthetic ladders of each kind are played; under the race detector all takes ten times as long.
const ladders = 200
