package search

import (
	"quintune/board"
	"quintune/pattern"
)

// historyMax bounds each history of a move. At this bound, and with order_history at its reference, the history of cells outweighs
// the reference of an open three in move ordering.
const historyMax = 2048

// history records which moves were good elsewhere in the tree. Its entries are within ±historyMax.
type history struct {
	cell         [2][numCells]int16        // [colour][cell]
	class        [2][1 << 8]int16          // [colour][cell classes of both sides]
	continuation [2][2][1 << 12]int16      // [colour][0: relative to the own last move, 1: to the other side's][class and offset]
	killers      [maxPly + 1][2]board.Cell // [ply]: the last two moves that failed high there
	counter      [2][numCells]board.Cell   // [colour][last move]: the reply that failed high
}

// historyContext is the part of the look-up of histories that all moves of a position share.
type historyContext struct {
	us                        board.Colour
	own, last                 board.Cell // the last move of the side to move and of the other side, NoCell where there is none
	cell, class, continuation int32      // weights of the histories, in 1/1024
}

func (e *Engine) historyContext() historyContext {
	at := historyContext{us: e.board.SideToMove(), own: e.board.MoveBack(2), last: e.board.LastMove()}
	if e.enabled(History) {
		at.cell = e.params.orderHistory
	}
	if e.enabled(ClassHistory) {
		at.class = e.params.orderClass
	}
	if e.enabled(ContinuationHistory) {
		at.continuation = e.params.orderContinuation
	}
	return at
}

// historyScore returns the weighted sum of the histories of a move, in ordering points.
func (e *Engine) historyScore(at *historyContext, c board.Cell) int32 {
	cell, class, own, last := e.historyEntries(at, c)
	return (int32(*cell)*at.cell + int32(*class)*at.class + (int32(*own)+int32(*last))*at.continuation) >> 10
}

// historyEntries returns the entries of a move.
func (e *Engine) historyEntries(at *historyContext, c board.Cell) (cell, class, own, last *int16) {
	h, us := &e.history, at.us&1
	ours, theirs := e.board.Class(us, c)&15, e.board.Class(us.Other(), c)&15
	byClass := int(ours) << 8
	return &h.cell[us][c%numCells], &h.class[us][int(ours)<<4|int(theirs)],
		&h.continuation[us][0][byClass|offsetIndex(at.own, c)], &h.continuation[us][1][byClass|offsetIndex(at.last, c)]
}

// offsetIndex numbers the offset from one cell to another, from −8 to 7 columns and rows. It is 0 for greater distances, for
// (−8, −8), and where from is NoCell.
func offsetIndex(from, to board.Cell) int {
	dx, dy := to.X()-from.X()+8, to.Y()-from.Y()+8
	if from == board.NoCell || uint(dx) > 15 || uint(dy) > 15 {
		return 0
	}
	return dy<<4 | dx
}

// updateHistory records that the move failed high at the ply and that the moves ordered before it, searched or pruned, did not.
func (e *Engine) updateHistory(move board.Cell, before []scored, depth, ply int) {
	at := e.historyContext()
	bonus := int32(min(depth*depth*8, 512)) // full from depth 8 on: a quarter of historyMax, so that no single fail high fills an entry. Chosen, not measured
	e.applyBonus(&at, move, bonus)
	for _, m := range before {
		e.applyBonus(&at, m.cell, -bonus)
	}
	h := &e.history
	if killers := &h.killers[ply]; killers[0] != move {
		killers[1], killers[0] = killers[0], move
	}
	h.counter[at.us&1][at.last%numCells] = move
}

// applyBonus moves the entries of a move towards ±historyMax. The bonus shrinks as an entry comes near the bound
// (the "gravity" of chess engines).
func (e *Engine) applyBonus(at *historyContext, c board.Cell, bonus int32) {
	size := max(bonus, -bonus)
	cell, class, own, last := e.historyEntries(at, c)
	for _, entry := range [...]*int16{cell, class, own, last} {
		*entry += int16(bonus - int32(*entry)*size/historyMax)
	}
}

// age prepares the histories for the next search. It halves the history of cells and clears the killers, because
// their plies now belong to other positions. The other histories stay valid all game.
func (h *history) age() {
	for colour := range h.cell {
		for c := range h.cell[colour] {
			h.cell[colour][c] /= 2
		}
	}
	h.clearKillers()
}

// clear empties the tables.
func (h *history) clear() {
	h.cell, h.class = [2][numCells]int16{}, [2][1 << 8]int16{}
	h.continuation = [2][2][1 << 12]int16{}
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

// corrections is the correction history of the static score. An entry is a moving mean of the difference between
// search result and static score, in points, over positions that look alike. Two positions look alike when both
// sides have the same threats, or when the last move made the same lines. (Chess engines group positions by pawn
// structure.)
type corrections struct {
	threat   [2][1 << 8]int32           // [colour][best cell classes of both sides]
	lastMove [2][pattern.NumCodes]int32 // [colour][classes of the four lines through the last move of the other side]
}

// One observation moves a mean by a 128th of the difference at depth 1, by a 32nd at most. Both numbers were chosen, not
// measured; the worth of the corrections as a whole is in docs/results/search.md.
const (
	correctionRate   = 256 // number of observations of weight one that a mean spans, approximately
	correctionWeight = 8   // greatest weight of an observation; deeper searches weigh more
)

// correction holds the two entries of a position; both are nil where the feature is off.
type correction struct{ threat, lastMove *int32 }

func (c *corrections) clear() { *c = corrections{} }

// correctionAt returns the entries of the position.
func (e *Engine) correctionAt() correction {
	if !e.enabled(Corrections) {
		return correction{}
	}
	us := e.board.SideToMove() & 1
	own, other := e.state.BestClass(us), e.state.BestClass(us.Other())
	code := pattern.Code(0)
	if changed := e.board.Changed(); len(changed) > 0 {
		code = changed[0].Old(us.Other()).Code()
	}
	return correction{&e.corrections.threat[us][int(own&15)<<4|int(other&15)], &e.corrections.lastMove[us][code%pattern.NumCodes]}
}

// correctionScore returns the correction to add to the static score, in points.
func (e *Engine) correctionScore(c correction) int32 {
	if c.threat == nil {
		return 0
	}
	// Entries go up to the bound of correction_max, shares to 4096: their product needs more than 32 bits.
	byThreat := int64(*c.threat) * int64(e.params.correctionThreat) >> 10
	byLastMove := int64(*c.lastMove) * int64(e.params.correctionLastMove) >> 10
	return int32(byThreat + byLastMove)
}

// correct updates the entries after a search. difference is the result of the search less the static score;
// depth is the depth searched, at least 1.
func (e *Engine) correct(c correction, difference int32, depth int) {
	if c.threat == nil {
		return
	}
	weight := int32(min(depth+1, correctionWeight))
	difference = max(-e.params.correctionMax, min(difference, e.params.correctionMax))
	*c.threat += (difference - *c.threat) * weight / correctionRate
	*c.lastMove += (difference - *c.lastMove) * weight / correctionRate
}
