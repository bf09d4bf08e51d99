//go:build !race

package board_test

// Sizes of the test of fouls. The plain judge checks the doubtful cells of randomPositions positions, and all
// cells of one in everyCellOf.
const (
	randomPositions = 100_000
	everyCellOf     = 100

	// perftPositions are played out by brute force, for each rule.
	perftPositions = 120
)
