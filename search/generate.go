package search

import (
	"quintune/board"
	"quintune/pattern"
)

// Ordering scores: the table's move comes before all that weights and history can give, the others add
// about a three to their move's own score.
const (
	scoreTT      = 1 << 30
	scoreKiller  = 1 << 12
	scoreCounter = 1 << 11
)

// quietMoves pushes the scored candidates near the stones, or anywhere where none of these is allowed, and
// returns them unsorted, and whether they are all moves.
func (e *Engine) quietMoves(ttMove board.Cell, ply int) (moves []scored, all bool) {
	e.cells = e.board.Near(e.cells[:0])
	all = len(e.cells)+e.board.Stones() == e.board.Size()*e.board.Size()
	if e.cells = e.allowed(e.cells); len(e.cells) == 0 {
		e.cells, all = e.allowed(e.board.AllEmpty(e.cells)), true
	}
	return e.score(e.cells, ttMove, ply), all
}

// defences pushes the moves that can matter against an open four in the making: own fours, and the
// cells that can stop every threat. All other moves lose to the open four.
func (e *Engine) defences(ttMove board.Cell, ply int) []scored {
	mover := e.board.SideToMove()
	e.cells = e.stoppers(mover.Other(), e.cells[:0])
	stops := len(e.cells)
	e.cells = e.board.AtLeast(mover, pattern.CellFour, e.cells)
	for _, c := range e.cells[:stops] {
		e.marks[c] = 1
	}
	kept := e.cells[:stops]
	for _, c := range e.cells[stops:] {
		if e.marks[c] == 0 {
			kept = append(kept, c)
		}
	}
	for _, c := range kept[:stops] {
		e.marks[c] = 0
	}
	return e.score(e.allowed(kept), ttMove, ply)
}

// stoppers appends the cells that may take away every open-four cell of the attacker: a threat
// lives in the lines of its cell that hold a four or an open four, so only the cell itself and empty cells
// within reach on these lines can end it.
func (e *Engine) stoppers(attacker board.Colour, cells []board.Cell) []board.Cell {
	threats := len(cells)
	cells = e.board.AtLeast(attacker, pattern.CellOpenFour, cells)
	n := len(cells) - threats
	first := len(cells)
	for i := threats; i < first; i++ {
		threat := cells[i]
		cells = append(cells, threat)
		for d := range 4 {
			if line := e.board.Line(attacker, d, threat); line == pattern.Four || line == pattern.OpenFour {
				cells = e.board.LineThrough(threat, d, cells)
			}
		}
	}
	for _, c := range cells[first:] {
		e.marks[c]++
	}
	kept := cells[:threats]
	for _, c := range cells[first:] {
		if int(e.marks[c]) == n {
			kept = append(kept, c)
		}
		e.marks[c] = 0
	}
	return kept
}

// score pushes the cells with their ordering scores on the stack of moves.
func (e *Engine) score(cells []board.Cell, ttMove board.Cell, ply int) []scored {
	mover := e.board.SideToMove()
	killers := &e.history.killers[ply]
	counter := e.history.counter[mover][e.board.LastMove()&1023]
	quiet := &e.history.quiet[mover]
	ordered := e.has(Killers)
	historyWeight := e.params.orderHistory
	if !e.has(History) {
		historyWeight = 0
	}
	base := len(e.moves)
	for _, c := range cells {
		s := e.state.MoveScore(c) + quiet[c&1023]*historyWeight>>10
		switch {
		case c == ttMove:
			s = scoreTT
		case ordered && (c == killers[0] || c == killers[1]):
			s += scoreKiller
		case ordered && c == counter:
			s += scoreCounter
		}
		e.moves = append(e.moves, scored{c, s})
	}
	return e.moves[base:]
}

// only returns a cell of the given class or stronger that the colour has. The last move nearly always
// made it, so its changes are looked at before the whole board.
func (e *Engine) only(colour board.Colour, class pattern.CellClass) board.Cell {
	changed := e.board.Changed()
	for i := range changed {
		if changed[i].Now(colour).Class() >= class {
			return changed[i].Cell
		}
	}
	e.cells = e.board.AtLeast(colour, class, e.cells[:0])
	return e.cells[0]
}
