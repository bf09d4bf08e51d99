package search

import (
	"quintune/board"
	"quintune/pattern"
)

// rootVCFShare is the part of a node limit that the root may spend on continuous fours: one in this many.
const rootVCFShare = 8

// rootVCFNodes is the most nodes that the root spends on continuous fours.
const rootVCFNodes = 20000

// iterate deepens from one ply to depth.
func (e *Engine) iterate(depth int, report func(Result)) Result {
	result := e.obvious()
	if result.Best != board.NoCell {
		return result
	}
	result.Best = e.fallback()
	if plies := e.rootFours(); plies > 0 {
		result.Best, result.Score = e.vcf.first(), winIn(plies)
		result.PV, result.Nodes = []board.Cell{result.Best}, e.nodes
		return result
	}
	if e.forced() {
		depth = min(depth, forcedDepth)
	}
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
			report(result)
		}
		if plies := PliesToWin(score); plies != 0 && max(plies, -plies) <= d || e.enough(&result) {
			break
		}
	}
	result.Nodes = e.nodes
	return result
}

// rootFours looks for a win by continuous fours at the root; see solveVCF.
func (e *Engine) rootFours() int {
	if !e.has(RootFours) {
		return 0
	}
	return e.solveVCF(int(min(e.limit.nodes/rootVCFShare, rootVCFNodes)))
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
