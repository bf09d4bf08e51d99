// Package board holds a Gomoku position: rules, stones, play and undo, and the classes of each empty
// cell for both colours, kept incrementally.
//
// A stone changes only the lines through its cell, and in them only the cells within the rule's
// reach. Each line of the board is one word of two bits a cell, so that the surroundings of a
// cell are one shift away from the index of package pattern's tables.
package board

import (
	"errors"
	"fmt"

	"quintune/pattern"
)

// Outcome is the state of a game: ongoing, or how it has ended.
type Outcome uint8

const (
	Ongoing Outcome = iota
	BlackWins
	WhiteWins
	Draw // the board is full, or in renju Black is to move and all empty cells are forbidden
)

// String returns "ongoing", "black wins", "white wins" or "draw".
func (o Outcome) String() string {
	return [...]string{"ongoing", "black wins", "white wins", "draw"}[o]
}

// WinFor returns the outcome in which the colour wins.
func WinFor(c Colour) Outcome { return BlackWins + Outcome(c) }

// state holds the classes of an empty cell: four 16-bit fields, from the lowest: black's four line
// classes (four bits each, in the order of directions), white's, black's pattern.Entry, white's.
type state uint64

// occupied is the state of a cell that holds a stone.
const occupied = state(pattern.OccupiedEntry)<<32 | state(pattern.OccupiedEntry)<<48

func (s state) entry(c Colour) pattern.Entry { return pattern.Entry(s >> (32 + 16*(c&1))) }

func (s state) line(c Colour, direction int) pattern.LineClass {
	return pattern.LineClass(s >> (16*uint(c&1) + 4*uint(direction)) & 15)
}

// Change is a cell whose pattern entries a move has changed, or the played cell itself.
type Change struct {
	Cell Cell
	old  state
	now  state
}

// Old returns the colour's entry before the move.
func (c *Change) Old(colour Colour) pattern.Entry { return c.old.entry(colour) }

// Now returns the colour's entry after the move; pattern.OccupiedEntry for the played cell.
func (c *Change) Now(colour Colour) pattern.Entry { return c.now.entry(colour) }

// ply holds what Undo restores.
type ply struct {
	cell    Cell // NoCell for a pass
	side    Colour
	outcome Outcome
	changes int // length of Board.changes before the move
	hash    uint64
	counts  [2]Counts
}

// Counts is [pattern.CellClass]: the number of cells of the class. Occupied cells count as pattern.CellNone.
type Counts [16]int16

// Board is a position with its history. It is not safe for concurrent use; distinct boards are
// independent.
type Board struct {
	size    int
	rule    pattern.Rule
	side    Colour
	outcome Outcome
	stones  int
	hash    uint64

	tables   *pattern.Tables
	reach    uint64                   // mask: the lower bit of each slot within reach of a stone in slot ten
	combined [2]*pattern.Combinations // [colour]

	counts  [2]Counts
	lines   [4][64]uint64 // [direction][line]: two bits a cell, pattern's coding, slots of five walls around it
	cells   [numCells]state
	taken   [stride]uint32 // [row]: one bit for each column, set where a stone stands
	on      uint32         // mask: one bit for each column of the board
	plies   []ply
	changes []Change
}

// New returns an empty board, or an error that names the bound when the size is outside
// [MinSize, MaxSize] or the rule is unknown.
func New(size int, rule pattern.Rule) (*Board, error) {
	if size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("board size is %d, outside [%d, %d]", size, MinSize, MaxSize)
	}
	if rule >= pattern.NumRules {
		return nil, fmt.Errorf("board: %v is not played", rule)
	}
	b := &Board{
		size: size, rule: rule, on: 1<<size - 1,
		tables:   pattern.TablesFor(rule),
		combined: [2]*pattern.Combinations{rule.Black().Combined(), rule.White().Combined()},
		plies:    make([]ply, 0, size*size),
		changes:  make([]Change, 0, size*size*8*rule.Reach()/2),
	}
	for i := 10 - rule.Reach(); i <= 10+rule.Reach(); i++ {
		b.reach |= 1 << (2 * i)
	}
	b.Reset()
	return b, nil
}

// Reset empties the board; nothing is allocated.
func (b *Board) Reset() {
	b.side, b.outcome, b.stones, b.hash = Black, Ongoing, 0, 0
	b.plies, b.changes = b.plies[:0], b.changes[:0]
	b.counts = [2]Counts{}
	b.taken = [stride]uint32{}
	for d := range b.lines {
		for l := range b.lines[d] {
			b.lines[d][l] = ^uint64(0)
		}
	}
	for i := range b.cells {
		b.cells[i] = occupied
	}
	b.eachCell(func(c Cell) { b.setBits(c, pattern.BitsEmpty) })
	b.eachCell(func(c Cell) {
		b.cells[c] = b.classify(c)
		for colour := range b.counts {
			b.counts[colour][b.Class(Colour(colour), c)]++
		}
	})
}

