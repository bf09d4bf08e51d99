package board_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// check compares what the board keeps incrementally, the outcome and the forbidden cells with the same computed
// from the stones.
func check(b *board.Board) error {
	if err := b.CheckState(); err != nil {
		return err
	}
	if got, want := b.Outcome(), boardtest.Outcome(b); got != want {
		return fmt.Errorf("outcome is %v, want %v", got, want)
	}
	for _, c := range boardtest.Cells(b.Size()) {
		if got, want := b.Foul(c), boardtest.Foul(b, c); got != want {
			return fmt.Errorf("the foul of %v is %v, want %v", c, got, want)
		}
	}
	return nil
}

func TestNewRefusesBadSizesAndRules(t *testing.T) {
	for _, size := range []int{-1, 0, board.MinSize - 1, board.MaxSize + 1, 1 << 20} {
		if _, err := board.New(size, pattern.Freestyle); err == nil {
			t.Errorf("size %d is accepted", size)
		}
	}
	if _, err := board.New(15, pattern.Rule(200)); err == nil {
		t.Error("an unknown rule is accepted")
	}
	for size := board.MinSize; size <= board.MaxSize; size++ {
		for rule := range pattern.Rule(pattern.NumRules) {
			if err := check(boardtest.New(t, size, rule)); err != nil {
				t.Errorf("%v %d: %v", rule, size, err)
			}
		}
	}
}

// The classes of all lines equal those of the recursive definition, applied to the stones.
func TestLinesEqualRecursiveDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for game := range 8 {
		b := boardtest.New(t, board.MinSize+rng.IntN(board.MaxSize-board.MinSize+1), pattern.Rule(game%pattern.NumRules))
		boardtest.PlayRandom(b, rng, 24)
		for _, c := range boardtest.Cells(b.Size()) {
			for d := 0; d < 8 && b.Empty(c); d++ {
				if got, want := b.Line(board.Colour(d&1), d/2, c), boardtest.Line(b, board.Colour(d&1), d/2, c); got != want {
					t.Fatalf("%s: %v %v direction %d is %v, want %v", board.FormatMoves(b.Moves()), c, board.Colour(d&1), d/2, got, want)
				}
			}
		}
	}
}

func TestLegal(t *testing.T) {
	b := boardtest.New(t, 15, pattern.Freestyle)
	b.Play(board.At(7, 7))
	for _, test := range []struct {
		name string
		cell board.Cell
		want error
	}{
		{"occupied", board.At(7, 7), board.ErrOccupied},
		{"right of the board", board.At(15, 0), board.ErrOutside},
		{"below the board", board.At(0, 15), board.ErrOutside},
		{"no cell", board.NoCell, board.ErrOutside},
		{"first corner", board.At(0, 0), nil},
		{"last corner", board.At(14, 14), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := b.Legal(test.cell); !errors.Is(got, test.want) {
				t.Errorf("%v: %v, want %v", test.cell, got, test.want)
			}
		})
	}
}

func TestHashDependsOnStonesAndSideOnly(t *testing.T) {
	a, b := boardtest.New(t, 15, pattern.Freestyle), boardtest.New(t, 15, pattern.Freestyle)
	one, _ := board.ParseMoves("h8a1i9b2")
	two, _ := board.ParseMoves("i9b2h8a1")
	for i := range one {
		a.Play(one[i])
		b.Play(two[i])
	}
	if a.Hash() != b.Hash() {
		t.Error("a transposition has another hash")
	}
	b.Undo()
	if a.Hash() == b.Hash() {
		t.Error("different positions have one hash")
	}
}

func TestNotation(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"one move", "h8", "h8"}, {"moves", "h8i9g10", "h8i9g10"}, {"blanks", " a1 \n v22 ", "a1v22"}, {"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			moves, err := board.ParseMoves(test.text)
			if err != nil || board.FormatMoves(moves) != test.want {
				t.Errorf("%q: %s, %v, want %s", test.text, board.FormatMoves(moves), err, test.want)
			}
		})
	}
	for _, bad := range []string{"h", "8h", "h0", "h08", "w1", "a23", "H8", "h8x", "h8,i9", "h99999999999999999999"} {
		if moves, err := board.ParseMoves(bad); err == nil {
			t.Errorf("%q is read as %s", bad, board.FormatMoves(moves))
		}
	}
	if _, err := board.ParseCell("h8i9"); err == nil {
		t.Error("two cells are read as one")
	}
	if c := board.At(7, 9); c.X() != 7 || c.Y() != 9 || c.String() != "h10" || board.NoCell.String() != "-" {
		t.Errorf("At(7, 9) is %v (%d, %d) and NoCell %v, want h10 (7, 9) and -", c, c.X(), c.Y(), board.NoCell)
	}
}

