package search

import (
	"quintune/board"
	"quintune/pattern"
)

// search returns the score of the position for the side to move: exact within (alpha, beta), else a
// bound on the side where it fails (fail soft). depth is in plies, ply the distance from the root.
// The result means nothing once e.aborted is set.
func (e *Engine) search(alpha, beta int32, depth, ply int) int32 {
	e.pv[ply].n = 0
	if e.aborted {
		return 0
	}

	// 1. What the counts of cell classes decide without a move.
	if score, decided := e.decided(ply); decided {
		return score
	}
	if ply >= maxPly {
		return e.state.Score()
	}

	// 2. Mate distance: a shorter win is known, or no win here can be short enough.
	alpha, beta = max(alpha, -winIn(ply)), min(beta, winIn(ply+1))
	if alpha >= beta {
		return alpha
	}

	// 3. The other side has a four: one reply, which costs no depth.
	mover := e.board.SideToMove()
	other := e.board.Counts(mover.Other())
	if other[pattern.CellFive] > 0 {
		reply := e.only(mover.Other(), pattern.CellFive)
		e.make(reply)
		score := -e.search(-beta, -alpha, depth, ply+1)
		e.unmake()
		e.pv[ply].set(reply, &e.pv[ply+1])
		return score
	}

	// 4. The table may know enough.
	key := e.board.Hash()
	ttMove := board.NoCell
	if entry := e.tt.probe(key); entry != nil {
		ttMove = entry.move()
		if score := fromTable(entry.score(), ply); beta-alpha == 1 && entry.decides(score, alpha, beta, depth) {
			return score
		}
	}

	// 5. A win by continuous fours needs no further move. At the root they were looked for before.
	if plies := e.innerFours(depth, ply); plies > 0 {
		score := winIn(ply + plies)
		e.tt.store(key, toTable(score, ply), e.vcf.first(), depth, boundLower)
		e.pv[ply].n, e.pv[ply].cells[0] = 1, e.vcf.first()
		return score
	}

	// 6. At the horizon only an open four in the making is still answered.
	threatened := other[pattern.CellOpenFour] > 0
	static := e.state.Score()
	if depth <= 0 && (!threatened || depth <= -e.params.quiescence) {
		return static
	}
	e.statics[ply] = static

	// 7. Reverse futility: so far above beta that no quiet reply brings it down.
	if e.has(ReverseFutility) && !threatened && depth <= futilityDepth && beta-alpha == 1 && static-e.params.reverse*int32(depth) >= beta && PliesToWin(beta) == 0 {
		return static - e.params.reverse*int32(depth)
	}
	return e.branch(node{alpha, beta, depth, ply, key, ttMove, threatened, static, e.worsening(ply)})
}

// worsening says whether the static score is not above that of the mover's last turn.
func (e *Engine) worsening(ply int) bool {
	return e.has(Worsening) && (ply < 2 || e.statics[ply] <= e.statics[ply-2])
}

// decided returns the score of positions that need no search: a five to be made wins in one ply, a
// full board is a draw, two fives of the other side, or one that may not be stopped, lose in two, and
// an open four to be made wins in three where the other side has no five.
func (e *Engine) decided(ply int) (score int32, ok bool) {
	mover := e.board.SideToMove()
	own, other := e.board.Counts(mover), e.board.Counts(mover.Other())
	switch {
	case own[pattern.CellFive] > 0:
		return winIn(ply + 1), true
	case e.board.Outcome() == board.Draw:
		return 0, true
	case other[pattern.CellFive] > 1, other[pattern.CellFive] == 1 && e.cornered():
		return -winIn(ply + 2), true
	case other[pattern.CellFive] == 0 && own[pattern.CellOpenFour] > 0:
		return winIn(ply + 3), true
	}
	return 0, false
}

// node is the position whose moves are to be searched.
type node struct {
	alpha, beta int32
	depth, ply  int
	key         uint64
	ttMove      board.Cell
	threatened  bool  // the other side can make an open four or two fours
	static      int32 // score without search
	worsening   bool  // static is not above that of the mover's last turn
}

// futilityDepth is the greatest depth at which futility is thought of.
const futilityDepth = 4

