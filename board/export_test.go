package board

import (
	"fmt"

	"quintune/pattern"
)

// States is what a board keeps of its cells, for comparisons.
type States [numCells]state

// States returns what the board keeps of its cells.
func (b *Board) States() States { return b.cells }

// States returns the cell's state before and after the move.
func (c *Change) States() (old, now state) { return c.old, c.now }

// CheckState compares everything that is kept incrementally, except the outcome, with a board rebuilt from
// the stones alone. It returns nil, or an error that names the first difference.
func (b *Board) CheckState() error {
	fresh, err := New(b.size, b.rule)
	if err != nil {
		return err
	}
	var hash uint64
	stones := 0
	b.eachCell(func(c Cell) {
		if colour, ok := b.Stone(c); ok {
			stones++
			hash ^= stoneKey(colour, c)
			fresh.setBits(c, pattern.BitsBlack+uint64(colour))
		}
	})
	switch {
	case hash != b.hash:
		return fmt.Errorf("board: hash is %x, want %x", b.hash, hash)
	case stones != b.stones:
		return fmt.Errorf("board: %d stones counted, %d stand there", b.stones, stones)
	case fresh.lines != b.lines:
		return fmt.Errorf("board: the lines differ from those of the stones")
	}
	var counts [2]Counts
	b.eachCell(func(c Cell) {
		want := occupied
		if _, ok := b.Stone(c); !ok {
			want = fresh.classify(c)
		}
		if b.cells[c] != want {
			err = fmt.Errorf("board: the state of %v is %x, want %x", c, b.cells[c], want)
		}
		for colour := range counts {
			counts[colour][want.entry(Colour(colour)).Class()]++
		}
	})
	if err == nil && counts != b.counts {
		err = fmt.Errorf("board: cell class counts are %v, want %v", b.counts, counts)
	}
	return err
}
