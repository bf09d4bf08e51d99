package board_test

// Sizes of the test of fouls. The slow plain judge checks the cells that may be forbidden in randomPositions
// positions, and all cells in one of every everyCellOf positions.
const (
	randomPositions = 100_000
	everyCellOf     = 100

	// perftPositions is the number of positions that are played out by brute force, for each rule.
	perftPositions = 120
)