func TestSymmetries(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		size := board.MinSize + rng.IntN(board.MaxSize-board.MinSize+1)
		b := boardtest.New(t, size, pattern.Freestyle)
		boardtest.PlayRandom(b, rng, 8)
		moves := b.Moves()
		keys := map[uint64]bool{}
		for s := range board.NumSymmetries {
			images := boardtest.Transform(moves, s, size)
			keys[board.CanonicalKey(images, size)] = true
			turned := boardtest.New(t, size, pattern.Freestyle)
			for _, m := range images {
				turned.Play(m)
			}
			if counts(turned) != counts(b) {
				t.Fatalf("symmetry %d changes the counts", s)
			}
			for _, c := range boardtest.Cells(b.Size()) {
				for colour := board.Black; colour <= board.White; colour++ {
					if turned.Entry(colour, c.Transform(s, size)) != b.Entry(colour, c) {
						t.Fatalf("symmetry %d: %v has another entry", s, c)
					}
				}
			}
		}
		if len(keys) != 1 {
			t.Errorf("%d canonical keys for one position", len(keys))
		}
	}
	if board.CanonicalKey([]board.Cell{board.At(7, 7), board.At(8, 7)}, 15) == board.CanonicalKey([]board.Cell{board.At(7, 7), board.At(8, 8)}, 15) {
		t.Error("direct and indirect openings share a canonical key")
	}
}

func FuzzBoard(f *testing.F) {
	f.Add([]byte{15, 0, 7, 7, 8, 8, 255, 7, 8})
	f.Add([]byte{5, 1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4})
	f.Add([]byte{22, 1, 21, 21, 20, 20, 255, 255, 10, 10})
	f.Add([]byte{10, 2, 6, 7, 0, 0, 8, 7, 14, 14, 7, 6, 0, 14, 7, 8, 14, 0, 7, 7, 9, 9}) // a double three is tried
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		b := boardtest.New(t, board.MinSize+int(data[0])%(board.MaxSize-board.MinSize+1), pattern.Rule(data[1])%pattern.NumRules)
		for i := 2; i+1 < len(data); i += 2 {
			switch c := board.At(int(data[i])%board.MaxSize, int(data[i+1])%board.MaxSize); {
			case data[i] == 255 && b.Ply() > 0:
				b.Undo()
			case data[i] == 254:
				b.Pass()
			case b.Legal(c) == nil:
				b.Play(c)
			}
		}
		if err := check(b); err != nil {
			t.Fatalf("%s: %v", board.FormatMoves(b.Moves()), err)
		}
	})
}

func TestQuiet(t *testing.T) {
	position, err := board.New(15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"h8i9g7":            true,
		"h8a1i8o1":          true,  // open two
		"h8a1i8o1j8":        false, // open three of Black
		"a1h8o1i8o15j8a15":  false, // open three of White
		"h8g8i8o1j8a1":      true,  // closed three
		"h8g8i8o1j8a1k8":    false, // four
		"h8a1i8o1k8":        false, // split three
		"a1b2c3a2e7b7d9":    true,
		"a1b1a2b5a3o15a5o1": false, // split four
		"a1b1a2b5a3o15":     true,  // three at the edge
		"h8a1j8o1l8a15":     true,  // too wide
	} {
		t.Run(text, func(t *testing.T) {
			moves, err := board.ParseMoves(text)
			if err != nil {
				t.Fatal(err)
			}
			position.Reset()
			for _, m := range moves {
				position.Play(m)
			}
			if got := position.Quiet(); got != want {
				t.Errorf("%s: quiet %v, want %v", text, got, want)
			}
		})
	}
}
