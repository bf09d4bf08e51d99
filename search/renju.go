package search

import (
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// barred says whether the rule forbids the empty cell to the side to move: renju's Black.
func (e *Engine) barred(c board.Cell) bool {
	return e.board.Rule() == pattern.Renju && e.board.SideToMove() == board.Black && e.board.Forbidden(c)
}

// allowed drops, in place, the cells that are forbidden to the side to move.
func (e *Engine) allowed(cells []board.Cell) []board.Cell {
	if e.board.Rule() != pattern.Renju || e.board.SideToMove() != board.Black {
		return cells
	}
	return slices.DeleteFunc(cells, e.board.Forbidden)
}

// cornered says whether the side to move faces a five of the other side that it may not stop: Black in
// renju, whose only answer to a four is a forbidden cell, has lost.
func (e *Engine) cornered() bool {
	return e.board.Rule() == pattern.Renju && e.board.SideToMove() == board.Black &&
		e.stop(board.White) == board.NoCell
}

// stop returns a cell on which the side to move may stand in the way of a five of the attacker, who has one
// to make; NoCell where all are forbidden.
func (e *Engine) stop(attacker board.Colour) board.Cell {
	if c := e.only(attacker, pattern.CellFive); !e.barred(c) {
		return c
	}
	e.cells = e.allowed(e.board.AtLeast(attacker, pattern.CellFive, e.cells[:0]))
	if len(e.cells) == 0 {
		return board.NoCell
	}
	return e.cells[0]
}

// lastMoves returns how a game ends in which the side to move cannot stop the attacker's fives: an answer, on one
// of them where that is allowed, and the five.
func (e *Engine) lastMoves(attacker board.Colour) (answer, five board.Cell) {
	e.cells = e.board.AtLeast(attacker, pattern.CellFive, e.cells[:0])
	first, second := e.cells[0], e.cells[min(1, len(e.cells)-1)]
	switch {
	case first != second && !e.barred(first):
		return first, second
	case first != second && !e.barred(second):
		return second, first
	}
	return e.anyMove(), first
}

// anyMove returns the allowed move near the stones that looks best without search, or one anywhere where there is
// none near; NoCell where the side to move has no move.
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

// mayTrap says whether the side to move may win by a single four whose answer is forbidden: White in renju,
// as long as some cell of Black's may be a foul.
func (e *Engine) mayTrap() bool {
	if e.board.Rule() != pattern.Renju || e.board.SideToMove() != board.White {
		return false
	}
	n := e.board.Counts(board.Black)
	return n[pattern.CellForbidden]+n[pattern.CellDoubleThree]+n[pattern.CellFourThree] > 0
}

// doubtful says whether it takes more than its lines to know that the cell is allowed: renju's Black makes
// several threes there.
func (e *Engine) doubtful(c board.Cell) bool {
	if e.board.Rule() != pattern.Renju || e.board.SideToMove() != board.Black {
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

// leavesPlayable says whether the side to move may play the empty cell, and all moves of the line after it are
// allowed.
func (e *Engine) leavesPlayable(c board.Cell, line []board.Cell) bool {
	if e.board.Rule() != pattern.Renju {
		return true
	}
	if e.barred(c) {
		return false
	}
	e.make(c)
	ok := e.playable(line)
	e.unmake()
	return ok
}

// playable says whether all moves of the line, played from the position, are allowed.
func (e *Engine) playable(line []board.Cell) bool {
	played := 0
	for ; played < len(line) && e.board.Empty(line[played]) && !e.barred(line[played]); played++ {
		e.make(line[played])
	}
	for range played {
		e.unmake()
	}
	return played == len(line)
}