func (b *Board) eachCell(visit func(Cell)) {
	for y := range b.size {
		for x := range b.size {
			visit(At(x, y))
		}
	}
}

// Size returns the number of cells on a side.
func (b *Board) Size() int { return b.size }

// Rule returns the rule.
func (b *Board) Rule() pattern.Rule { return b.rule }

// SideToMove returns the colour that plays next.
func (b *Board) SideToMove() Colour { return b.side }

// Stones returns the number of stones on the board.
func (b *Board) Stones() int { return b.stones }

// Ply returns the number of moves played, passes included.
func (b *Board) Ply() int { return len(b.plies) }

// Outcome returns the state of the game.
func (b *Board) Outcome() Outcome { return b.outcome }

// Hash returns the Zobrist key of stones and side to move.
func (b *Board) Hash() uint64 {
	if b.side == White {
		return b.hash ^ sideKey
	}
	return b.hash
}

// Moves returns a copy of the moves played so far, without passes.
func (b *Board) Moves() []Cell {
	moves := make([]Cell, 0, len(b.plies))
	for i := range b.plies {
		if b.plies[i].cell != NoCell {
			moves = append(moves, b.plies[i].cell)
		}
	}
	return moves
}

// LastMove returns the last move; NoCell at the start and after a pass.
func (b *Board) LastMove() Cell { return b.MoveBack(1) }

// MoveBack returns the move played n plies ago, 1 being the last; NoCell for a pass and before the first move. It panics for n
// below 1.
func (b *Board) MoveBack(n int) Cell {
	if n > len(b.plies) {
		return NoCell
	}
	return b.plies[len(b.plies)-n].cell
}

// Empty reports whether the cell is on the board and holds no stone.
func (b *Board) Empty(c Cell) bool {
	return c.On(b.size) && b.taken[c/stride]>>(c%stride)&1 == 0
}

// Stone returns the colour of the stone on the cell; ok is false where there is none.
func (b *Board) Stone(c Cell) (colour Colour, ok bool) {
	if c.On(b.size) {
		line, slot := place(0, c)
		switch b.lines[0][line] >> (2 * slot) & 3 {
		case pattern.BitsBlack:
			return Black, true
		case pattern.BitsWhite:
			return White, true
		}
	}
	return Black, false
}

// Entry returns the colour's entry of an empty cell, as if the colour played there. For an occupied cell
// it is pattern.OccupiedEntry.
func (b *Board) Entry(colour Colour, c Cell) pattern.Entry { return b.cells[c&cellMask].entry(colour) }

// Class returns the colour's cell class of an empty cell; pattern.CellNone for an occupied one.
func (b *Board) Class(colour Colour, c Cell) pattern.CellClass { return b.Entry(colour, c).Class() }

// Line returns the class of one line through an empty cell for a colour; direction is 0 for the
// row, 1 for the column, 2 for the falling and 3 for the rising diagonal.
func (b *Board) Line(colour Colour, direction int, c Cell) pattern.LineClass {
	return b.cells[c&cellMask].line(colour, direction)
}

// Counts returns the number of cells of each cell class for a colour; occupied cells count as pattern.CellNone. It
// points into the board: it is read only, and changes with the next move.
func (b *Board) Counts(colour Colour) *Counts { return &b.counts[colour&1] }

// Quiet reports whether neither colour can make a five or an open four at once.
func (b *Board) Quiet() bool {
	for i := range b.counts {
		if b.counts[i][pattern.CellFive] > 0 || b.counts[i][pattern.CellOpenFour] > 0 {
			return false
		}
	}
	return true
}

// Errors of Legal.
var (
	ErrOutside   = errors.New("the cell is outside the board")
	ErrOccupied  = errors.New("the cell is occupied")
	ErrGameOver  = errors.New("the game is over")
	ErrForbidden = errors.New("the cell is forbidden for black")
)

// Legal returns nil when the side to move may play the cell; otherwise the reason, which wraps one
// of the errors above and names the cell. For a foul of renju it wraps ErrForbidden and names the foul.
func (b *Board) Legal(c Cell) error {
	if err := b.Vacant(c); err != nil || b.side != Black {
		return err
	}
	if foul := b.Foul(c); foul != NoFoul {
		return fmt.Errorf("%v: %w (%v)", c, ErrForbidden, foul)
	}
	return nil
}

// Vacant returns nil when a stone of either colour can be put on the cell, forbidden or not, as in
// positions that are set up. Otherwise it returns the reason as Legal does.
func (b *Board) Vacant(c Cell) error {
	switch {
	case !c.On(b.size):
		return fmt.Errorf("%v on a board of size %d: %w", c, b.size, ErrOutside)
	case !b.Empty(c):
		return fmt.Errorf("%v: %w", c, ErrOccupied)
	case b.outcome != Ongoing:
		return fmt.Errorf("%v: %w (%v)", c, ErrGameOver, b.outcome)
	}
	return nil
}

// Full reports whether every cell holds a stone.
func (b *Board) Full() bool { return b.stones == b.size*b.size }
