package search

import (
	"quintune/board"
	"quintune/pattern"
)

const (
	// rootVCFNodes bounds the nodes that the root spends on continuous fours; the fours of the nodes on the path still come on top.
	// It bounds their cost in a long search; a short one spends less, by search.vcf_root_share. What they are worth is in
	// docs/results/search.md.
	rootVCFNodes = 20000

	// forcedDepth is the depth to which a position with a single reply is searched, for its score. Chosen, not measured.
	forcedDepth = 2
	// shorterShare: the search for a shorter win may use 1/shorterShare of the limit. The game is won without it, so it bounds the
	// cost. Chosen, not measured.
	shorterShare = 4

	// aspirationDepth is the first depth with a narrow window: the scores of the depths below it differ too much. Chosen, not measured.
	aspirationDepth = 3
	// widestWindow is the half width, in points, beyond which the window is opened. Chosen far above what scores differ by.
	widestWindow = 1 << 20
)

// searchRoot finds the best move: a known win, a win by continuous fours, or iterative deepening up to depth.
func (e *Engine) searchRoot(depth int, report func(Result)) Result {
	if result, known := e.knownMove(); known {
		return result
	}
	result := Result{Best: e.fallback()}
	if plies := e.rootFours(); plies > 0 {
		pv := append([]board.Cell(nil), e.vcf.line[:plies-2]...)
		result.Best, result.Score, result.PV = pv[0], winIn(plies), pv
		return e.shorterWin(result, depth)
	}
	if e.hasForcedReply() {
		depth = min(depth, forcedDepth)
	}
	e.deepen(&result, depth, report)
	return result
}

// knownMove returns the move of a position that needs no search: the first stone, or a known win or
// loss.
func (e *Engine) knownMove() (r Result, known bool) {
	mover := e.board.SideToMove()
	score, known := e.knownWin(0)
	switch {
	case e.board.Stones() == 0:
		r.Best, known = board.At(e.board.Size()/2, e.board.Size()/2), true
	case !known || score == 0:
		return Result{Best: board.NoCell}, false
	case score == winIn(1):
		r.Best, r.Score = e.findCell(mover, pattern.CellFive), score
	case score == winIn(3):
		r.Best, r.Score = e.findCell(mover, pattern.CellOpenFour), score
	default:
		r.Best, _ = e.lastMoves(mover.Other())
		r.Score = score
	}
	r.PV = []board.Cell{r.Best}
	return r, true
}

// fallback returns a sensible legal move without search.
func (e *Engine) fallback() board.Cell {
	if them := e.board.SideToMove().Other(); e.board.Counts(them)[pattern.CellFive] > 0 {
		return e.findCell(them, pattern.CellFive)
	}
	return e.anyMove()
}

// hasForcedReply reports whether the other side has a four, so that there is one reply.
func (e *Engine) hasForcedReply() bool {
	return e.board.Counts(e.board.SideToMove().Other())[pattern.CellFive] == 1
}

// deepen searches to one ply, two plies, and so on up to depth, and writes what it finds to the result.
func (e *Engine) deepen(result *Result, depth int, report func(Result)) {
	for d := 1; d <= depth; d++ {
		score := e.aspirate(d, result.Score)
		// A better move found before the limit was reached counts too. A proven win stays with the move
		// that was proved.
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
		plies := PliesToWin(score)
		shortest := plies != 0 && max(plies, -plies) <= d // deeper searches find no shorter win
		if shortest || e.time.finished(result, e.params.aspiration) {
			break
		}
	}
	result.Nodes = e.nodes
}

// aspirate searches the root in a window around the last score, four times as wide on both sides where it fails
// (+42 [12, 73] Elo, docs/log/search.md).
func (e *Engine) aspirate(depth int, last int32) int32 {
	if depth < aspirationDepth || PliesToWin(last) != 0 || !e.enabled(Aspiration) {
		return e.search(-infinite, infinite, depth, 0, false)
	}
	for width := e.params.aspiration; ; width *= 4 {
		alpha, beta := max(last-width, -infinite), min(last+width, infinite)
		if width > widestWindow {
			alpha, beta = -infinite, infinite
		}
		score := e.search(alpha, beta, depth, 0, false)
		// Where the last score is −unproven, alpha alone reaches −infinite once the width exceeds 1001, and a fail high then counts as
		// exact. The right condition, alpha == -infinite && beta == infinite, changes play: it waits for the next engine version.
		if e.aborted || score > alpha && score < beta || alpha == -infinite {
			return score
		}
	}
}

// rootFours returns the plies to a win by continuous fours (see vcf.shortest), 0 where none was found. The
// line without its last two plies stays in e.vcf.
func (e *Engine) rootFours() int {
	own := e.board.Counts(e.board.SideToMove())
	if !e.enabled(RootFours) || own[pattern.CellFour]+own[pattern.CellFourPlus]+own[pattern.CellFourThree] == 0 {
		return 0
	}
	plies, _ := e.vcf.shortest(min(e.limit.expected()/e.params.vcfShare, rootVCFNodes))
	return plies
}

// shorterWin returns the win of a solver, or a shorter one where an earlier search of this game left the
// proof of one in the TT and a search up to depth finds it. So a game is won within the plies that were claimed before, where the
// limits allow. It lowers the limit of the search, which it ends.
func (e *Engine) shorterWin(won Result, depth int) Result {
	won.Nodes = e.nodes
	plies := PliesToWin(won.Score)
	entry, found := e.tt.probe(e.board.Hash())
	if !found || entry.bound()&boundLower == 0 || fromTable(entry.score(), 0) <= won.Score {
		return won
	}
	better := Result{Best: won.Best}
	e.limit.nodes = min(e.nodes+max(e.limit.expected()/shorterShare, 1), e.limit.nodes)
	e.limit.next = min(e.limit.next, e.limit.nodes)
	e.deepen(&better, min(depth, plies-2), nil)
	if p := PliesToWin(better.Score); p > 0 && p < plies {
		won = better
	}
	won.Nodes = e.nodes
	return won
}
