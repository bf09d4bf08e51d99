package search

import (
	"quintune/board"
	"quintune/pattern"
)

// search returns the score of the position for the side to move by principal variation search: exact
// within (alpha, beta), otherwise a bound on the side where it fails (fail soft). depth is in plies;
// ply is the distance from the root. The result is meaningless once e.aborted is set.
//
// The figure beside a step is its worth in Elo, with the 95 % interval. It is in docs/results/search.md; that of a step which was
// not measured again since engine 1264934-eafdaf32 is in docs/log/search.md, as the loss without it. They are of the reference numbers
// of the search; the sets that ship have others, lmr_no_tt_move 0 among them.
//
// cutNode is the expected type of the node: a move that fails high is expected. It is false at
// principal and at all-nodes.
func (e *Engine) search(alpha, beta int32, depth, ply int, cutNode bool) int32 {
	e.pv[ply].n = 0
	if e.aborted {
		return 0
	}

	// Step 1. Known wins, losses and draws: the counts of cell classes decide.
	if score, known := e.knownWin(ply); known {
		return score
	}
	if ply >= maxPly {
		return e.state.Score()
	}

	// Step 2. Mate distance pruning: no win from here can be shorter than one already found.
	alpha, beta = max(alpha, -winIn(ply)), min(beta, winIn(ply+1))
	if alpha >= beta {
		return alpha
	}
	pvNode := beta-alpha > 1

	// Step 3. Forced reply: the other side has a four. The only answer costs no depth. The node has no
	// static score of its own and inherits that of the mover's last turn.
	them := e.board.SideToMove().Other()
	threats := e.board.Counts(them)
	if threats[pattern.CellFive] > 0 {
		reply := e.findCell(them, pattern.CellFive)
		e.statics[ply] = e.inheritedStatic(ply)
		e.make(reply)
		score := -e.search(-beta, -alpha, depth, ply+1, !cutNode && !pvNode)
		e.unmake()
		e.pv[ply].set(reply, &e.pv[ply+1])
		return score
	}

	// Step 4. Threat wins (+34 [15, 54]): a four-three or two open threes that cannot be met.
	if move := e.threatWin(); move != board.NoCell {
		e.pv[ply].n, e.pv[ply].cells[0] = 1, move
		return winIn(ply + threatWinPlies)
	}

	// Step 5. TT probe. Only null windows are cut.
	key := e.board.Hash()
	ttMove := board.NoCell
	if entry, found := e.tt.probe(key); found {
		ttMove = entry.move()
		if score := fromTable(entry.score(), ply); !pvNode && entry.decides(score, alpha, beta, depth) {
			return score
		}
	}

	// Step 6. Quiescence: stand pat unless the other side threatens an open four. Such threats are
	// answered for some plies more. The static score is corrected (step 18).
	threatened := threats[pattern.CellOpenFour] > 0
	uncorrected := e.state.Score()
	correction := e.correctionAt()
	static := uncorrected + e.correctionScore(correction)
	if depth <= 0 && (!threatened || depth <= -e.params.quiescence) {
		return static
	}
	e.statics[ply] = static
	improving := ply >= 2 && static > e.statics[ply-2]

	// Step 7. Reverse futility pruning (+21 [−10, 52]): the static score is far above beta, and the other
	// side does not threaten to win by a four-three (+12 [3, 21]).
	margin := e.params.reverse * int32(depth)
	canPrune := !pvNode && !threatened && depth <= e.params.pruningDepth && PliesToWin(beta) == 0
	if canPrune && static-margin >= beta && e.enabled(ReverseFutility) && !e.threatensFourThree(them) {
		return static - margin
	}

	// Step 8. Move generation: answers to the threat, or candidates near the stones. complete
	// reports whether every move that could prevent a loss is searched.
	base := len(e.moves)
	var moves []scored
	var complete bool
	if threatened {
		moves, complete = e.generateDefences(ttMove, ply), !e.mayLeaveNoMove(them, 2)
		if len(moves) == 0 && complete {
			return -winIn(ply + 4)
		} else if len(moves) == 0 {
			return -unproven
		}
	} else if moves, complete = e.generateMoves(ttMove, ply); len(moves) == 0 {
		return 0 // at most at a root after a pass: elsewhere a side without a move is a draw already
	}

	alphaBefore, best, bestMove := alpha, -infinite, board.NoCell
	limit := e.moveCount(depth, len(moves), threatened)
	canPruneFours := threatened && depth <= e.params.fourPruning && e.enabled(FourPruning)
	canFutility := !threatened && depth <= e.params.pruningDepth && e.enabled(Futility)
	futilityScore := static + e.params.futility*int32(depth)
	canExtend := threatened && depth > 0 && e.enabled(ThreatExtension)
	canReduce := depth >= 2 && e.enabled(Reductions) && (!threatened || e.enabled(ThreatReductions))
	reductionBase := e.reductionBase(improving || pvNode, cutNode, ttMove != board.NoCell)
	for i := range moves {
		// Step 9. Move-count pruning (+70 [40, 100]): later candidates are left out.
		if i >= limit {
			complete = false
			break
		}
		move := pick(moves[i:]).cell
		plainFour := i > 0 && e.isPlainFour(move)

		// Step 10. Four pruning (+14 [−5, 32]): near the horizon no plain four puts a threat off.
		if plainFour && canPruneFours {
			complete = false
			limit++
			continue
		}

		// Step 11. Futility pruning (+6 [0, 12]): a quiet move cannot raise the score to alpha.
		if i > 0 && canFutility && futilityScore <= alpha && e.isQuiet(move) {
			complete = false
			continue
		}

		// Step 12. Threat extension (+24 [−5, 54]): the first answers to a threat are forced. Most of
		// the others are fours that only delay.
		newDepth := depth - 1
		if canExtend && i < e.params.extensions {
			newDepth++
		}

		// Step 13. Late move reductions (+42 [12, 72]), greater outside the PV where the static score is not improving
		// (+44 [15, 73]), at expected cut nodes (+15 [−4, 33]), there without a TT move (+6 [−1, 12]) and
		// for fours that lead nowhere (+19 [1, 38]), smaller for positional moves (+10 [3, 17]). Late
		// answers to a threat are reduced, too (+10 [−8, 29]).
		reduction := 0
		if i > 0 && best > -provenWin {
			if canReduce {
				more := reductionBase
				if e.enabled(PositionalMoves) && e.isPositional(move) {
					more -= e.params.positional
				}
				reduction = e.params.reductionOf(depth, i, more)
			}
			if plainFour && depth > 0 && e.enabled(FourReductions) {
				reduction += e.params.fourReduction
			}
			reduction = max(min(reduction, newDepth), 0)
		}

		// Step 14. PVS re-search: null window reduced; null window at full depth, where that exceeds alpha; full
		// window, where the score lies within it.
		e.make(move)
		var score int32
		if i > 0 {
			score = -e.search(-alpha-1, -alpha, newDepth-reduction, ply+1, reduction > 0 || !cutNode)
			if score > alpha && reduction > 0 {
				score = -e.search(-alpha-1, -alpha, newDepth, ply+1, !cutNode)
			}
		}
		if i == 0 || score > alpha && score < beta {
			score = -e.search(-beta, -alpha, newDepth, ply+1, !pvNode && !cutNode)
		}
		e.unmake()
		if e.aborted {
			break
		}

		// Step 15. New best move.
		if score > best {
			best, bestMove = score, move
			if score > alpha {
				alpha = score
				e.pv[ply].set(move, &e.pv[ply+1])
			}
		}

		// Step 16. History update on a fail high (+22 [−7, 51]), killers and counter moves (+13
		// [−15, 41]), class and continuation history (+16 [−3, 34]).
		if score >= beta {
			e.updateHistory(move, moves[:i], max(depth, 1), ply)
			break
		}
	}
	e.moves = e.moves[:base]
	if e.aborted {
		return 0
	}

	// Step 17. A loss is claimed only where every move that could prevent it was searched.
	if !complete && best < -unproven {
		best = -unproven
	}

	// Step 18. Correction history (+31 [10, 52]): by how much the static score was wrong, where the result tells.
	// Scores of ±unproven count too, as a difference of ±correction_max: not to learn from them changes play, and waits for the
	// next engine version.
	b := boundOf(best, alphaBefore, beta)
	informative := b == boundExact || b == boundLower && best > static || b == boundUpper && best < static
	if !threatened && PliesToWin(best) == 0 && informative {
		e.correct(correction, best-uncorrected, depth)
	}

	// Step 19. TT store.
	e.tt.store(key, toTable(best, ply), bestMove, depth, b)
	return best
}

