package analysis

import (
	"slices"

	"quintune/board"
	"quintune/search"
)

// finished returns the line with its last two plies, where the search has left them out as it does of continuous fours:
// a block, and the five beside it.
func finished(position *board.Board, l Line) Line {
	if search.PliesToWin(l.Score) != len(l.PV)+2 {
		return l
	}
	b := position.Clone()
	for _, c := range l.PV {
		if b.Outcome() != board.Ongoing || b.Legal(c) != nil {
			return l
		}
		b.Play(c)
	}
	b.Pass()
	blocks := fives(b)
	b.Undo()
	for _, block := range blocks {
		if b.Legal(block) != nil {
			continue
		}
		b.Play(block)
		if last := fives(b); len(last) > 0 {
			l.PV = append(slices.Clone(l.PV), block, last[0])
			return l
		}
		b.Undo()
	}
	return l
}

// fives returns the cells with which the side to move wins at once.
func fives(b *board.Board) (cells []board.Cell) {
	win := board.WinFor(b.SideToMove())
	for _, c := range b.Near(nil) {
		if b.Legal(c) != nil {
			continue
		}
		b.Play(c)
		if b.Outcome() == win {
			cells = append(cells, c)
		}
		b.Undo()
	}
	return cells
}
