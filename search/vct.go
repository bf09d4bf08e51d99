package search

import (
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// vct searches victories by continuous threats (lambda search of order two: T. Thomsen, Lambda-search in
// game trees, 2000). The attacker plays fours and quiet threats, moves after which continuous
// fours would win if the defender passed; the defender tries every reply that could stop these fours.
type vct struct {
	e       *Engine
	fours   *vcf
	refuted refutations // the limit is a number of quiet threats
	path    []vctNode   // [plies from the root]
	cut     bool        // more quiet threats or nodes may find more
}

// vctNode holds the lists of one node of the current path. Their memory is reused.
type vctNode struct {
	line    []board.Cell // the win from here, both sides, where there is one
	threat  []board.Cell // where the defender is to move: the win if he passes
	replies []board.Cell // where the defender is to move: what could stop the threat
}

const (
	// maxThreats bounds the quiet threats in a win: there are fewer. It ends a search that nothing else ends. Chosen, not measured.
	maxThreats = 32
	// threatNodes is the budget for the fours of one position, passed as rootVCFNodes is. It bounds what one without a win costs.
	// Chosen, not measured.
	threatNodes = 1000
)

func newVCT(e *Engine, entries int) *vct {
	return &vct{e: e, fours: newVCF(e, entries), refuted: make(refutations, entries), path: make([]vctNode, maxPly+2)}
}

// solve returns the plies to the win with the fewest quiet threats, 0 where the limits find none. The
// line stays in the first node.
func (t *vct) solve() (plies int, exhausted bool) {
	for threats := range maxThreats {
		t.cut = false
		plies = t.attack(threats, 0)
		if plies > 0 || t.e.aborted || !t.cut {
			break
		}
	}
	return plies, plies == 0 && !t.cut && !t.e.aborted
}

// attack returns the plies to the win of the side to move with at most the given number of quiet
// threats, or 0.
func (t *vct) attack(threats, ply int) (plies int) {
	e := t.e
	mover := e.board.SideToMove()
	at := &t.path[ply]
	hash := e.board.Hash()
	if limit, found := t.refuted.probe(hash); found && int(limit) >= threats {
		return 0
	}
	plies, exhausted := t.fours.shortest(threatNodes)
	if plies > 0 {
		at.line = t.fours.appendLine(at.line[:0], plies)
		return plies
	}
	fives := e.board.Counts(mover.Other())[pattern.CellFive]
	switch t.cut = t.cut || !exhausted; {
	case fives > 1:
		return 0
	case e.aborted || ply+2 >= len(t.path):
		t.cut = true
		return 0
	case fives == 1:
		c := e.blockFive(mover.Other())
		if c == board.NoCell {
			return 0
		}
		plies = t.play(c, threats, ply)
	case threats == 0:
		t.cut = true
		return 0
	default:
		plies = t.tryThreats(threats, ply)
	}
	if plies == 0 && !e.aborted {
		t.refuted.store(hash, uint8(threats))
	}
	return plies
}

// tryThreats tries the quiet moves that may be threats, then the fours.
func (t *vct) tryThreats(threats, ply int) (plies int) {
	e := t.e
	mover := e.board.SideToMove()
	base := len(e.moves)
	e.cells = e.allowed(e.board.Near(e.cells[:0]))
	for _, c := range e.cells {
		if t.extendsRow(mover, c) {
			e.moves = append(e.moves, scored{c, e.state.MoveScore(c)})
		}
	}
	quiet := len(e.moves) - base
	e.cells = e.allowed(e.board.AtLeast(mover, pattern.CellFour, e.cells[:0]))
	for _, c := range e.cells {
		e.moves = append(e.moves, scored{c, 0})
	}
	moves := e.moves[base:]
	for i := range moves {
		left := threats
		if i < quiet {
			pick(moves[i:quiet])
			left--
		}
		if plies = t.play(moves[i].cell, left, ply); plies > 0 || e.aborted {
			break
		}
	}
	e.moves = e.moves[:base]
	return plies
}

// extendsRow reports whether a quiet move adds to a row that fours may use: a closed two or better.
func (t *vct) extendsRow(mover board.Colour, c board.Cell) bool {
	b := t.e.board
	if b.Class(mover, c) >= pattern.CellFour {
		return false
	}
	for d := range 4 {
		if line := b.Line(mover, d, c); line >= pattern.ClosedTwo && line != pattern.Overline {
			return true
		}
	}
	return false
}

// play plays a four or a quiet threat and returns the plies to the win, or 0.
func (t *vct) play(c board.Cell, threats, ply int) (plies int) {
	e := t.e
	four := e.board.Class(e.board.SideToMove(), c) >= pattern.CellFour
	e.make(c)
	if four {
		plies = t.answerFour(threats, ply+1)
	} else {
		plies = t.answerThreat(threats, ply+1)
	}
	e.unmake()
	if plies == 0 || e.aborted {
		return 0
	}
	t.prefix(c, ply)
	return plies + 1
}

// answerFour makes the defender answer a four; all other moves lose at once.
func (t *vct) answerFour(threats, ply int) (plies int) {
	e := t.e
	defender := e.board.SideToMove()
	if e.board.Counts(defender)[pattern.CellFive] > 0 || e.board.Counts(defender.Other())[pattern.CellFive] == 0 {
		return 0
	}
	if e.board.Outcome() == board.Draw {
		return 0
	}
	c := e.blockFive(defender.Other())
	if c == board.NoCell {
		answer, five := e.lastMoves(defender.Other())
		t.path[ply].line = append(t.path[ply].line[:0], answer, five)
		return 2
	}
	return t.playReply(c, threats, ply)
}

// answerThreat returns the plies to the win after a quiet threat, against the reply that holds out longest. It
// returns 0 where a reply refutes the threat, or where the move before threatens nothing.
func (t *vct) answerThreat(threats, ply int) (worst int) {
	e := t.e
	own := e.board.Counts(e.board.SideToMove())
	if own[pattern.CellFive]+own[pattern.CellOpenFour] > 0 || e.board.Outcome() == board.Draw || !t.threatens(ply) {
		return 0
	}
	at := &t.path[ply]
	var longest []board.Cell
	for _, c := range at.replies {
		plies := t.playReply(c, threats, ply)
		if plies == 0 {
			return 0
		}
		if plies > worst {
			worst, longest = plies, append(longest[:0], at.line...)
		}
	}
	// Any other reply leaves the threat as it is.
	if len(at.threat)+1 > worst {
		e.cells = e.board.AllEmpty(e.cells[:0])
		if i := slices.IndexFunc(e.cells, func(c board.Cell) bool { return !slices.Contains(at.replies, c) && e.leavesPlayable(c, at.threat) }); i >= 0 {
			worst, longest = len(at.threat)+1, append(append(longest[:0], e.cells[i]), at.threat...)
		}
	}
	at.line = append(at.line[:0], longest...)
	return worst
}

// playReply plays one reply and returns the plies to the defender's loss, or 0.
func (t *vct) playReply(c board.Cell, threats, ply int) int {
	t.e.make(c)
	plies := t.attack(threats, ply+1)
	t.e.unmake()
	if plies == 0 || t.e.aborted {
		return 0
	}
	t.prefix(c, ply)
	return plies + 1
}

// prefix makes the line at ply the move followed by the line of the next ply.
func (t *vct) prefix(c board.Cell, ply int) {
	at := &t.path[ply]
	at.line = append(append(at.line[:0], c), t.path[ply+1].line...)
}

// threatens reports whether fours win if the defender, who is to move, passes. The fours and all replies
// that could stop them stay in the node.
//
// The defender can stop a line of fours by standing on one of its cells, by a four of his own, or by
// a stone that makes one of his answers a four (or five). Other stones change no row that the line
// makes or meets. But where the line depends on what is forbidden, any cell may stop it.
func (t *vct) threatens(ply int) bool {
	e := t.e
	at := &t.path[ply]
	e.state.Pass()
	plies, exhausted := t.fours.shortest(threatNodes)
	if plies > 0 {
		at.threat = t.fours.appendLine(at.threat[:0], plies)
		at.replies = append(at.replies[:0], at.threat...)
		t.addHelpers(at)
	}
	e.unmake()
	if plies == 0 {
		t.cut = t.cut || !exhausted
		return false
	}
	defender := e.board.SideToMove()
	e.cells = e.board.AtLeast(defender, pattern.CellFour, e.cells[:0])
	for _, c := range e.cells {
		at.addReply(c)
	}
	at.replies = e.allowed(at.replies)
	return true
}

// addHelpers adds the cells from which a stone of the defender's would make one of his answers to the
// threat a four. They lie in a line through an answer that the answer makes a three of any kind. Where an
// answer is forbidden, a move of the line may become forbidden, or one more stone may leave renju's Black
// without a move, it adds all other cells.
func (t *vct) addHelpers(at *vctNode) {
	e := t.e
	for i, c := range at.threat {
		mover := e.board.SideToMove()
		if i%2 == 1 && (i == len(at.threat)-2 && e.cannotBlockFive() || e.mayLeaveNoMove(mover.Other(), 1)) || i%2 == 0 && e.maybeForbidden(c) {
			e.cells = e.board.AllEmpty(e.cells[:0])
			for _, anywhere := range e.cells {
				at.addReply(anywhere)
			}
		}
		if i%2 == 1 {
			for d := range 4 {
				if line := e.board.Line(mover, d, c); line >= pattern.ClosedThree && line != pattern.Overline {
					e.cells = e.board.LineThrough(c, d, e.cells[:0])
					for _, helper := range e.cells {
						at.addReply(helper)
					}
				}
			}
		}
		e.make(c)
	}
	for range at.threat {
		e.unmake()
	}
}

func (n *vctNode) addReply(c board.Cell) {
	if !slices.Contains(n.replies, c) {
		n.replies = append(n.replies, c)
	}
}
