package search

import (
	"quintune/board"
	"quintune/pattern"
)

// vcf searches victories by continuous fours: the attacker plays only moves that make a four,
// each of which has one answer. It is depth-first with a table of refuted positions.
type vcf struct {
	// refuted is indexed by the low bits of a position's hash. An entry is the hash of a position whose
	// fours were all tried, its low byte replaced by the number of fours they were tried for.
	refuted []uint64
	line    [2*maxFours + 3]board.Cell // of the win found last: fours and answers up to the last four
	limit   int                        // most fours before the one that cannot be answered
	left    int                        // nodes left of the budget
}

// vcfEntries is the number of refuted positions that a search keeps.
const vcfEntries = 1 << 12

// maxFours is the longest victory looked for, in fours.
const maxFours = 24

// anyFours in an entry of the table says that no number of fours wins.
const anyFours = 255

// newVCF returns a solver whose table has the given number of entries, a power of two from 256 on.
func newVCF(entries int) *vcf { return &vcf{refuted: make([]uint64, entries)} }

func (v *vcf) clear() { clear(v.refuted) }

// first returns the first move of the win found last.
func (v *vcf) first() board.Cell { return v.line[0] }

// solveVCF returns in how many plies the side to move wins by continuous fours, 0 where the budget of
// nodes finds no win. The line is left in e.vcf.
func (e *Engine) solveVCF(budget int) int {
	own := e.board.Counts(e.board.SideToMove())
	fours := own[pattern.CellFour] + own[pattern.CellFourPlus]
	if own[pattern.CellFourThree] == 0 && fours < 2 && !(fours > 0 && e.mayTrap()) || budget <= 0 {
		return 0
	}
	e.vcf.left, e.vcf.limit = budget, maxFours
	plies, _ := e.fours(e.vcf, 0)
	return plies
}

// shortestVCF is solveVCF with more and more fours, so that a short win is found first. final says that there
// is nothing to be found with a greater budget.
func (e *Engine) shortestVCF(v *vcf, budget int) (plies int, final bool) {
	v.left = budget
	for v.limit = 1; v.limit <= maxFours; v.limit++ {
		plies, final = e.fours(v, 0)
		if plies > 0 || final || v.left <= 0 || e.aborted {
			return plies, final
		}
	}
	return 0, false
}

// fours returns the plies to the win, the attacker being to move after the given number of fours, or
// 0; final is false where a limit cut the search short. The attacker has a five to make only where he
// had it before the first four.
func (e *Engine) fours(v *vcf, made int) (plies int, final bool) {
	attacker := e.board.SideToMove()
	own, other := e.board.Counts(attacker), e.board.Counts(attacker.Other())
	forced := board.NoCell
	switch {
	case own[pattern.CellFive] > 0:
		v.line[2*made] = e.only(attacker, pattern.CellFive)
		return 1, true
	case other[pattern.CellFive] > 1:
		return 0, true
	case other[pattern.CellFive] == 1:
		forced = e.only(attacker.Other(), pattern.CellFive)
		if e.board.Class(attacker, forced) < pattern.CellFour || e.barred(forced) {
			return 0, true
		}
	case own[pattern.CellOpenFour] > 0:
		v.line[2*made] = e.only(attacker, pattern.CellOpenFour)
		return 3, true
	}
	key := e.board.Hash()
	slot := &v.refuted[key&uint64(len(v.refuted)-1)]
	more := uint64(v.limit - made)
	if *slot&^0xff == key&^0xff && *slot&0xff >= more {
		return 0, *slot&0xff == anyFours
	}
	if more == 0 || v.left <= 0 || e.aborted {
		return 0, own[pattern.CellFour]+own[pattern.CellFourPlus]+own[pattern.CellFourThree] == 0
	}
	plies, final = e.tryFours(v, forced, made)
	if plies == 0 && v.left > 0 && !e.aborted {
		if final {
			more = anyFours
		}
		*slot = key&^0xff | more
	}
	return plies, final
}

// tryFours tries the forced move, or all that make a four, strongest class first.
func (e *Engine) tryFours(v *vcf, forced board.Cell, made int) (plies int, final bool) {
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
	final = true
	for i := range moves {
		m := pick(moves[i:])
		p, f := e.four(v, m.cell, made)
		if final = final && f; p > 0 {
			plies = p
			break
		}
	}
	e.moves = e.moves[:base]
	return plies, final && v.left > 0
}

// four plays one four and its answer and goes on.
func (e *Engine) four(v *vcf, c board.Cell, made int) (plies int, final bool) {
	attacker := e.board.SideToMove()
	final = true
	e.make(c)
	v.left--
	switch fives := e.board.Counts(attacker)[pattern.CellFive]; {
	case e.aborted:
		final = false
	case e.board.Counts(attacker.Other())[pattern.CellFive] > 0 || fives == 0 || e.board.Outcome() == board.Draw:
		// He makes five first, or the four is none, or he has no move.
	case fives > 1 || e.cornered():
		plies = 3
	default:
		answer := e.only(attacker, pattern.CellFive)
		e.make(answer)
		v.left--
		if plies, final = e.fours(v, made+1); plies > 0 {
			plies += 2
			v.line[2*made+1] = answer
		}
		e.unmake()
	}
	e.unmake()
	if plies > 0 {
		v.line[2*made] = c
	}
	return plies, final
}

// appendLine appends the whole line of the win in so many plies that v found in the position, both sides' moves,
// the last four answered on one of its five points where that is allowed.
func (e *Engine) appendLine(line []board.Cell, v *vcf, plies int) []board.Cell {
	if plies == 1 {
		return append(line, v.first())
	}
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
