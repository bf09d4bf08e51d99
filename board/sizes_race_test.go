//go:build race

package board_test

const (
	randomPositions = 5_000
	everyCellOf     = 100

	// perftPositions are played out by brute force, for each rule.
	perftPositions = 24
)