// knownWin returns the score of a position that needs no search. The side to move wins in one ply where it can make five. A
// full board is a draw, as is one on which renju's Black has no move. The side to move loses in two plies where the other side
// can make five on two cells, or on one that may not be blocked. It wins in three plies where it can make an open four, and the
// other side can neither make five nor, as renju's Black, be left without a move.
func (e *Engine) knownWin(ply int) (score int32, known bool) {
	mover := e.board.SideToMove()
	own, other := e.board.Counts(mover), e.board.Counts(mover.Other())
	switch {
	case own[pattern.CellFive] > 0:
		return winIn(ply + 1), true
	case e.board.Outcome() == board.Draw:
		return 0, true
	case other[pattern.CellFive] > 1, other[pattern.CellFive] == 1 && e.cannotBlockFive():
		return -winIn(ply + 2), true
	case other[pattern.CellFive] == 0 && own[pattern.CellOpenFour] > 0 && !e.mayLeaveNoMove(mover, 1):
		return winIn(ply + 3), true
	}
	return 0, false
}

// changedByStone is the most cells that a stone takes or changes: its own and five on both sides in four directions.
const changedByStone = 1 + 4*2*5

// mayLeaveNoMove reports whether a number of moves of the colour may leave renju's Black without one, which is a draw and not a win.
func (e *Engine) mayLeaveNoMove(mover board.Colour, moves int) bool {
	if !e.isRestricted(mover.Other()) {
		return false
	}
	black := e.board.Counts(board.Black)
	empty := e.board.Size()*e.board.Size() - e.board.Stones()
	allowed := empty - int(black[pattern.CellForbidden]+black[pattern.CellDoubleThree]+black[pattern.CellFourThree])
	return allowed <= (2*moves-1)*changedByStone // the moves and the answers between them are 2·moves−1 stones
}

