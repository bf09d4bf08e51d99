package search

import (
	"quintune/board"
	"quintune/pattern"
)

// generateMoves pushes the scored, unsorted moves near the stones, or all legal moves where none of these is
// allowed. complete reports whether the list holds every legal move.
func (e *Engine) generateMoves(ttMove board.Cell, ply int) (moves []scored, complete bool) {
	e.cells = e.board.Near(e.cells[:0])
	complete = len(e.cells)+e.board.Stones() == e.board.Size()*e.board.Size()
	if e.cells = e.allowed(e.cells); len(e.cells) == 0 {
		e.cells, complete = e.allowed(e.board.AllEmpty(e.cells)), true
	}
	return e.scoreMoves(e.cells, ttMove, ply), complete
}

// generateDefences pushes the scored moves against a threatened open four: own fours, and the cells that
// may stop every threat. All other moves lose to the open four.
func (e *Engine) generateDefences(ttMove board.Cell, ply int) []scored {
	mover := e.board.SideToMove()
	e.cells = e.defenceCells(mover.Other())
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
	return e.scoreMoves(e.allowed(kept), ttMove, ply)
}

// defenceCells returns, in the memory of e.cells, the cells where a stone may stop every open four that the attacker threatens. An
// open four depends on the lines through its cell that would hold a four or an open four. So only the
// cell itself and empty cells within reach on these lines can stop it.
func (e *Engine) defenceCells(attacker board.Colour) []board.Cell {
	cells := e.board.AtLeast(attacker, pattern.CellOpenFour, e.cells[:0])
	threats := len(cells)
	for _, threat := range cells {
		cells = append(cells, threat)
		for d := range 4 {
			if line := e.board.Line(attacker, d, threat); line == pattern.Four || line == pattern.OpenFour {
				cells = e.board.LineThrough(threat, d, cells)
			}
		}
	}
	for _, c := range cells[threats:] {
		e.marks[c]++
	}
	kept := cells[:0]
	for _, c := range cells[threats:] {
		if int(e.marks[c]) == threats {
			kept = append(kept, c)
		}
		e.marks[c] = 0
	}
	return kept
}

// findCell returns a cell that has the given class or a stronger one for the colour. There must be such a cell.
// It is nearly always among the cells that the last move changed, so these are tried before the whole board.
func (e *Engine) findCell(colour board.Colour, class pattern.CellClass) board.Cell {
	changed := e.board.Changed()
	for i := range changed {
		if changed[i].Now(colour).Class() >= class {
			return changed[i].Cell
		}
	}
	e.cells = e.board.AtLeast(colour, class, e.cells[:0])
	return e.cells[0]
}

// lastMoves returns the last two moves of a game that the side to move has lost because the attacker can make
// five. The first is an answer, which blocks one of the fives where the rule allows; the second is the five.
func (e *Engine) lastMoves(attacker board.Colour) (answer, five board.Cell) {
	e.cells = e.board.AtLeast(attacker, pattern.CellFive, e.cells[:0])
	first, second := e.cells[0], e.cells[min(1, len(e.cells)-1)]
	switch {
	case first != second && !e.isForbidden(first):
		return first, second
	case first != second && !e.isForbidden(second):
		return second, first
	}
	return e.anyMove(), first
}

// anyMove returns the allowed move near the stones with the best move score, or the best on the whole board
// where no move near the stones is allowed. It returns NoCell where the side to move has no legal move.
func (e *Engine) anyMove() board.Cell {
	e.cells = e.allowed(e.board.Near(e.cells[:0]))
	if len(e.cells) == 0 {
		e.cells = e.allowed(e.board.AllEmpty(e.cells))
	}
	best := board.NoCell
	for _, c := range e.cells {
		if best == board.NoCell || e.state.MoveScore(c) > e.state.MoveScore(best) {
			best = c
		}
	}
	return best
}

// scoreTT is the ordering score of the TT move. It is greater than any sum of weights and histories.
const scoreTT = 1 << 30

// scored is a candidate move with its ordering score.
type scored struct {
	cell  board.Cell
	score int32
}

// scoreMoves scores the cells and pushes them on the stack of moves.
func (e *Engine) scoreMoves(cells []board.Cell, ttMove board.Cell, ply int) []scored {
	killers := &e.history.killers[ply]
	counter := e.history.counter[e.board.SideToMove()][e.board.LastMove()%numCells]
	useKillers := e.enabled(Killers)
	at := e.historyContext()
	base := len(e.moves)
	for _, c := range cells {
		s := e.state.MoveScore(c) + e.historyScore(&at, c)
		switch {
		case c == ttMove:
			s = scoreTT
		case useKillers && (c == killers[0] || c == killers[1]):
			s += e.params.orderKiller
		case useKillers && c == counter:
			s += e.params.orderCounter
		}
		e.moves = append(e.moves, scored{c, s})
	}
	return e.moves[base:]
}

// pick moves the best of the remaining moves to the front and returns it.
func pick(moves []scored) scored {
	best := 0
	for i := 1; i < len(moves); i++ {
		if moves[i].score > moves[best].score {
			best = i
		}
	}
	moves[0], moves[best] = moves[best], moves[0]
	return moves[0]
}
