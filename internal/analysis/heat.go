package analysis

import (
	"cmp"
	"slices"

	"quintune/board"
	"quintune/evaluator"
	"quintune/weights"
)

// CellScore is what a move is worth to the move ordering, points.
type CellScore struct {
	Cell  board.Cell
	Score int32
}

// Heat returns the engine's move scores of all legal moves, by row, then column. A score is what the move gives
// to the side to move and takes from the other, without a search.
func Heat(set *weights.Set, position *board.Board) []CellScore {
	state := evaluator.NewState(position.Clone(), evaluator.Compile(set))
	var scores []CellScore
	for _, c := range position.AllEmpty(nil) {
		if position.Legal(c) == nil {
			scores = append(scores, CellScore{c, state.MoveScore(c)})
		}
	}
	return scores
}

// Spread returns the median score and the best, which is greater. They are the bounds of the colours of a heat
// map. There must be at least one score.
func Spread(scores []CellScore) (middle, best int32) {
	sorted := slices.Clone(scores)
	slices.SortFunc(sorted, func(a, b CellScore) int { return cmp.Compare(a.Score, b.Score) })
	middle, best = sorted[len(sorted)/2].Score, sorted[len(sorted)-1].Score
	return middle, max(best, middle+1)
}
