package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"quintune/board"
	"quintune/pattern"
)

// SetLine makes moves the line of the game and goes to the position after ply of them: another variation. What is known of
// the positions that both lines share stays. It is an error, and nothing changes, where a move is illegal, ply is outside
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
	b, err := g.Position(0)
	if err != nil {
		return err
	}
	for i, m := range moves {
		if err := b.Legal(m); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		b.Play(m)
	}
	for b.Ply() > ply {
		b.Undo()
	}
	g.board, g.line = b, slices.Clone(moves)
	g.judged = append(g.judged[:shared+1], make([]Judgement, len(moves)-shared)...)
	g.elapsed = append(g.elapsed[:shared], make([]time.Duration, len(moves)-shared)...)
	return nil
}

// Arrange returns moves, Black first and colours in turn, that lead to the stones. It is an error where the numbers of
// stones do not allow it, the stones make a row that wins, or Black would have to move onto a forbidden cell.
func Arrange(size int, rule pattern.Rule, black, white []board.Cell) ([]board.Cell, error) {
	b, err := board.New(size, rule)
	if err != nil {
		return nil, err
	}
	if n := len(black) - len(white); n < 0 || n > 1 {
		return nil, fmt.Errorf("there are %d black and %d white stones: Black has the same number as White, or one more", len(black), len(white))
	}
	left := [2][]board.Cell{slices.Clone(black), slices.Clone(white)}
	for range len(black) + len(white) {
		stones := left[b.SideToMove()]
		i := slices.IndexFunc(stones, func(c board.Cell) bool { return b.Legal(c) == nil })
		if i < 0 {
			return nil, b.Legal(stones[0])
		}
		c := stones[i]
		left[b.SideToMove()] = slices.Delete(stones, i, i+1)
		b.Play(c)
		if o := b.Outcome(); o == board.BlackWins || o == board.WhiteWins {
			return nil, fmt.Errorf("the stones make a row that wins: %v", o)
		}
	}
	return b.Moves(), nil
}
