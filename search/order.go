package search

import "quintune/board"

// Ordering scores. The TT move comes before all that weights and history can give. A killer or counter
// move is worth about a three beside its own move score.
const (
	scoreTT      = 1 << 30
	scoreKiller  = 1 << 12
	scoreCounter = 1 << 11
)

// scored is a candidate move with its ordering score.
type scored struct {
	cell  board.Cell
	score int32
}

// scoreMoves pushes the cells with their ordering scores on the stack of moves.
func (e *Engine) scoreMoves(cells []board.Cell, ttMove board.Cell, ply int) []scored {
	mover := e.board.SideToMove()
	killers := &e.history.killers[ply]
	counter := e.history.counter[mover][e.board.LastMove()&1023]
	quiet := &e.history.quiet[mover]
	useKillers := e.has(Killers)
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
		case useKillers && (c == killers[0] || c == killers[1]):
			s += scoreKiller
		case useKillers && c == counter:
			s += scoreCounter
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

// historyMax bounds the history of a move, so that it weighs about as much as a two.
const historyMax = 2048

// history holds which moves were good elsewhere in the tree.
type history struct {
	quiet   [2][1 << 10]int32         // [colour][cell], within ±historyMax
	killers [maxPly + 1][2]board.Cell // [ply]: the last two moves that failed high there
	counter [2][1 << 10]board.Cell    // [colour][last move]: the reply that failed high
}

// update records that the move failed high at the ply, and that those tried before it did not.
func (h *history) update(colour board.Colour, move, last board.Cell, tried []scored, depth, ply int) {
	bonus := int32(min(depth*depth*8, 512))
	h.applyBonus(colour, move, bonus)
	for _, m := range tried {
		h.applyBonus(colour, m.cell, -bonus)
	}
	if killers := &h.killers[ply]; killers[0] != move {
		killers[1], killers[0] = killers[0], move
	}
	h.counter[colour&1][last&1023] = move
}

// applyBonus moves an entry towards ±historyMax by a bonus that shrinks as it comes near ("gravity").
func (h *history) applyBonus(colour board.Colour, move board.Cell, bonus int32) {
	entry := &h.quiet[colour&1][move&1023]
	size := max(bonus, -bonus)
	*entry += bonus - *entry*size/historyMax
}

// age halves the history for the next search and clears the killers, whose plies have moved on.
func (h *history) age() {
	for colour := range h.quiet {
		for c := range h.quiet[colour] {
			h.quiet[colour][c] /= 2
		}
	}
	h.clearKillers()
}

// clear empties the tables.
func (h *history) clear() {
	h.quiet = [2][1 << 10]int32{}
	for colour := range h.counter {
		for c := range h.counter[colour] {
			h.counter[colour][c] = board.NoCell
		}
	}
	h.clearKillers()
}

func (h *history) clearKillers() {
	for ply := range h.killers {
		h.killers[ply] = [2]board.Cell{board.NoCell, board.NoCell}
	}
}
