package search

import (
	"quintune/board"
	"quintune/pattern"
)

// rootVCFNodes is the most nodes that the root spends on continuous fours.
const rootVCFNodes = 20000

const (
	rootVCTNodes   = 100000  // most nodes that the root spends on continuous threats
	rootVCTLeast   = 256     // fewer find nothing
	rootVCTEntries = 1 << 13 // of each of its two tables
)

// iterate deepens from one ply to depth, unless the position is decided without.
func (e *Engine) iterate(depth int, report func(Result)) Result {
	result := e.obvious()
	if result.Best != board.NoCell {
		return result
	}
	result.Best = e.fallback()
	if plies, pv := e.rootWin(); plies > 0 {
		result.Best, result.Score, result.PV = pv[0], winIn(plies), pv
		return e.shorter(result)
	}
	if e.forced() {
		depth = min(depth, forcedDepth)
	}
	e.deepen(&result, depth, report)
	return result
}

// deepen searches to one ply, two plies, and so on up to depth, and notes what it finds in the result.
func (e *Engine) deepen(result *Result, depth int, report func(Result)) {
	for d := 1; d <= depth; d++ {
		score := e.aspirate(d, result.Score)
		// A move that was found better before the limit was reached counts, too, but a proven win
		// stays with the move that was proved.
		if pv := &e.pv[0]; pv.n > 0 && !(e.aborted && PliesToWin(result.Score) > 0) {
			result.Best = pv.cells[0]
			result.PV = append([]board.Cell(nil), pv.cells[:pv.n]...)
		}
		if e.aborted {
			break
		}
		result.Score, result.Depth, result.Nodes = score, d, e.nodes
		if report != nil {
			report(*result)
		}
		if plies := PliesToWin(score); plies != 0 && max(plies, -plies) <= d || e.enough(result) {
			break
		}
	}
	result.Nodes = e.nodes
}

// rootWin returns in how many plies the side to move wins by continuous fours or threats, 0 where no such win was
// found, and the line; that of fours lacks the last two plies.
func (e *Engine) rootWin() (plies int, pv []board.Cell) {
	if plies = e.rootFours(); plies > 0 {
		return plies, append(pv, e.vcf.line[:plies-2]...)
	}
	if e.forced() {
		return 0, nil
	}
	line := e.rootThreats()
	return len(line), line
}

// shorter returns the win, or a shorter one where an earlier search of this game has proved that there is one: a win
// is carried out within the plies that were claimed. It takes up to one in so many nodes of the limit.
func (e *Engine) shorter(won Result) Result {
	const share = 4
	won.Nodes = e.nodes
	plies := PliesToWin(won.Score)
	entry := e.tt.probe(e.board.Hash())
	if entry == nil || entry.bound()&boundLower == 0 || fromTable(entry.score(), 0) <= won.Score {
		return won
	}
	better := Result{Best: won.Best}
	e.within(e.limit.expected()/share, func() { e.deepen(&better, plies-2, nil) })
	if p := PliesToWin(better.Score); p > 0 && p < plies {
		won = better
	}
	won.Nodes = e.nodes
	return won
}

// within calls look with no more than so many of the nodes that are left.
func (e *Engine) within(nodes int64, look func()) {
	whole := e.limit
	e.limit.nodes = min(e.nodes+max(nodes, 1), whole.nodes)
	e.limit.next = min(e.limit.next, e.limit.nodes)
	look()
	if e.nodes >= e.limit.nodes && e.nodes < whole.nodes { // the share is used up, not the limit
		e.aborted = false
		e.limit = whole
		e.limit.next = e.nodes
	}
	e.limit.nodes = whole.nodes
}

// rootFours looks for the shortest win by continuous fours at the root; the line is left in e.vcf.
func (e *Engine) rootFours() int {
	own := e.board.Counts(e.board.SideToMove())
	if !e.has(RootFours) || own[pattern.CellFour]+own[pattern.CellFourPlus]+own[pattern.CellFourThree] == 0 {
		return 0
	}
	plies, _ := e.shortestVCF(e.vcf, int(min(e.limit.expected()/e.params.vcfShare, rootVCFNodes)))
	return plies
}

// rootThreats looks for a win by continuous threats and returns its line, both sides; nil where the share of
// the limit that it may use finds none.
func (e *Engine) rootThreats() []board.Cell {
	share := min(e.limit.expected()/e.params.vctShare, rootVCTNodes)
	if !e.has(RootThreats) || share < rootVCTLeast {
		return nil
	}
	if e.vct == nil {
		e.vct = newVCT(e, rootVCTEntries)
	}
	plies := 0
	e.within(share, func() { plies, _ = e.vct.solve() })
	if plies == 0 {
		return nil
	}
	return append([]board.Cell(nil), e.vct.levels[0].line...)
}

// forcedDepth is the depth to which a position with a single reply is searched, for its score.
const forcedDepth = 2

// forced says whether the other side has a four, so that there is one reply.
func (e *Engine) forced() bool {
	return e.board.Counts(e.board.SideToMove().Other())[pattern.CellFive] == 1
}

// aspirate searches the root in a window around the last score, widened on the side where it fails.
func (e *Engine) aspirate(depth int, last int32) int32 {
	if depth < 3 || PliesToWin(last) != 0 || !e.has(Aspiration) {
		return e.search(-infinite, infinite, depth, 0)
	}
	for width := e.params.aspiration; ; width *= 4 {
		alpha, beta := max(last-width, -infinite), min(last+width, infinite)
		if width > 1<<20 {
			alpha, beta = -infinite, infinite
		}
		score := e.search(alpha, beta, depth, 0)
		if e.aborted || score > alpha && score < beta || alpha == -infinite {
			return score
		}
	}
}

// obvious answers positions that need no search: a five to be made, the one answer to a four, an
// open four to be made, and the first stone. Best is NoCell otherwise.
func (e *Engine) obvious() Result {
	mover := e.board.SideToMove()
	own, other := e.board.Counts(mover), e.board.Counts(mover.Other())
	r := Result{Best: board.NoCell}
	switch {
	case own[pattern.CellFive] > 0:
		r.Best, r.Score = e.only(mover, pattern.CellFive), winIn(1)
	case other[pattern.CellFive] > 1, other[pattern.CellFive] == 1 && e.cornered():
		r.Best, _ = e.lastMoves(mover.Other())
		r.Score = -winIn(2)
	case other[pattern.CellFive] == 0 && own[pattern.CellOpenFour] > 0:
		r.Best, r.Score = e.only(mover, pattern.CellOpenFour), winIn(3)
	case e.board.Stones() == 0:
		r.Best = board.At(e.board.Size()/2, e.board.Size()/2)
	}
	if r.Best != board.NoCell {
		r.PV = []board.Cell{r.Best}
	}
	return r
}

// fallback returns a sensible legal move without search.
func (e *Engine) fallback() board.Cell {
	mover := e.board.SideToMove()
	if e.board.Counts(mover.Other())[pattern.CellFive] > 0 {
		return e.only(mover.Other(), pattern.CellFive)
	}
	return e.anyMove()
}
