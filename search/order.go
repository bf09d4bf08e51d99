package search

import "quintune/board"

// historyMax bounds the history of a move, so that it weighs about as much as a two.
const historyMax = 2048

// history remembers which moves were good elsewhere in the tree.
type history struct {
	quiet   [2][1 << 10]int32         // [colour][cell], within ±historyMax
	killers [maxPly + 1][2]board.Cell // [ply]: the last two moves that failed high there
	counter [2][1 << 10]board.Cell    // [colour][last move]: the reply that failed high
}

// fade halves what was learnt, and forgets the killers, whose plies have moved on.
func (h *history) fade() {
	for colour := range h.quiet {
		for c := range h.quiet[colour] {
			h.quiet[colour][c] /= 2
		}
	}
	h.forgetKillers()
}

// clear forgets everything.
func (h *history) clear() {
	h.quiet = [2][1 << 10]int32{}
	for colour := range h.counter {
		for c := range h.counter[colour] {
			h.counter[colour][c] = board.NoCell
		}
	}
	h.forgetKillers()
}

func (h *history) forgetKillers() {
	for ply := range h.killers {
		h.killers[ply] = [2]board.Cell{board.NoCell, board.NoCell}
	}
}

// reward notes that the move failed high at the ply, and that those tried before it did not.
func (h *history) reward(colour board.Colour, move, last board.Cell, tried []scored, depth, ply int) {
	bonus := int32(min(depth*depth*8, 512))
	h.adjust(colour, move, bonus)
	for _, m := range tried {
		h.adjust(colour, m.cell, -bonus)
	}
	if killers := &h.killers[ply]; killers[0] != move {
		killers[1], killers[0] = killers[0], move
	}
	h.counter[colour&1][last&1023] = move
}

// adjust moves an entry towards ±historyMax by a bonus that shrinks as it comes near ("gravity").
func (h *history) adjust(colour board.Colour, move board.Cell, bonus int32) {
	entry := &h.quiet[colour&1][move&1023]
	size := max(bonus, -bonus)
	*entry += bonus - *entry*size/historyMax
}

// scored is a candidate move with its ordering score.
type scored struct {
	cell  board.Cell
	score int32
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
