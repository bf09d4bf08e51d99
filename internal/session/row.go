package session

import (
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// WinningRow returns the stones that won the game, by row, then column; none while nobody has. They are
// the rows through the last stone that the rule counts.
func WinningRow(b *board.Board) []board.Cell {
	last := b.LastMove()
	if b.Outcome() != board.BlackWins && b.Outcome() != board.WhiteWins || last == board.NoCell {
		return nil
	}
	colour, _ := b.Stone(last)
	long := b.Rule() == pattern.Freestyle || b.Rule() == pattern.Renju && colour == board.White
	var won []board.Cell
	for _, step := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		row := rowThrough(b, last, step)
		if len(row) == 5 || len(row) > 5 && long {
			won = append(won, row...)
		}
	}
	slices.Sort(won)
	return slices.Compact(won)
}

// rowThrough returns the unbroken row of one colour through a stone, along a step in columns and rows.
func rowThrough(b *board.Board, through board.Cell, step [2]int) []board.Cell {
	colour, _ := b.Stone(through)
	row := []board.Cell{through}
	for _, sign := range [2]int{1, -1} {
		x, y := through.X(), through.Y()
		for {
			x, y = x+sign*step[0], y+sign*step[1]
			if x < 0 || y < 0 || x >= b.Size() || y >= b.Size() {
				break
			}
			if other, ok := b.Stone(board.At(x, y)); !ok || other != colour {
				break
			}
			row = append(row, board.At(x, y))
		}
	}
	return row
}
