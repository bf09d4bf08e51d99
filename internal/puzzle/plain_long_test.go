//go:build long

package puzzle

// plainStep is which puzzles of TestUnique are checked: each.
const plainStep = 1
