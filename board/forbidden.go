package board

import "quintune/pattern"

// Foul is the reason why renju forbids a cell to Black.
type Foul uint8

const (
	NoFoul          Foul = iota
	FoulOverline         // six or more in a row
	FoulDoubleFour       // two fours, of one line or of two
	FoulDoubleThree      // two threes that can really become straight fours
)

// String returns "no foul", "overline", "double four" or "double three".
func (f Foul) String() string {
	return [...]string{"no foul", "overline", "double four", "double three"}[f]
}

// Forbidden reports whether renju forbids the empty cell to Black, whoever is to move. It is false under every
// other rule, for a cell that is not empty, and for a cell that makes five.
func (b *Board) Forbidden(c Cell) bool {
	return b.rule == pattern.Renju && b.forbids(c&cellMask, b.cells[c&cellMask])
}

// Foul returns the reason why Black may not play the empty cell, NoFoul where Forbidden is false. Of several
// reasons an overline comes first, then a double four.
func (b *Board) Foul(c Cell) Foul {
	switch {
	case !b.Forbidden(c):
		return NoFoul
	case b.Class(Black, c) != pattern.CellForbidden:
		return FoulDoubleThree
	}
	for d := range 4 {
		dx, dy := vector(d)
		if b.rowLength(c, dx, dy)+1+b.rowLength(c, -dx, -dy) > 5 {
			return FoulOverline
		}
	}
	return FoulDoubleFour
}

// AllForbidden appends to cells the cells that renju forbids to Black, by row, then column.
func (b *Board) AllForbidden(cells []Cell) []Cell {
	if b.rule != pattern.Renju {
		return cells
	}
	b.eachCell(func(c Cell) {
		if b.Forbidden(c) {
			cells = append(cells, c)
		}
	})
	return cells
}

// forbids reports whether renju forbids an empty cell to Black. s is the cell's state: the recursion puts stones
// into the lines only, so b.cells may be out of date.
//
// The class, which is kept incrementally, decides except for cells with several threes. Those follow the recursive
// definition of the rule.
func (b *Board) forbids(c Cell, s state) bool {
	switch s.entry(Black).Class() {
	case pattern.CellForbidden:
		return true
	case pattern.CellDoubleThree, pattern.CellFourThree:
	default:
		return false
	}
	b.setBits(c, pattern.BitsBlack)
	threes := 0
	for d := 0; d < 4 && threes < 2; d++ {
		if line := s.line(Black, d); (line == pattern.OpenThree || line == pattern.OpenThree2) && b.realThree(c, d) {
			threes++
		}
	}
	b.setBits(c, pattern.BitsEmpty)
	return threes >= 2
}

// realThree reports whether the three that Black's stone on c makes in a direction can become a straight four,
// by a move that is allowed and makes no five. The four has no gap, so the move is the first empty cell before
// or after the stone.
func (b *Board) realThree(c Cell, direction int) bool {
	line, slot := place(direction, c)
	word := b.lines[direction][line&63]
	for sign := -1; sign <= 1; sign += 2 {
		for i := sign; i*sign < 4; i += sign {
			stone := word >> (2 * (int(slot) + i)) & 3
			if stone == pattern.BitsBlack {
				continue
			}
			if q := Cell(int(c) + i*step[direction]); stone == pattern.BitsEmpty && b.makesStraightFour(q, direction) {
				return true
			}
			break
		}
	}
	return false
}

// makesStraightFour reports whether Black may play the empty cell, makes a straight four in the direction
// there, and five in no direction.
func (b *Board) makesStraightFour(c Cell, direction int) bool {
	s := b.classify(c)
	return s.line(Black, direction) == pattern.OpenFour && s.entry(Black).Class() != pattern.CellFive && !b.forbids(c, s)
}

// Stuck reports whether all empty cells are forbidden to Black, whoever is to move.
func (b *Board) Stuck() bool {
	n := &b.counts[Black]
	maybeForbidden := n[pattern.CellForbidden] + n[pattern.CellDoubleThree] + n[pattern.CellFourThree]
	return int(maybeForbidden) >= b.size*b.size-b.stones && len(b.AllForbidden(nil)) == b.size*b.size-b.stones
}

// vector returns the columns and rows of one step in a direction.
func vector(direction int) (dx, dy int) {
	return [4]int{1, 0, 1, -1}[direction], [4]int{0, 1, 1, 1}[direction]
}

// rowLength counts Black's stones in a row beside the cell.
func (b *Board) rowLength(c Cell, dx, dy int) (n int) {
	for x, y := c.X()+dx, c.Y()+dy; x >= 0 && y >= 0; x, y = x+dx, y+dy {
		if stone, ok := b.Stone(At(x, y)); !ok || stone != Black {
			break
		}
		n++
	}
	return n
}
