package search

import (
	"quintune/board"
	"quintune/pattern"
)

// vcf searches victories by continuous fours: the attacker plays only moves that make a four,
// each of which has one answer. It is depth-first with a table of refuted positions.
type vcf struct {
	refuted []uint64   // hash of a position whose fours were all tried; index by the hash's low bits
	first   board.Cell // first move of the win found last
	left    int        // nodes left of the budget
}

// vcfEntries is the number of refuted positions kept.
const vcfEntries = 1 << 12

// maxFours is the longest victory looked for, in fours.
const maxFours = 24

func newVCF() *vcf { return &vcf{refuted: make([]uint64, vcfEntries)} }

func (v *vcf) clear() { clear(v.refuted) }

// solveVCF returns in how many plies the side to move wins by continuous fours, 0 where the budget of
// nodes finds no win. The first move is left in e.vcf.first.
func (e *Engine) solveVCF(budget int) int {
	own := e.board.Counts(e.board.SideToMove())
	if own[pattern.CellFourThree] == 0 && own[pattern.CellFour]+own[pattern.CellFourPlus] < 2 || budget <= 0 {
		return 0
	}
	e.vcf.left = budget
	return e.fours(maxFours)
}

// fours returns the plies to the win, the attacker being to move, or 0. The attacker has no
// five to make when it is called first; the answers before later calls may give him one.
func (e *Engine) fours(depth int) int {
	attacker := e.board.SideToMove()
	own, other := e.board.Counts(attacker), e.board.Counts(attacker.Other())
	var forced = board.NoCell
	switch {
	case own[pattern.CellFive] > 0:
		e.vcf.first = e.only(attacker, pattern.CellFive)
		return 1
	case other[pattern.CellFive] > 1:
		return 0
	case other[pattern.CellFive] == 1:
		forced = e.only(attacker.Other(), pattern.CellFive)
		if e.board.Class(attacker, forced) < pattern.CellFour {
			return 0
		}
	case own[pattern.CellOpenFour] > 0:
		e.vcf.first = e.only(attacker, pattern.CellOpenFour)
		return 3
	}
	key := e.board.Hash()
	slot := &e.vcf.refuted[key%vcfEntries]
	if depth == 0 || e.vcf.left <= 0 || *slot == key || e.aborted {
		return 0
	}
	plies, complete := e.tryFours(forced, depth)
	if plies == 0 && complete && !e.aborted {
		*slot = key
	}
	return plies
}

// tryFours tries the forced move, or all that make a four, strongest class first. complete is false
// where the budget cut the search short.
func (e *Engine) tryFours(forced board.Cell, depth int) (plies int, complete bool) {
	attacker := e.board.SideToMove()
	base := len(e.moves)
	if forced != board.NoCell {
		e.moves = append(e.moves, scored{cell: forced})
	} else {
		e.cells = e.board.AtLeast(attacker, pattern.CellFour, e.cells[:0])
		for _, c := range e.cells {
			e.moves = append(e.moves, scored{c, int32(e.board.Class(attacker, c))})
		}
	}
	moves := e.moves[base:]
	for i := range moves {
		m := pick(moves[i:])
		if plies = e.four(m.cell, depth); plies > 0 {
			e.vcf.first = m.cell
			break
		}
	}
	e.moves = e.moves[:base]
	return plies, e.vcf.left > 0 && depth > 1
}

// four plays one four and its answer and goes on.
func (e *Engine) four(c board.Cell, depth int) (plies int) {
	attacker := e.board.SideToMove()
	e.make(c)
	e.vcf.left--
	switch fives := e.board.Counts(attacker)[pattern.CellFive]; {
	case e.board.Counts(attacker.Other())[pattern.CellFive] > 0 || fives == 0:
		plies = 0
	case fives > 1:
		plies = 3
	default:
		e.make(e.only(attacker, pattern.CellFive))
		e.vcf.left--
		if rest := e.fours(depth - 1); rest > 0 {
			plies = rest + 2
		}
		e.unmake()
	}
	e.unmake()
	return plies
}
