//go:build race

package board_test

const (
	randomPositions = 5_000
	everyCellOf     = 100

	// perftPositions is the number of positions that are played out by brute force, for each rule.
	perftPositions = 24
)
