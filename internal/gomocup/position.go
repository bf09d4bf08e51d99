package gomocup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintune/board"
	"quintune/internal/swap2"
	"quintune/pattern"
)

// Stone is a stone on its cell.
type Stone struct {
	Colour board.Colour
	Cell   board.Cell
}

// Position is what a manager has put on the board. Stones stand in playing order where the manager
// gave it; colours need not alternate and their numbers may differ by any amount.
type Position struct {
	Size       int
	Rule       pattern.Rule
	Stones     []Stone
	SideToMove board.Colour
}

// Board returns the position on a fresh board with the right side to move (by a pass where the
// stones' order asks for one), or an error when a stone does not fit or ends the game.
func (p Position) Board() (*board.Board, error) {
	b, err := board.New(p.Size, p.Rule)
	if err != nil {
		return nil, err
	}
	return b, p.SetUp(b)
}

// attempts is how often SetUp begins anew before it gives up. Of 287 276 random orders of up to four crossing rows of six to
// nine stones under the standard rule, 23 850 needed a second attempt, 110 a third and none a fourth.
const attempts = 4

// SetUp is Board on a board that there is, of the position's size and rule. What was on it is removed. A stone that
// would end the game is put after others, since managers may send stones in another order than they were played in: five
// of six in a row win only while the sixth is missing. Where all that are left would end it, they are put first.
func (p Position) SetUp(b *board.Board) error {
	stones := slices.Clone(p.Stones)
	for range attempts {
		b.Reset()
		left, err := placeAll(b, stones)
		if err != nil {
			return fmt.Errorf("position: %w", err)
		}
		if len(left) == 0 {
			if b.SideToMove() != p.SideToMove {
				b.Pass()
			}
			if b.SideToMove() == board.Black && b.Stuck() {
				return errOver(board.Draw) // the board sees it after a stone of White, not where a stone of Black was the last
			}
			return nil
		}
		first := func(s Stone) bool { return slices.Contains(left, s) }
		stones = append(left, slices.DeleteFunc(stones, first)...)
	}
	b.Place(stones[0].Colour, stones[0].Cell)
	return errOver(b.Outcome())
}

func errOver(outcome board.Outcome) error {
	return fmt.Errorf("position: the game is over (%v)", outcome)
}

// placeAll puts stones on an empty board, in any order, and returns those that would each end the game beside the others.
func placeAll(b *board.Board, stones []Stone) (left []Stone, err error) {
	left = slices.Clone(stones)
	for ending := 0; ending < len(left); { // number of stones at the end of the list that end the game as it stands
		s := left[0]
		left = left[1:]
		if err := b.Vacant(s.Cell); err != nil {
			return nil, err
		}
		b.Place(s.Colour, s.Cell)
		if b.Outcome() == board.Ongoing {
			ending = 0
			continue
		}
		b.Undo()
		left = append(left, s)
		ending++
	}
	return left, nil
}

// at returns the index of the stone on the cell, -1 when there is none.
func (p *Position) at(c board.Cell) int {
	return slices.IndexFunc(p.Stones, func(s Stone) bool { return s.Cell == c })
}

// put adds a stone of the side to move.
func (p *Position) put(c board.Cell) error {
	if p.at(c) >= 0 {
		return fmt.Errorf("%s is occupied", formatCell(c))
	}
	p.Stones = append(p.Stones, Stone{p.SideToMove, c})
	p.SideToMove = p.SideToMove.Other()
	return nil
}

// putChosen is put for a cell that the engine chose, which may be any.
func (p *Position) putChosen(c board.Cell) error {
	if !c.On(p.Size) {
		return errors.New("the engine chose no cell of the board")
	}
	if err := p.put(c); err != nil {
		return fmt.Errorf("the engine chose an illegal move: %w", err)
	}
	return nil
}

// take removes the stone on the cell; its colour is then to move.
func (p *Position) take(c board.Cell) error {
	i := p.at(c)
	if i < 0 {
		return fmt.Errorf("%s holds no stone", formatCell(c))
	}
	p.SideToMove = p.Stones[i].Colour
	p.Stones = slices.Delete(p.Stones, i, i+1)
	return nil
}

func (p *Position) full() bool { return len(p.Stones) >= p.Size*p.Size }

// copied returns the position with stones of its own.
func (p Position) copied() Position {
	p.Stones = slices.Clone(p.Stones)
	return p
}

// Swap2Engine is an Engine that can choose under the swap2 rule.
type Swap2Engine interface {
	// Swap2 chooses for a position of no, three or five stones. Context, limits and report are as
	// in Engine.Think.
	Swap2(ctx context.Context, p Position, l Limits, report func(line string)) (swap2.Choice, error)
}

// formatChoice returns the answer to SWAP2BOARD as the protocol writes it.
func formatChoice(c swap2.Choice) string {
	if c.Swap {
		return "SWAP"
	}
	moves := make([]string, len(c.Moves))
	for i, m := range c.Moves {
		moves[i] = formatCell(m)
	}
	return strings.Join(moves, " ")
}

// checkChoice returns an error when the choice is not one for the position.
func checkChoice(p Position, c swap2.Choice) error {
	phase, err := swap2.PhaseWith(len(p.Stones))
	if err == nil {
		err = c.Check(phase)
	}
	if err != nil {
		return err
	}
	p = p.copied()
	for _, m := range c.Moves {
		if err := p.putChosen(m); err != nil {
			return err
		}
	}
	return nil
}
