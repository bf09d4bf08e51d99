package session

import (
	"context"
	"fmt"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/swap2"
)

// Question is what an engine is asked when it is its turn. It shares nothing with the game, so that it may be
// answered in another goroutine.
type Question struct {
	Seat     Seat
	Position *board.Board
	Game     uint64
	Opening  bool // a choice under swap2 is wanted, not a move
}

// Answer is what an engine does.
type Answer struct {
	Thought Thought      // thought behind its move
	Choice  swap2.Choice // in an opening, where Thought is empty
	Opening bool
}

// Ask returns the question for the seat whose turn it is, which must be an engine's.
func (g *Game) Ask() Question {
	return Question{Seat: g.Turn(), Position: g.board.Clone(), Game: g.ID, Opening: g.Opening() != NoOpening}
}

// Answer thinks about the question. When ctx ends the error is the context's.
func (t *Thinker) Answer(ctx context.Context, q Question) (a Answer, err error) {
	if a.Opening = q.Opening; a.Opening {
		a.Choice, err = t.Open(ctx, q.Seat, q.Position, q.Game)
	} else {
		a.Thought, err = t.Move(ctx, q.Seat, q.Position, q.Game)
	}
	return a, err
}

// Apply carries out the answer of the engine whose turn it is, and notes its judgement. After an error, which names
// the engine, the moves before the wrong one stay on the board.
func (g *Game) Apply(a Answer) error {
	seat, ply := g.Turn(), g.Ply()
	var err error
	if a.Opening {
		err = g.applyChoice(a.Choice)
	} else {
		err = g.Play(a.Thought.Move)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", seat.Name(), err)
	}
	if a.Opening {
		return nil
	}
	if a.Thought.Scored {
		g.Eval(ply, seat.Player.Weights, a.Thought.Score, a.Thought.Depth)
		g.noted[ply].Score, g.noted[ply].Win = analysis.Written(a.Thought.Score)
	}
	g.Spent(a.Thought.Elapsed)
	return nil
}
