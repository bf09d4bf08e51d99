package gomocup

import (
	"fmt"

	"quintune/board"
)

// block is BOARD, YXBOARD or SWAP2BOARD while its lines come in.
type block struct {
	kind   string
	opened command
	size   int
	lines  []blockLine
	dead   bool  // a cell of it is dead
	err    error // the first
}

// blockLine is one stone: who owns it, 1 the engine, 2 the opponent; 0 where the kind does not say.
type blockLine struct {
	cell  board.Cell
	owner int
}

// Owners of a stone in BOARD.
const (
	ours   = 1
	theirs = 2
	dead   = 3 // a cell out of play; no manager of today sends it
)

func (s *session) openBlock(c command) {
	s.block = &block{kind: c.name, opened: c, size: s.pos.Size}
	if s.pos.Size == 0 {
		s.block.err = errNoBoard
	}
}

// add takes one line of the block.
func (b *block) add(c command) {
	if b.err == nil {
		b.err = b.parse(c)
	}
}

func (b *block) parse(c command) error {
	if c.long {
		return fmt.Errorf("%s: a line is longer than %d bytes", b.kind, maxLine)
	}
	numbers := 3
	if b.kind == "SWAP2BOARD" {
		numbers = 2
	}
	v, err := parseInts(c.text, numbers)
	if err != nil {
		return fmt.Errorf("%s: %w", b.kind, err)
	}
	line := blockLine{}
	if line.cell, err = cellAt(v[0], v[1], b.size); err != nil {
		return fmt.Errorf("%s: %w", b.kind, err)
	}
	if numbers == 3 {
		line.owner = v[2]
		switch line.owner {
		case ours, theirs:
		case dead:
			b.dead = true
			return nil
		default:
			return fmt.Errorf("%s: %q is of owner %d, not 1, 2 or 3", b.kind, c.text, line.owner)
		}
	}
	for _, other := range b.lines {
		if other.cell == line.cell {
			return fmt.Errorf("%s: %s comes twice", b.kind, formatCell(line.cell))
		}
	}
	b.lines = append(b.lines, line)
	return nil
}

// closeBlock replaces the position and asks for what the block asks for. A block that is refused
// leaves the position as it was.
func (s *session) closeBlock() {
	b := s.block
	s.block = nil
	err := b.err
	if err == nil {
		err = s.ready()
	}
	next := s.pos
	if err == nil {
		next.Stones, next.SideToMove = b.position()
		_, err = next.Board()
	}
	if err != nil {
		s.out.refuse(err)
		return
	}
	if b.dead {
		s.out.line("MESSAGE %s: dead cells are ignored, a move may go there", b.kind)
	}
	switch b.kind {
	case "BOARD":
		s.pos = next
		s.thinkMove(b.opened)
	case "YXBOARD":
		s.pos = next
	case "SWAP2BOARD":
		s.swap2(b.opened, next)
	}
}

// position returns the stones of the block with their colours, and the side to move.
func (b *block) position() (stones []Stone, toMove board.Colour) {
	if b.kind == "SWAP2BOARD" {
		return b.alternating()
	}
	return b.owned()
}

// alternating returns the stones of SWAP2BOARD: Black's and White's in turn.
func (b *block) alternating() (stones []Stone, toMove board.Colour) {
	for i, line := range b.lines {
		stones = append(stones, Stone{board.Colour(i & 1), line.cell})
	}
	return stones, board.Colour(len(stones) & 1)
}

// owned returns the stones of BOARD with their colours. The engine is to move: it is White where
// the opponent has more stones, else Black.
func (b *block) owned() (stones []Stone, toMove board.Colour) {
	count := [3]int{}
	for _, line := range b.lines {
		count[line.owner]++
	}
	if count[theirs] > count[ours] {
		toMove = board.White
	}
	for _, line := range b.lines {
		colour := toMove
		if line.owner == theirs {
			colour = toMove.Other()
		}
		stones = append(stones, Stone{colour, line.cell})
	}
	return stones, toMove
}
