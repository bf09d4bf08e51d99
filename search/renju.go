package search

import (
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// isRestricted reports whether the rule forbids moves to the colour: renju's Black.
func (e *Engine) isRestricted(c board.Colour) bool {
	return e.board.Rule() == pattern.Renju && c == board.Black
}

// isForbidden reports whether the rule forbids the empty cell to the side to move. Only renju forbids cells, and
// only to Black.
func (e *Engine) isForbidden(c board.Cell) bool {
	// isRestricted stands written out here: a call of it would make this too long to be inlined.
	return e.board.Rule() == pattern.Renju && e.board.SideToMove() == board.Black && e.board.Forbidden(c)
}

// allowed removes, in place, the cells that are forbidden to the side to move.
func (e *Engine) allowed(cells []board.Cell) []board.Cell {
	if !e.isRestricted(e.board.SideToMove()) {
		return cells
	}
	return slices.DeleteFunc(cells, e.board.Forbidden)
}

// cannotBlockFive reports whether the side to move faces a five that the rule forbids it to block. Black in
// renju has lost when every cell that would block a four is forbidden.
func (e *Engine) cannotBlockFive() bool {
	return e.isRestricted(e.board.SideToMove()) && e.blockFive(board.White) == board.NoCell
}

// blockFive returns a cell on which the side to move may block a five that the attacker can make. There must be
// a cell that makes a five. blockFive returns NoCell where all cells that block are forbidden.
func (e *Engine) blockFive(attacker board.Colour) board.Cell {
	if c := e.findCell(attacker, pattern.CellFive); !e.isForbidden(c) {
		return c
	}
	e.cells = e.allowed(e.board.AtLeast(attacker, pattern.CellFive, e.cells[:0]))
	if len(e.cells) == 0 {
		return board.NoCell
	}
	return e.cells[0]
}

// maybeForbidden reports whether the cell's lines alone do not tell that it is allowed to the side to
// move: renju's Black makes several threes there.
func (e *Engine) maybeForbidden(c board.Cell) bool {
	if !e.isRestricted(e.board.SideToMove()) {
		return false
	}
	threes := 0
	for d := range 4 {
		if line := e.board.Line(board.Black, d, c); line == pattern.OpenThree || line == pattern.OpenThree2 {
			threes++
		}
	}
	return threes > 1
}

// leavesPlayable reports whether the side to move may play the empty cell and every move of the line
// after it is allowed.
func (e *Engine) leavesPlayable(c board.Cell, line []board.Cell) bool {
	if e.board.Rule() != pattern.Renju {
		return true
	}
	if e.isForbidden(c) {
		return false
	}
	e.make(c)
	ok := e.playable(line)
	e.unmake()
	return ok
}

// playable reports whether all moves of the line, played from the position, are allowed.
func (e *Engine) playable(line []board.Cell) bool {
	played := 0
	for ; played < len(line) && e.board.Empty(line[played]) && !e.isForbidden(line[played]); played++ {
		e.make(line[played])
	}
	for range played {
		e.unmake()
	}
	return played == len(line)
}
