package baseline

import (
	"quintune/board"
	"quintune/pattern"
)

// sjtuPolicy returns the move of the authors' default policy, which comes before every search; ok is
// false where it has none:
//
//  1. A five that we can make, out of an open four, a closed four or a split one, is made.
//  2. One that the opponent can make is blocked.
//  3. So is the opponent's open three, before one of ours is followed up.
//
// Where several cells do, the one whose stone is worth most by the cross evaluation is taken, ours and
// theirs together.
func sjtuPolicy(position *board.Board, scores *sjtuScores) (move board.Cell, ok bool) {
	us := position.SideToMove()
	for _, cells := range [3][]board.Cell{
		position.AtLeast(us, pattern.CellFive, nil),
		position.AtLeast(us.Other(), pattern.CellFive, nil),
		openFourCells(position, us.Other()),
	} {
		if len(cells) > 0 {
			return sjtuDearest(cells, us, scores), true
		}
	}
	return board.NoCell, false
}

// openFourCells returns the cells at which a colour makes an open four out of an open three, or out of
// two fours in one line.
func openFourCells(position *board.Board, colour board.Colour) []board.Cell {
	var cells []board.Cell
	for _, c := range position.AtLeast(colour, pattern.CellOpenFour, nil) {
		for d := range 4 {
			if position.Line(colour, d, c) == pattern.OpenFour {
				cells = append(cells, c)
				break
			}
		}
	}
	return cells
}

// sjtuDearest returns the first of the cells at which a stone has the greatest worth for both sides together.
func sjtuDearest(cells []board.Cell, us board.Colour, scores *sjtuScores) board.Cell {
	best, highest := cells[0], 0
	for i, c := range cells {
		at := spotOf(c)
		if worth := scores.gain(at, us) + scores.gain(at, us.Other()); i == 0 || worth > highest {
			best, highest = c, worth
		}
	}
	return best
}
