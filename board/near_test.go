package board_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

func TestNearAgreesWithDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		b := boardtest.New(t, board.MinSize+rng.IntN(board.MaxSize-board.MinSize+1), pattern.Freestyle)
		for range 1 + rng.IntN(12) {
			all := b.AllEmpty(nil)
			b.Play(all[rng.IntN(len(all))])
			if b.Outcome() != board.Ongoing {
				break
			}
		}
		var want []board.Cell
		for _, c := range boardtest.Cells(b.Size()) {
			near := false
			for _, s := range boardtest.Cells(b.Size()) {
				dx, dy := max(c.X()-s.X(), s.X()-c.X()), max(c.Y()-s.Y(), s.Y()-c.Y())
				onLine := dx == 0 || dy == 0 || dx == dy
				if _, ok := b.Stone(s); ok && (max(dx, dy) <= 2 || max(dx, dy) == 3 && onLine) {
					near = true
				}
			}
			if near && b.Empty(c) {
				want = append(want, c)
			}
		}
		if got := b.Near(nil); !slices.Equal(got, want) {
			t.Fatalf("size %d, %s: near is %s, want %s", b.Size(), board.FormatMoves(b.Moves()), board.FormatMoves(got), board.FormatMoves(want))
		}
	}
	if got := boardtest.New(t, 15, pattern.Freestyle).Near(nil); len(got) != 1 || got[0] != board.At(7, 7) {
		t.Errorf("near on an empty board is %v, want h8", got)
	}
}

func BenchmarkNear(b *testing.B) {
	position, cells := midGame(b, pattern.Freestyle)
	for b.Loop() {
		cells = position.Near(cells[:0])
	}
}

// TestAtLeast compares the list with the class of every empty cell. From the weakest class on it has all of them, and no stone.
func TestAtLeast(t *testing.T) {
	for rule := range pattern.Rule(pattern.NumRules) {
		b := boardtest.New(t, 9, rule)
		for _, c := range boardtest.Moves(t, "e5f5e6f6d4") {
			b.Play(c)
		}
		for class := range pattern.CellClass(pattern.NumCells) {
			for _, colour := range []board.Colour{board.Black, board.White} {
				want := slices.DeleteFunc(b.AllEmpty(nil), func(c board.Cell) bool { return b.Class(colour, c) < class })
				if got := b.AtLeast(colour, class, nil); !slices.Equal(got, want) {
					t.Errorf("%v, %v for %v: %v, want %v", rule, class, colour, got, want)
				}
			}
		}
	}
}

// TestLineThrough walks the lines of the greatest board from every cell: no step leads across an edge.
func TestLineThrough(t *testing.T) {
	steps := [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}
	for rule := range pattern.Rule(pattern.NumRules) {
		position, err := board.New(board.MaxSize, rule)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range position.AllEmpty(nil) {
			for d, step := range steps {
				var want []board.Cell
				for i := -rule.Reach(); i <= rule.Reach(); i++ {
					x, y := c.X()+i*step[0], c.Y()+i*step[1]
					if i != 0 && min(x, y) >= 0 && max(x, y) < board.MaxSize {
						want = append(want, board.At(x, y))
					}
				}
				if got := position.LineThrough(c, d, nil); !slices.Equal(got, want) {
					t.Fatalf("%v, direction %d from %v: %v, want %v", rule, d, c, got, want)
				}
			}
		}
	}
}
