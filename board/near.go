package board

import (
	"math/bits"

	"quintune/pattern"
)

// Near appends to cells the empty cells near the stones, by row, then column. A cell is near a stone if it is
// within two rows and columns of it, or three cells away on one of its four lines. On an empty board only the
// centre is near.
//
// It is computed on demand from the bits of the rows. That costs less than counting neighbours at each move,
// since leaves of the search do not need it.
func (b *Board) Near(cells []Cell) []Cell {
	if b.stones == 0 {
		return append(cells, At(b.size/2, b.size/2))
	}
	const margin = 3
	var wide, row [MaxSize + 2*margin]uint32
	for y := range b.size {
		r := b.taken[y]
		row[y+margin] = r
		wide[y+margin] = r | r<<1 | r>>1 | r<<2 | r>>2
	}
	for y := range b.size {
		i := y + margin
		near := wide[i-2] | wide[i-1] | wide[i] | wide[i+1] | wide[i+2] |
			row[i]<<3 | row[i]>>3 | spread(row[i-3]) | spread(row[i+3])
		for near &= b.on &^ row[i]; near != 0; near &= near - 1 {
			cells = append(cells, At(bits.TrailingZeros32(near), y))
		}
	}
	return cells
}

// spread returns the columns that a row's stones reach in the row three above or below.
func spread(row uint32) uint32 { return row | row<<3 | row>>3 }

// AllEmpty appends to cells the empty cells, by row, then column.
func (b *Board) AllEmpty(cells []Cell) []Cell {
	for y := range b.size {
		for empty := b.on &^ b.taken[y]; empty != 0; empty &= empty - 1 {
			cells = append(cells, At(bits.TrailingZeros32(empty), y))
		}
	}
	return cells
}

// AtLeast appends to cells the empty cells that have the given class or a stronger one for the colour, by row,
// then column. It stops when all of them are found.
func (b *Board) AtLeast(colour Colour, class pattern.CellClass, cells []Cell) []Cell {
	if class == pattern.CellNone { // the class of stones, too
		return b.AllEmpty(cells)
	}
	left := 0
	for _, n := range b.counts[colour&1][class:] {
		left += int(n)
	}
	for y := 0; left > 0 && y < b.size; y++ {
		row := b.cells[y*stride : y*stride+b.size]
		for x := range row {
			if row[x].entry(colour).Class() >= class {
				cells = append(cells, At(x, y))
				left--
			}
		}
	}
	return cells
}

// LineThrough appends to cells the empty cells on the line through c in a direction (as in Line)
// that are within the rule's reach, c not included. A step across the edge of the board's array leads to a column or row
// beyond the greatest board, which is not empty.
func (b *Board) LineThrough(c Cell, direction int, cells []Cell) []Cell {
	reach := b.rule.Reach()
	for i := -reach; i <= reach; i++ {
		if at := Cell(int(c)+i*step[direction]) & cellMask; i != 0 && b.Empty(at) {
			cells = append(cells, at)
		}
	}
	return cells
}