// inheritedStatic returns the static score of the mover's last turn, 0 where the search began later.
func (e *Engine) inheritedStatic(ply int) int32 {
	if ply < 2 {
		return 0
	}
	return e.statics[ply-2]
}

// isQuiet reports whether a move makes and stops no open three and no four; closed threes are quiet.
func (e *Engine) isQuiet(c board.Cell) bool {
	mover := e.board.SideToMove()
	return e.board.Class(mover, c) < pattern.CellThree && e.board.Class(mover.Other(), c) < pattern.CellThree
}

// isPlainFour reports whether a move makes a four and nothing else, and stops no four of the other
// side: it delays what is to come.
func (e *Engine) isPlainFour(c board.Cell) bool {
	mover := e.board.SideToMove()
	return e.board.Class(mover, c) == pattern.CellFour && e.board.Class(mover.Other(), c) < pattern.CellFour
}

// isPositional reports whether a move makes and stops at most an open two.
func (e *Engine) isPositional(c board.Cell) bool {
	mover := e.board.SideToMove()
	return e.board.Class(mover, c) < pattern.CellClosedThree && e.board.Class(mover.Other(), c) < pattern.CellClosedThree
}

// reductionBase returns the reduction of all late moves of a node, in 1/1024 plies: more where the
// static score is not improving, and at expected cut nodes, above all those without a TT move.
func (e *Engine) reductionBase(improving, cutNode, ttMove bool) int {
	reduction := 0
	if !improving && e.enabled(Improving) {
		reduction += e.params.notImproving
	}
	if cutNode && e.enabled(CutNodes) {
		reduction += e.params.cutNode
	}
	if cutNode && !ttMove && e.enabled(UnknownCutNodes) {
		reduction += e.params.noTTMove
	}
	return reduction
}

// boundOf returns what a score tells of a position that was searched with the window (alpha, beta).
func boundOf(score, alpha, beta int32) bound {
	switch {
	case score >= beta:
		return boundLower
	case score <= alpha:
		return boundUpper
	}
	return boundExact
}

// moveCount returns the number of moves that a node searches: all answers to a threat above the
// horizon, the first ones from depth 0 down, and a number of candidates that grows with the depth.
func (e *Engine) moveCount(depth, moves int, threatened bool) int {
	switch {
	case threatened && depth > 0:
		return moves
	case threatened:
		return e.params.quiescenceMoves
	case !e.enabled(MoveCount):
		return e.params.candidates
	}
	return e.params.moveCount(depth)
}
