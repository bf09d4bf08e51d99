package gomocup

import (
	"fmt"

	"quintune/board"
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
	for _, s := range p.Stones {
		if err := b.Vacant(s.Cell); err != nil {
			return nil, fmt.Errorf("position: %w", err)
		}
		b.Place(s.Colour, s.Cell)
	}
	if b.Outcome() != board.Ongoing {
		return nil, fmt.Errorf("position: the game is over (%v)", b.Outcome())
	}
	if b.SideToMove() != p.SideToMove {
		b.Pass()
	}
	return b, nil
}

// at returns the index of the stone on the cell, -1 when there is none.
func (p *Position) at(c board.Cell) int {
	for i, s := range p.Stones {
		if s.Cell == c {
			return i
		}
	}
	return -1
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

// take removes the stone on the cell; its colour is then to move.
func (p *Position) take(c board.Cell) error {
	i := p.at(c)
	if i < 0 {
		return fmt.Errorf("%s holds no stone", formatCell(c))
	}
	p.SideToMove = p.Stones[i].Colour
	p.Stones = append(p.Stones[:i], p.Stones[i+1:]...)
	return nil
}

func (p *Position) full() bool { return len(p.Stones) >= p.Size*p.Size }

// copied returns the position with stones of its own.
func (p *Position) copied() Position {
	c := *p
	c.Stones = append([]Stone(nil), p.Stones...)
	return c
}
