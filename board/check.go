package board

import (
	"fmt"

	"quintune/pattern"
)

// Check compares everything that is kept incrementally with a board rebuilt from the stones alone,
// the outcome with a look at every row, and fouls with the words of the rule. It returns nil, or an error that names the first difference. It
// is slow and meant for tests.
func (b *Board) Check() error {
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
	if want := b.PlainOutcome(); want != b.outcome {
		return fmt.Errorf("board: outcome is %v, want %v", b.outcome, want)
	}
	return b.checkCells(fresh)
}

func (b *Board) checkCells(fresh *Board) error {
	var counts [2]Counts
	var failed error
	b.eachCell(func(c Cell) {
		if got, want := b.Foul(c), b.PlainFoul(c); got != want {
			failed = fmt.Errorf("board: %v is judged %v for black, want %v", c, got, want)
		}
		want := occupied
		if _, ok := b.Stone(c); !ok {
			want = fresh.classify(c)
		}
		if b.cells[c] != want {
			failed = fmt.Errorf("board: the state of %v is %x, want %x", c, b.cells[c], want)
		}
		for colour := range counts {
			counts[colour][want.entry(Colour(colour)).Class()]++
		}
	})
	if failed == nil && counts != b.counts {
		failed = fmt.Errorf("board: cell class counts are %v, want %v", b.counts, counts)
	}
	return failed
}

// vector returns the columns and rows of one step in a direction.
func vector(direction int) (dx, dy int) {
	return [4]int{1, 0, 1, -1}[direction], [4]int{0, 1, 1, 1}[direction]
}

func (b *Board) inside(x, y int) bool { return x >= 0 && y >= 0 && x < b.size && y < b.size }

// PlainOutcome finds the outcome by looking at every row of stones and, where Black may have no move, at
// every cell: the plain twin of Outcome, slow and for tests. A foul that stands on the board decides
// nothing.
func (b *Board) PlainOutcome() Outcome {
	outcome := Ongoing
	if b.Full() || b.rule == pattern.Renju && b.side == Black && b.LastMove() != NoCell && b.plainlyStuck() {
		outcome = Draw
	}
	b.eachCell(func(c Cell) {
		colour, ok := b.Stone(c)
		if !ok {
			return
		}
		for d := range 4 {
			dx, dy := vector(d)
			if b.rowLength(c.X()-dx, c.Y()-dy, dx, dy, colour, 1) > 0 {
				continue // not the row's first stone
			}
			length := b.rowLength(c.X(), c.Y(), dx, dy, colour, MaxSize)
			if length == 5 || length > 5 && b.law(colour) == pattern.Free {
				outcome = WinFor(colour)
			}
		}
	})
	return outcome
}

func (b *Board) law(colour Colour) pattern.Law {
	if colour == Black {
		return b.rule.Black()
	}
	return b.rule.White()
}

// plainlyStuck is the plain twin of stuck.
func (b *Board) plainlyStuck() bool {
	for _, c := range b.AllEmpty(nil) {
		if b.PlainFoul(c) == NoFoul {
			return false
		}
	}
	return true
}

// rowLength counts the colour's stones from (x, y) on, at most limit.
func (b *Board) rowLength(x, y, dx, dy int, colour Colour, limit int) int {
	n := 0
	for ; n < limit && b.inside(x, y); n++ {
		stone, ok := b.Stone(At(x, y))
		if !ok || stone != colour {
			break
		}
		x, y = x+dx, y+dy
	}
	return n
}