// branch searches the moves of a node.
func (e *Engine) branch(n node) int32 {
	base := len(e.moves)
	var moves []scored
	complete := true // no move that could change a loss is left out
	if n.threatened {
		moves = e.defences(n.ttMove, n.ply)
		if len(moves) == 0 {
			return -winIn(n.ply + 4)
		}
	} else {
		if moves, complete = e.quietMoves(n.ttMove, n.ply); len(moves) == 0 {
			return 0
		}
	}
	best, bestMove, alpha := -infinite, board.NoCell, n.alpha
	limit := e.moveCount(&n, len(moves))
	for i := range moves {
		// 8. Candidates beyond the first ones are not looked at.
		if i >= limit {
			complete = false
			break
		}
		m := pick(moves[i:])

		// 9. Futility: a quiet move cannot bring the score up to alpha.
		if i > 0 && e.has(Futility) && n.depth <= futilityDepth && e.futile(&n, alpha, m.cell) {
			complete = false
			continue
		}
		e.make(m.cell)
		score := e.child(n, alpha, best, i)
		e.unmake()
		if e.aborted {
			break
		}
		if score > best {
			best, bestMove = score, m.cell
			if score > alpha {
				alpha = score
				e.pv[n.ply].set(m.cell, &e.pv[n.ply+1])
			}
			if score >= n.beta {
				e.history.reward(e.board.SideToMove(), m.cell, e.board.LastMove(), moves[:i], max(n.depth, 1), n.ply)
				break
			}
		}
	}
	e.moves = e.moves[:base]
	if e.aborted {
		return 0
	}

	// 11. A loss is claimed only where every reply that could prevent it was searched.
	if !complete && best < -unproven {
		best = -unproven
	}
	b := boundExact
	switch {
	case best >= n.beta:
		b = boundLower
	case best <= n.alpha:
		b = boundUpper
	}
	e.tt.store(n.key, toTable(best, n.ply), bestMove, n.depth, b)
	return best
}

// child searches the position after the i-th move of a node: the first with the full window, later
// ones with a null window at reduced depth, again without reduction and then with the full
// window as long as they exceed alpha.
func (e *Engine) child(n node, alpha, best int32, i int) int32 {
	depth := n.depth - 1
	// 10. The first answers to an open four in the making cost no depth: they are forced. The others are
	// mostly fours that put the end off.
	if n.threatened && n.depth > 0 && i < e.params.extensions && e.has(ThreatExtension) {
		depth++
	}
	if i == 0 {
		return -e.search(-n.beta, -alpha, depth, n.ply+1)
	}
	reduction := 0
	if e.has(Reductions) && !n.threatened && n.depth >= 2 && best > -provenWin {
		reduction = min(e.params.reductionOf(n.depth, i, n.worsening && n.beta-n.alpha == 1), depth)
	}
	score := -e.search(-alpha-1, -alpha, depth-reduction, n.ply+1)
	if score > alpha && reduction > 0 {
		score = -e.search(-alpha-1, -alpha, depth, n.ply+1)
	}
	if score > alpha && score < n.beta {
		score = -e.search(-n.beta, -alpha, depth, n.ply+1)
	}
	return score
}

// futile says whether a move makes and stops no three or four, and the score is so far below alpha that
// such a move will not reach it.
func (e *Engine) futile(n *node, alpha int32, c board.Cell) bool {
	if n.threatened || n.static+e.params.futility*int32(max(n.depth, 1)) > alpha {
		return false
	}
	mover := e.board.SideToMove()
	return e.board.Class(mover, c) < pattern.CellThree && e.board.Class(mover.Other(), c) < pattern.CellThree
}

// moveCount returns how many of the moves of a node are looked at: all answers to an open four in the making
// above the horizon, the first ones below it, and as many scored candidates as the depth allows.
func (e *Engine) moveCount(n *node, moves int) int {
	switch {
	case n.threatened && n.depth > 0:
		return moves
	case n.threatened:
		return e.params.quiescenceMoves
	case !e.has(MoveCount):
		return e.params.candidates
	}
	return e.params.moveCount(n.depth)
}

// innerFours looks for a win by continuous fours at an inner node; see solveVCF.
func (e *Engine) innerFours(depth, ply int) int {
	if !e.has(InnerFours) || ply == 0 {
		return 0
	}
	return e.solveVCF(e.params.vcfBudget(depth))
}
