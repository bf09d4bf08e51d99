package selfplay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintune/board"
	"quintune/pattern"
)

// play plays one game from the opening. players are indexed by colour. It returns an error only when ctx is done
// or the opening is illegal; a player's fault is part of the game.
func play(ctx context.Context, b *board.Board, players [2]Player, pairing *Pairing, playOut bool) (Game, error) {
	if err := begin(b, pairing.Opening); err != nil {
		return Game{}, err
	}
	var g Game
	for colour, p := range players {
		if err := p.NewGame(pairing.Seed + uint64(colour)); err != nil {
			return fault(g, b, board.Colour(colour), err), ctx.Err()
		}
	}
	for b.Outcome() == board.Ongoing {
		if !playOut && Hopeless(b) {
			g.Outcome, g.Adjudicated, g.Moves = board.Draw, true, b.Moves()
			return g, nil
		}
		mover := b.SideToMove()
		reply, err := players[mover].Move(ctx, b)
		if ctx.Err() != nil {
			return Game{}, ctx.Err()
		}
		if err == nil {
			err = b.Legal(reply.Move)
		}
		if errors.Is(err, board.ErrForbidden) {
			b.Play(reply.Move) // a forbidden move is recorded as played, and loses
		}
		if err != nil {
			return fault(g, b, mover, err), nil
		}
		g.Nodes += reply.Nodes
		g.clock(b.Ply(), reply.Took)
		if reply.Claim != 0 && !playOut {
			return adjudicate(g, b, mover, reply), nil
		}
		b.Play(reply.Move)
	}
	g.Outcome, g.Moves = b.Outcome(), b.Moves()
	return g, nil
}

// begin puts the position after the opening on the board.
func begin(b *board.Board, opening []board.Cell) error {
	b.Reset()
	for _, m := range opening {
		if err := b.Legal(m); err != nil {
			return fmt.Errorf("selfplay: opening %s: %w", board.FormatMoves(opening), err)
		}
		b.Play(m)
	}
	return nil
}

// clock records the time of the move with the index, where a clock runs.
func (g *Game) clock(index int, took time.Duration) {
	if took == 0 {
		return
	}
	g.Times = append(g.Times, make([]time.Duration, index+1-len(g.Times))...)
	g.Times[index] = took
}

// fault ends the game as a loss for the side that failed.
func fault(g Game, b *board.Board, side board.Colour, err error) Game {
	g.Outcome, g.Fault, g.Faulty = board.WinFor(side.Other()), err, side
	g.Moves = b.Moves()
	return g
}

// adjudicate ends the game by the proof of the side to move, unless its move ends it otherwise.
func adjudicate(g Game, b *board.Board, mover board.Colour, reply Reply) Game {
	b.Play(reply.Move)
	winner := mover
	if reply.Claim < 0 {
		winner = mover.Other()
	}
	g.Outcome, g.Moves = b.Outcome(), b.Moves()
	if g.Outcome == board.Ongoing {
		g.Outcome, g.Adjudicated = board.WinFor(winner), true
	}
	return g
}

// Hopeless reports whether no five is possible any more: every line through every empty cell is dead
// for both colours.
func Hopeless(b *board.Board) bool {
	dead := pattern.Free.Combined().EntryOf(pattern.Dead, pattern.Dead, pattern.Dead, pattern.Dead)
	for y := range b.Size() {
		for x := range b.Size() {
			c := board.At(x, y)
			if b.Empty(c) && (b.Entry(board.Black, c) != dead || b.Entry(board.White, c) != dead) {
				return false
			}
		}
	}
	return true
}
