//go:build !long

package puzzle

// plainStep is which puzzles of TestUnique are checked: every fourth.
const plainStep = 4
