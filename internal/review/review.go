// Package review reviews a game with the search: the worth of every move, mistakes, and missed wins by
// continuous fours.
package review

import (
	"context"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Verdict is how bad a move was.
type Verdict string

// Verdicts of moves, by the chance to win that they gave away.
const (
	Fine       Verdict = ""
	Inaccurate Verdict = "inaccuracy" // at least 7 %
	Mistaken   Verdict = "mistake"    // at least 15 %
	Blundered  Verdict = "blunder"    // at least 30 %, or a proven win that is lost, or a proven loss that was not there
)

// Losses of the chance to win, 0 to 1, from which on a move has the verdict.
const (
	leastLoss      = .01 // no verdict below, whatever was missed: it would be told as a loss of 0 %
	inaccurateLoss = .07
	mistakenLoss   = .15
	blunderedLoss  = .30
)

// Note is what is found about one move.
type Note struct {
	Score     int32        // points for the mover after the move; see search.PliesToWin, counted from the move on
	Best      board.Cell   // what the search would have played
	BestScore int32        // points for the mover with it
	Line      []board.Cell // what the search expected, Best first
	Loss      float64      // of the chance to win, 0 to 1
	Verdict   Verdict
	MissedVCF []board.Cell // a win by continuous fours that was there and is gone, both sides; nil for none
}

// Review is a game with what was found about it.
type Review struct {
	Notes []Note         // one a move; those of the opening have no verdict
	Last  *search.Result // of the last position, nil where the game is over there
	Nodes int64          // made moves of all searches
}

// Limits bound the work on each position.
type Limits struct {
	Search search.Limits
	VCF    int64 // nodes of the solver
}

// reviewer is the state of Game.
type reviewer struct {
	engine *search.Engine
	set    *weights.Set
	limits Limits
	game   *record.Game
	review Review
}

// Game reviews a game with an engine of its size and rule that has the set's weights. The
// positions are searched from the last to the first, so that the search of a position knows the results of the later ones.
// Without a limit of time and with one thread the result is a function of the arguments. progress,
// if not nil, gets the number of positions that are left. The error is that of an illegal game or of ctx.
func Game(ctx context.Context, engine *search.Engine, set *weights.Set, game *record.Game, limits Limits, progress func(left int)) (*Review, error) {
	r := &reviewer{engine: engine, set: set, limits: limits, game: game}
	r.review.Notes = make([]Note, len(game.Moves))
	engine.NewGame()
	var after *search.Result // of the position after the move; nil where the game is over there
	for ply := len(game.Moves); ply >= 0; ply-- {
		if progress != nil {
			progress(ply + 1)
		}
		b, err := game.Board(ply)
		if err != nil {
			return nil, err
		}
		found := r.search(ctx, b, ply)
		if ply < len(game.Moves) {
			r.review.Notes[ply] = r.judge(ctx, b, game.Moves[ply].Cell, found, after)
		} else {
			r.review.Last = found
		}
		after = found
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return &r.review, nil
}

// search returns what the search finds, nil where the game is over.
func (r *reviewer) search(ctx context.Context, b *board.Board, ply int) *search.Result {
	if b.Outcome() != board.Ongoing || ply == len(r.game.Moves) && r.game.Fouled() {
		return nil
	}
	found := r.engine.Search(ctx, b, r.limits.Search, nil)
	r.review.Nodes += found.Nodes
	return &found
}

// judge compares the move with the one that the search prefers. If both are the same, nothing is wrong with it, whatever the search
// after it sees; the score is that of the search, or the proven end. A move of the opening has its score, and no loss or verdict.
func (r *reviewer) judge(ctx context.Context, b *board.Board, played board.Cell, found, after *search.Result) Note {
	n := Note{Best: found.Best, BestScore: found.Score, Line: found.PV}
	n.Score = r.scoreAfter(b, played, after)
	if played == found.Best {
		if search.PliesToWin(n.Score) == 0 {
			n.Score = found.Score
		}
		return n
	}
	if b.Ply() < r.game.Opening { // made by a book, or for balance
		return n
	}
	if search.PliesToWin(n.Score) <= 0 {
		r.solve(ctx, b, played, &n)
	}
	r.assess(&n)
	if n.Verdict != Fine && search.PliesToWin(n.Score) == 0 && r.startsThreats(ctx, b, played, &n) {
		n.MissedVCF = nil
		r.assess(&n)
	}
	return n
}

// assess works out the loss and the verdict of the scores.
func (r *reviewer) assess(n *Note) {
	n.Loss = max(0, analysis.Chances(r.set, n.BestScore)-analysis.Chances(r.set, n.Score))
	n.Verdict = verdict(n)
}

// solve looks for a win by continuous fours. Where it begins with the move that was played, that move wins; where another
// move begins it, the win was missed.
func (r *reviewer) solve(ctx context.Context, b *board.Board, played board.Cell, n *Note) {
	s := r.solved(r.engine.SolveVCF(ctx, b, r.limits.VCF))
	if !s.Win {
		return
	}
	if s.Line[0] == played {
		n.Score = winIn(s.Plies)
		return
	}
	if r.winsAfterReply(ctx, b, played, n, r.engine.SolveVCF, r.limits.VCF) {
		return
	}
	n.MissedVCF = s.Line
	if best := search.PliesToWin(n.BestScore); best <= 0 || best > s.Plies {
		n.Best, n.BestScore, n.Line = s.Line[0], winIn(s.Plies), s.Line
	}
}

// confirmations is the node limit for confirming that a move is bad, as a multiple of the limit for missed wins.
const confirmations = 5

// startsThreats reports whether the move starts a win by continuous threats, and notes its score then.
func (r *reviewer) startsThreats(ctx context.Context, b *board.Board, played board.Cell, n *Note) bool {
	nodes := confirmations * r.limits.VCF
	if s := r.solved(r.engine.SolveVCT(ctx, b, nodes)); s.Win && s.Line[0] == played {
		n.Score = winIn(s.Plies)
		return true
	}
	return r.winsAfterReply(ctx, b, played, n, r.engine.SolveVCT, nodes)
}

// winsAfterReply reports whether the move makes a four, and the solver wins after the only reply to it; it notes the score
// then.
func (r *reviewer) winsAfterReply(ctx context.Context, b *board.Board, played board.Cell, n *Note,
	solve func(context.Context, *board.Board, int64) search.Solution, nodes int64,
) bool {
	if b.Legal(played) != nil { // a foul, which ended the game
		return false
	}
	mover, next := b.SideToMove(), b.Clone()
	next.Play(played)
	if next.Outcome() != board.Ongoing || len(next.AtLeast(mover.Other(), pattern.CellFive, nil)) > 0 {
		return false
	}
	fives := next.AtLeast(mover, pattern.CellFive, nil)
	switch {
	case len(fives) == 0:
		return false
	case len(fives) > 1 || next.Legal(fives[0]) != nil:
		n.Score = winIn(3)
		return true
	}
	next.Play(fives[0])
	if next.Outcome() != board.Ongoing {
		return false
	}
	s := r.solved(solve(ctx, next, nodes))
	if s.Win {
		n.Score = winIn(s.Plies + 2)
	}
	return s.Win
}

// solved counts the nodes of a solution.
func (r *reviewer) solved(s search.Solution) search.Solution {
	r.review.Nodes += s.Nodes
	return s
}

// winIn returns the score of a win in a number of plies.
func winIn(plies int) int32 { return search.Win - int32(plies) }

// scoreAfter returns the mover's score of the position after the move, in plies from the move on.
func (r *reviewer) scoreAfter(b *board.Board, played board.Cell, after *search.Result) int32 {
	if after == nil {
		next := b.Clone()
		next.Play(played)
		switch {
		case next.Outcome() == board.WinFor(b.SideToMove()):
			return search.Win - 1
		case b.Legal(played) != nil: // forbidden
			return 1 - search.Win
		}
		return 0
	}
	return analysis.ScoreBefore(after.Score)
}

// verdict returns how bad the move was.
func verdict(n *Note) Verdict {
	before, now := search.PliesToWin(n.BestScore), search.PliesToWin(n.Score)
	switch {
	case n.Loss < leastLoss:
		return Fine
	case n.MissedVCF != nil, before > 0 && now <= 0, before == 0 && now < 0 && n.Loss >= inaccurateLoss, n.Loss >= blunderedLoss:
		return Blundered
	case n.Loss >= mistakenLoss:
		return Mistaken
	case n.Loss >= inaccurateLoss:
		return Inaccurate
	}
	return Fine
}
