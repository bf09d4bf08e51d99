package board

import "slices"

// The keys of Zobrist hashing (A. L. Zobrist, A New Hashing Method with Application for Game
// Playing, 1970): the same on every machine, so that hashes may be stored.
var zobrist = func() (keys [2][numCells]uint64) {
	state := uint64(0)
	for colour := range keys {
		for c := range keys[colour] {
			keys[colour][c] = splitMix(&state)
		}
	}
	return keys
}()

// sideKey is part of a position's key when White is to move.
const sideKey uint64 = 0x9d39247e33776d41

// splitMix advances the state and returns the next number (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, 2014).
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func stoneKey(colour Colour, c Cell) uint64 { return zobrist[colour&1][c&cellMask] }

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
