package session

import (
	"errors"
	"fmt"
	"slices"

	"quintune/board"
	"quintune/internal/record"
)

// SetLine makes moves the line of the game and goes to the position after ply of them: another variation, all of which belongs to the
// game then. What is known of the positions that both lines share stays. It is an error, and nothing changes, where a move is illegal, ply is outside
// [0, len(moves)], or the sides under swap2 are not settled in the shared part.
func (g *Game) SetLine(moves []board.Cell, ply int) error {
	if g.Opening() != NoOpening {
		return errors.New("swap2: the line stays until the sides are settled")
	}
	if ply < 0 || ply > len(moves) {
		return fmt.Errorf("ply %d is outside [0, %d]", ply, len(moves))
	}
	shared := 0
	for shared < min(len(moves), len(g.line)) && moves[shared] == g.line[shared] {
		shared++
	}
	if min(shared, ply) < g.lowest() {
		return errBelow
	}
	b := g.after(0)
	for i, m := range moves {
		if err := b.Legal(m); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		b.Play(m)
	}
	for b.Ply() > ply {
		b.Undo()
	}
	if shared == len(moves) { // no other line: undone moves stay undone
		g.length = max(ply, min(g.length, len(moves)))
	} else {
		g.length = len(moves)
	}
	g.board, g.line = b, slices.Clone(moves)
	g.judged = append(g.judged[:shared+1], make([]Judgement, len(moves)-shared)...)
	g.noted = append(g.noted[:shared], make([]record.Move, len(moves)-shared)...)
	return nil
}
