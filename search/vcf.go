package search

import (
	"quintune/board"
	"quintune/pattern"
)

// vcf searches victories by continuous fours: the attacker plays only fours, and each four has one answer. It is
// depth-first with a table of refuted positions.
type vcf struct {
	e       *Engine
	refuted refutations                // the limit is a number of fours, or anyFours
	line    [2*maxFours + 3]board.Cell // line of the last win: fours and answers up to the last four
	limit   int                        // most fours; an open four at the end does not count
	left    int64                      // nodes left of the budget; below 0 by the fours of the nodes on the path
}

const (
	vcfEntries = 1 << 12 // refuted positions that a search keeps: 32 KiB. A greater table showed no gain (docs/log/search.md)
	maxFours   = 24      // most fours; an open four at the end does not count. Chosen: the longest test position has 11
	anyFours   = 255     // refuted for every number of fours
)

// newVCF returns a solver on the engine's board whose table has the given number of entries, a power of
// two from 256 on.
func newVCF(e *Engine, entries int) *vcf { return &vcf{e: e, refuted: make(refutations, entries)} }

func (v *vcf) clear() { clear(v.refuted) }

// shortest returns the plies to a win of the side to move by continuous fours, 0 where the budget of nodes
// finds none. It tries more and more fours and returns the first win, at most two plies longer than the shortest: an open four at
// the end does not count as a four, one that may not be blocked or is itself forced does. exhausted reports that a greater budget
// finds nothing more. The line stays in v.
func (v *vcf) shortest(budget int64) (plies int, exhausted bool) {
	v.left = budget
	for v.limit = 1; v.limit <= maxFours; v.limit++ {
		plies, exhausted = v.attack(0)
		if plies > 0 || exhausted || v.left <= 0 || v.e.aborted {
			return plies, exhausted
		}
	}
	return 0, false
}

// attack returns the plies to the win, or 0. The attacker is to move and has made the given number of
// fours. exhausted is false where a limit cut the search short. The attacker can make five here only if he
// could before the first four.
func (v *vcf) attack(made int) (plies int, exhausted bool) {
	e := v.e
	attacker := e.board.SideToMove()
	own, other := e.board.Counts(attacker), e.board.Counts(attacker.Other())
	forced := board.NoCell
	switch {
	case own[pattern.CellFive] > 0:
		v.line[2*made] = e.findCell(attacker, pattern.CellFive)
		return 1, true
	case other[pattern.CellFive] > 1:
		return 0, true
	case other[pattern.CellFive] == 1:
		forced = e.findCell(attacker.Other(), pattern.CellFive)
		if e.board.Class(attacker, forced) < pattern.CellFour || e.isForbidden(forced) {
			return 0, true
		}
	case own[pattern.CellOpenFour] > 0 && !e.mayLeaveNoMove(attacker, 1):
		v.line[2*made] = e.findCell(attacker, pattern.CellOpenFour)
		return 3, true
	}
	hash, left := e.board.Hash(), uint8(v.limit-made)
	if limit, found := v.refuted.probe(hash); found && limit >= left {
		return 0, limit == anyFours
	}
	if left == 0 || v.left <= 0 || e.aborted {
		return 0, forced == board.NoCell && own[pattern.CellFour]+own[pattern.CellFourPlus]+own[pattern.CellFourThree]+own[pattern.CellOpenFour] == 0
	}
	plies, exhausted = v.tryFours(forced, made)
	if plies == 0 && v.left > 0 && !e.aborted {
		if exhausted {
			left = anyFours
		}
		v.refuted.store(hash, left)
	}
	return plies, exhausted
}

// tryFours tries the forced move, or all that make a four, strongest class first.
func (v *vcf) tryFours(forced board.Cell, made int) (plies int, exhausted bool) {
	e := v.e
	attacker := e.board.SideToMove()
	base := len(e.moves)
	if forced != board.NoCell {
		e.moves = append(e.moves, scored{cell: forced})
	} else {
		e.cells = e.allowed(e.board.AtLeast(attacker, pattern.CellFour, e.cells[:0]))
		for _, c := range e.cells {
			e.moves = append(e.moves, scored{c, int32(e.board.Class(attacker, c))})
		}
	}
	moves := e.moves[base:]
	exhausted = true
	for i := range moves {
		if e.aborted {
			exhausted = false
			break
		}
		m := pick(moves[i:])
		p, f := v.tryFour(m.cell, made)
		if exhausted = exhausted && f; p > 0 {
			plies = p
			break
		}
	}
	e.moves = e.moves[:base]
	return plies, exhausted && v.left > 0
}

// tryFour plays one four and its answer and goes on.
func (v *vcf) tryFour(c board.Cell, made int) (plies int, exhausted bool) {
	e := v.e
	attacker := e.board.SideToMove()
	exhausted = true
	e.make(c)
	v.left--
	switch fives := e.board.Counts(attacker)[pattern.CellFive]; {
	case e.aborted:
		exhausted = false
	case e.board.Counts(attacker.Other())[pattern.CellFive] > 0 || fives == 0 || e.board.Outcome() == board.Draw:
		// The defender makes five first, or the four cannot make five, or the defender has no move.
	case fives > 1 || e.cannotBlockFive():
		plies = 3
	default:
		answer := e.findCell(attacker, pattern.CellFive)
		e.make(answer)
		v.left--
		if plies, exhausted = v.attack(made + 1); plies > 0 {
			plies += 2
			v.line[2*made+1] = answer
		}
		e.unmake()
	}
	e.unmake()
	if plies > 0 {
		v.line[2*made] = c
	}
	return plies, exhausted
}

// appendLine appends the whole line of the win that v found in the position: plies moves of both sides.
// The answer to the last four blocks one of its fives where that is allowed.
func (v *vcf) appendLine(line []board.Cell, plies int) []board.Cell {
	if plies == 1 {
		return append(line, v.line[0])
	}
	e := v.e
	attacker := e.board.SideToMove()
	fours := v.line[:plies-2]
	for _, c := range fours {
		e.make(c)
	}
	answer, five := e.lastMoves(attacker)
	line = append(append(line, fours...), answer, five)
	for range fours {
		e.unmake()
	}
	return line
}
