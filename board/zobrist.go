package board

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
