package board

import "slices"

// Clone returns a copy of the position with its history, independent of the board.
func (b *Board) Clone() *Board {
	c := *b
	c.plies, c.changes = slices.Clone(b.plies), slices.Clone(b.changes)
	return &c
}
