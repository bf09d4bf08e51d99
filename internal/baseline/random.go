package baseline

import (
	"math/rand/v2"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// random plays any legal move with equal probability. It is the weakest player of every ladder.
type random struct {
	rng   *rand.Rand
	cells []board.Cell
}

func newRandom(int, pattern.Rule, settings) system { return &random{} }

func (r *random) newGame(rng *rand.Rand) { r.rng = rng }

func (r *random) choose(position *board.Board, _ *budget) board.Cell {
	r.cells = slices.DeleteFunc(position.AllEmpty(r.cells[:0]), func(c board.Cell) bool { return position.Legal(c) != nil })
	if len(r.cells) == 0 {
		return position.AllEmpty(nil)[0] // every empty cell is forbidden
	}
	return r.cells[r.rng.IntN(len(r.cells))]
}
