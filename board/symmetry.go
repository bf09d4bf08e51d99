package board

import "slices"

// NumSymmetries counts the rotations and reflections of a square.
const NumSymmetries = 8

// Transform returns the cell's image under symmetry s, in [0, NumSymmetries), of a board of the
// given size: bit 0 mirrors left and right, bit 1 top and bottom, then bit 2 swaps x and y.
// 0 is the identity.
func (c Cell) Transform(s, size int) Cell {
	x, y := c.X(), c.Y()
	if s&1 != 0 {
		x = size - 1 - x
	}
	if s&2 != 0 {
		y = size - 1 - y
	}
	if s&4 != 0 {
		x, y = y, x
	}
	return At(x, y)
}

// TransformAll returns the images of all moves under symmetry s.
func TransformAll(moves []Cell, s, size int) []Cell {
	images := make([]Cell, len(moves))
	for i, m := range moves {
		images[i] = m.Transform(s, size)
	}
	return images
}

// CanonicalKey returns a key of the position that the moves lead to, Black first and colours
// alternating: equal for the same stones in any order and under the eight symmetries of a board
// of the given size.
func CanonicalKey(moves []Cell, size int) uint64 {
	keys := make([]uint64, NumSymmetries)
	for s := range keys {
		for ply, m := range moves {
			keys[s] ^= stoneKey(Colour(ply&1), m.Transform(s, size))
		}
	}
	return slices.Min(keys)
}
