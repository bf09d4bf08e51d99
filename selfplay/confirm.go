package selfplay

import (
	"context"
	"fmt"

	"quintune/board"
)

// The node limit of a winner that plays out its proof is multiplied until it sees the win. Both numbers are chosen, not measured.
const (
	moreThought    = 8   // by this factor each time
	longestThought = 512 // greatest multiple of the batch's limit
)

// Confirm continues a game of two of our engines that a proven win ended, and reports whether the side with the
// proof wins on the board. Both sides play with the batch's limit; the winner gets more nodes where it sees no
// win. A game that ended on the board, or in a draw, counts as confirmed.
func Confirm(ctx context.Context, batch *Batch, pairing *Pairing, games *[2]Game, index int) (holds bool, err error) {
	g := &games[index]
	if !g.Adjudicated || g.Outcome == board.Draw {
		return true, nil
	}
	b, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		return false, err
	}
	for _, c := range g.Moves {
		b.Play(c)
	}
	sets := [2]int{pairing.A, pairing.B}
	if index == 1 {
		sets = [2]int{pairing.B, pairing.A}
	}
	var players [2]*Engine
	for colour, side := range sets {
		set := batch.Contestants[side].Weights
		if set == nil {
			return false, fmt.Errorf("selfplay: contestant %d has no weights to play on with", side)
		}
		if players[colour], err = NewEngine(set, batch.Size, batch.Rule, batch.Nodes, 0); err != nil {
			return false, err
		}
	}
	for b.Outcome() == board.Ongoing {
		mover := b.SideToMove()
		reply, err := players[mover].moveToWin(ctx, b, board.WinFor(mover) == g.Outcome, batch.Nodes)
		if err != nil {
			return false, err
		}
		b.Play(reply.Move)
	}
	return b.Outcome() == g.Outcome, nil
}

// moveToWin is Move, repeated with greater limits until the winner sees a win.
func (e *Engine) moveToWin(ctx context.Context, position *board.Board, winner bool, nodes int64) (reply Reply, err error) {
	for times := int64(1); times <= longestThought; times *= moreThought {
		e.limits.Nodes = nodes * times
		reply, err = e.Move(ctx, position)
		if err != nil || !winner || reply.Claim > 0 {
			break
		}
	}
	return reply, err
}
