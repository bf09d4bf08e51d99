package search

import (
	"quintune/board"
	"quintune/pattern"
)

// threatWinPlies is the length of a win by threatWin: the move, an answer, an open four, an answer, the five.
const threatWinPlies = 5

// threatWin returns a move that wins by two threats at once; NoCell where the cell classes prove none.
// The side to move must be able to make neither five nor an open four, the other side no five.
//
// Two open threes win where the other side has no four at all: one stone stops one of them, and makes no
// four. Other replies change nothing. Renju's Black is left out, since a move on the way may be forbidden.
func (e *Engine) threatWin() board.Cell {
	us := e.board.SideToMove()
	if !e.enabled(ThreatWins) || e.mayLeaveNoMove(us, 2) {
		return board.NoCell
	}
	if c := e.winningFourThree(us); c != board.NoCell {
		return c
	}
	if e.board.Counts(us)[pattern.CellDoubleThree] > 0 && !e.isRestricted(us) && e.hasNoFours(us.Other()) {
		return e.cellOf(us, pattern.CellDoubleThree)
	}
	return board.NoCell
}

// winningFourThree returns a four-three with which the attacker wins if it is to move; NoCell where the cell classes
// prove none. The attacker must be able to make neither five nor an open four, the other side no five.
//
// It wins where the answer to the four makes no four itself: the answer lies on the line of the four, so
// it leaves the three, which becomes an open four. Renju's Black is left out.
func (e *Engine) winningFourThree(attacker board.Colour) board.Cell {
	if e.board.Counts(attacker)[pattern.CellFourThree] == 0 || e.isRestricted(attacker) {
		return board.NoCell
	}
	e.cells = e.board.AtLeast(attacker, pattern.CellFourThree, e.cells[:0])
	for _, c := range e.cells {
		if e.answerMakesNoFour(attacker, c) {
			return c
		}
	}
	return board.NoCell
}

// threatensFourThree reports whether the other side would win by a four-three if the side to move passed, under the same
// conditions.
func (e *Engine) threatensFourThree(them board.Colour) bool {
	return e.enabled(ThreatGuard) && e.winningFourThree(them) != board.NoCell
}

// cellOf returns the first cell of exactly the given class, which the colour must have.
func (e *Engine) cellOf(colour board.Colour, class pattern.CellClass) board.Cell {
	e.cells = e.board.AtLeast(colour, class, e.cells[:0])
	for _, c := range e.cells {
		if e.board.Class(colour, c) == class {
			return c
		}
	}
	return board.NoCell
}

// hasNoFours reports whether no stone of the colour can make a four. A forbidden cell counts as one: where
// it is forbidden for two fours, another stone may spoil one of them, and the other is allowed then.
func (e *Engine) hasNoFours(colour board.Colour) bool {
	counts := e.board.Counts(colour)
	fours := counts[pattern.CellForbidden]
	for _, n := range counts[pattern.CellFour:pattern.NumCells] {
		fours += n
	}
	return fours == 0
}

// answerMakesNoFour reports whether the only answer to the attacker's four at c makes neither four nor
// overline. The answer lies on the line of the four, on a cell where the attacker would make a four or
// more in this line. All such cells are looked at.
func (e *Engine) answerMakesNoFour(attacker board.Colour, c board.Cell) bool {
	for d := range 4 {
		if e.board.Line(attacker, d, c) != pattern.Four {
			continue
		}
		var buffer [10]board.Cell
		for _, answer := range e.board.LineThrough(c, d, buffer[:0]) {
			if e.board.Line(attacker, d, answer) < pattern.Four {
				continue
			}
			for other := range 4 {
				if e.board.Line(attacker.Other(), other, answer) >= pattern.Four {
					return false
				}
			}
		}
		return true
	}
	return false
}
