package book

import (
	"math/rand/v2"

	"quintune/board"
	"quintune/pattern"
)

// An opening's stones lie in a square box with this number of cells on a side.
const (
	minBox = 5
	maxBox = 6
)

// An opening has between minStones and maxStones stones; more would more often decide the game.
const (
	minStones = 3
	maxStones = 7
)

// draw returns random moves on distinct cells of a box: for half of the candidates about the centre,
// for three tenths anywhere on the board, for the rest along an edge or in a corner. After an odd number
// of stones White is to move, after an even one Black.
func draw(rng *rand.Rand, size int) []board.Cell {
	stones := minStones + rng.IntN(maxStones-minStones+1)
	side := min(size, minBox+rng.IntN(maxBox-minBox+1))
	free := size - side
	var x, y int
	switch where := rng.IntN(10); {
	case where < 5:
		x, y = central(rng, free), central(rng, free)
	case where < 8:
		x, y = rng.IntN(free+1), rng.IntN(free+1)
	default:
		x, y = free*rng.IntN(2), rng.IntN(free+1)
		if rng.IntN(2) == 1 {
			x, y = y, x
		}
	}
	moves := make([]board.Cell, stones)
	for i, c := range rng.Perm(side * side)[:stones] {
		moves[i] = board.At(x+c%side, y+c/side)
	}
	return moves
}

// central returns an offset within one cell of the middle of [0, free].
func central(rng *rand.Rand, free int) int {
	return max(0, min(free, (free+rng.IntN(2))/2-1+rng.IntN(3)))
}

// play puts the moves on the empty board. It returns false where they end the game.
func play(position *board.Board, moves []board.Cell) bool {
	position.Reset()
	for _, m := range moves {
		if position.Legal(m) != nil {
			return false
		}
		position.Play(m)
	}
	return position.Outcome() == board.Ongoing
}

// quiet reports whether nobody must answer anything yet: no four and no open three is on the board.
func quiet(position *board.Board) bool {
	for _, colour := range [2]board.Colour{board.Black, board.White} {
		counts := position.Counts(colour)
		if counts[pattern.CellFive] > 0 || counts[pattern.CellOpenFour] > 0 {
			return false
		}
	}
	return true
}
