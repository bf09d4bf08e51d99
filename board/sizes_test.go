//go:build !race

package board_test

// randomPositions are judged by the plain judge, and every cell of one in everyCellOf.
const (
	randomPositions = 100_000
	everyCellOf     = 100

	// perftPositions are played out by brute force, for each rule.
	perftPositions = 120
)
