package search

import "quintune/board"

// scoreTT is the ordering score of the TT move, before all that weights and histories can give.
const scoreTT = 1 << 30

// scored is a candidate move with its ordering score.
type scored struct {
	cell  board.Cell
	score int32
}

// scoreMoves pushes the cells with their ordering scores on the stack of moves.
func (e *Engine) scoreMoves(cells []board.Cell, ttMove board.Cell, ply int) []scored {
	killers := &e.history.killers[ply]
	counter := e.history.counter[e.board.SideToMove()][e.board.LastMove()&1023]
	useKillers := e.has(Killers)
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
