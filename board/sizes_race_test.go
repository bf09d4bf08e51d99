//go:build race

package board

const (
	randomPositions = 5_000
	everyCellOf     = 100

	// perftPositions are played out by brute force, for each rule.
	perftPositions = 24
)
