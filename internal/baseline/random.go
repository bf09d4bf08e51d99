package baseline

import (
	"math/rand/v2"

	"quintune/board"
	"quintune/pattern"
)

// random plays any empty cell, each with the same chance: the ground of every ladder.
type random struct {
	rng   *rand.Rand
	cells []board.Cell
}

func newRandom(int, pattern.Rule, settings) system { return &random{} }

func (r *random) newGame(rng *rand.Rand) { r.rng = rng }

func (r *random) choose(position *board.Board, _ *budget) board.Cell {
	r.cells = position.AllEmpty(r.cells[:0])
	return r.cells[r.rng.IntN(len(r.cells))]
}
