package analysis

import (
	"slices"

	"quintune/board"
	"quintune/pattern"
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
	attacker := position.SideToMove()
	for _, block := range b.AtLeast(attacker, pattern.CellFive, nil) {
		if b.Legal(block) != nil {
			continue
		}
		b.Play(block)
		if last := b.AtLeast(attacker, pattern.CellFive, nil); len(last) > 0 && b.Outcome() == board.Ongoing {
			l.PV = append(slices.Clone(l.PV), block, last[0])
			return l
		}
		b.Undo()
	}
	return l
}
