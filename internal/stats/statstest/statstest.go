// Package statstest holds what tests of statistics share.
package statstest

import "math"

// ScoreOf returns the expected score, 0..1, of a player who is stronger than the other by elo.
func ScoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
