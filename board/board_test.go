package board_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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

func counts(b *board.Board) [2]board.Counts {
	return [2]board.Counts{*b.Counts(board.Black), *b.Counts(board.White)}
}

func TestPlayAndUndoKeepEverything(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for game := range 60 {
		size := board.MinSize + rng.IntN(board.MaxSize-board.MinSize+1)
		rule := pattern.Rule(game % pattern.NumRules)
		b := boardtest.New(t, size, rule)
		type snapshot struct {
			hash    uint64
			states  board.States
			counts  [2]board.Counts
			outcome board.Outcome
		}
		var before []snapshot
		for ply := 0; b.Outcome() == board.Ongoing && ply < 60; ply++ {
			before = append(before, snapshot{b.Hash(), b.States(), counts(b), b.Outcome()})
			boardtest.PlayRandom(b, rng, 1)
			if err := check(b); err != nil {
				t.Fatalf("%v %d after %s: %v", rule, size, board.FormatMoves(b.Moves()), err)
			}
		}
		for len(before) > 0 {
			want := before[len(before)-1]
			before = before[:len(before)-1]
			b.Undo()
			if b.Hash() != want.hash || b.States() != want.states || counts(b) != want.counts || b.Outcome() != want.outcome {
				t.Fatalf("%v %d: undo after %s does not restore the position", rule, size, board.FormatMoves(b.Moves()))
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

func TestChangedListsExactlyWhatChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for game := range 40 {
		b := boardtest.New(t, 15, pattern.Rule(game%pattern.NumRules))
		for range 40 {
			old := b.States()
			boardtest.PlayRandom(b, rng, 1)
			if b.Ply() == 0 || b.Outcome() != board.Ongoing {
				break
			}
			states, changed := b.States(), map[board.Cell]bool{}
			for _, ch := range b.Changed() {
				if changed[ch.Cell] {
					t.Fatalf("%v is listed twice", ch.Cell)
				}
				changed[ch.Cell] = true
				if before, now := ch.States(); before != old[ch.Cell] || now != states[ch.Cell] {
					t.Fatalf("%v: change %x to %x, on the board %x to %x", ch.Cell, before, now, old[ch.Cell], states[ch.Cell])
				}
			}
			if b.Changed()[0].Cell != b.LastMove() {
				t.Fatalf("the first change is %v, the move was %v", b.Changed()[0].Cell, b.LastMove())
			}
			for _, c := range boardtest.Cells(b.Size()) {
				if (old[c] != states[c]) != changed[c] {
					t.Fatalf("%v: listed %v, differs %v", c, changed[c], old[c] != states[c])
				}
			}
		}
	}
}

func TestOutcomes(t *testing.T) {
	for _, test := range []struct {
		name, moves string
		rule        pattern.Rule
		want        board.Outcome
	}{
		{"row", "a1a2b1b2c1c2d1d2e1", pattern.Freestyle, board.BlackWins},
		{"white's row", "o15a2b1b2c1c2d1d2h8e2", pattern.Freestyle, board.WhiteWins},
		{"overline", "a1a3b1b3c1c3e1e3f1g8d1", pattern.Freestyle, board.BlackWins},
		{"overline where five wins", "a1a3b1b3c1c3e1e3f1g8d1", pattern.Standard, board.Ongoing},
		{"five where five wins", "a1a3b1b3c1c3e1g3g8g9d1", pattern.Standard, board.BlackWins},
		{"five beside a stone", "a1b1a2c1a3d1a4e1o15f1", pattern.Standard, board.WhiteWins},
		{"falling diagonal", "a1b2a5c3d8d4e9e5o15f6", pattern.Freestyle, board.WhiteWins},
		{"rising diagonal", "e1a9d2a8c3a7b4h8a5", pattern.Freestyle, board.BlackWins},
		{"empty board", "", pattern.Freestyle, board.Ongoing},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.New(t, 15, test.rule)
			for _, m := range boardtest.Moves(t, test.moves) {
				if err := b.Legal(m); err != nil {
					t.Fatalf("%s: %v", test.moves, err)
				}
				b.Play(m)
			}
			if b.Outcome() != test.want {
				t.Errorf("%v %s: %v, want %v", test.rule, test.moves, b.Outcome(), test.want)
			}
			if err := check(b); err != nil {
				t.Errorf("%v %s: %v", test.rule, test.moves, err)
			}
			if test.want != board.Ongoing && !errors.Is(b.Legal(board.At(7, 13)), board.ErrGameOver) {
				t.Errorf("%s: a move after the end is legal", test.moves)
			}
		})
	}
}

// Under the standard rule exactly five in one direction wins, even if the stone makes an overline in another.
func TestStandardFiveBesideOverline(t *testing.T) {
	b := boardtest.New(t, 15, pattern.Standard)
	for _, c := range boardtest.Moves(t, "a1b1c1e1f1d2d3d4d5d1") {
		b.Place(board.Black, c)
	}
	if got := b.Outcome(); got != board.BlackWins {
		t.Errorf("outcome is %v, want %v", got, board.BlackWins)
	}
}

func TestFullBoardIsADraw(t *testing.T) {
	b := boardtest.New(t, 5, pattern.Freestyle)
	// pairs of columns in turn, the rows alternating, so that no five arises
	for _, c := range b.AllEmpty(nil) {
		b.Place(board.Colour((c.X()/2+c.Y())%2), c)
	}
	if b.Outcome() != board.Draw || !b.Full() {
		t.Errorf("outcome is %v, full %v, want %v and true", b.Outcome(), b.Full(), board.Draw)
	}
	if err := check(b); err != nil {
		t.Error(err)
	}
	if got := b.AllEmpty(nil); len(got) != 0 {
		t.Errorf("%d empty cells on a full board", len(got))
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

func TestPassGivesTheMoveAway(t *testing.T) {
	b := boardtest.New(t, 15, pattern.Freestyle)
	b.Play(board.At(7, 7))
	hash := b.Hash()
	b.Pass()
	if b.SideToMove() != board.Black || b.Hash() == hash || len(b.Changed()) != 0 || b.LastMove() != board.NoCell {
		t.Errorf("after a pass: %v to move, %d changes, last move %v", b.SideToMove(), len(b.Changed()), b.LastMove())
	}
	b.Play(board.At(8, 8))
	if got := board.FormatMoves(b.Moves()); got != "h8i9" {
		t.Errorf("moves are %s, want h8i9", got)
	}
	if err := check(b); err != nil {
		t.Error(err)
	}
	b.Undo()
	b.Undo()
	if b.SideToMove() != board.White || b.Hash() != hash {
		t.Error("undoing the pass does not restore side and hash")
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

func TestPlayAllocatesNothing(t *testing.T) {
	for rule := range pattern.Rule(pattern.NumRules) {
		b := boardtest.New(t, 15, rule)
		boardtest.PlayRandom(b, rand.New(rand.NewPCG(9, 10)), 20)
		cells := b.Near(make([]board.Cell, 0, 512))
		if n := testing.AllocsPerRun(100, func() {
			for _, c := range cells {
				b.Forbidden(c)
				b.Play(c)
				b.Undo()
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations", rule, n)
		}
	}
}

func TestCloneIsIndependent(t *testing.T) {
	b := boardtest.New(t, 15, 0)
	moves := boardtest.Moves(t, "h8i9h9g7")
	for _, m := range moves {
		b.Play(m)
	}
	hash := b.Hash()
	c := b.Clone()
	if c.Hash() != hash || board.FormatMoves(c.Moves()) != "h8i9h9g7" || *c.Counts(board.White) != *b.Counts(board.White) {
		t.Errorf("the copy is another position: %s", board.FormatMoves(c.Moves()))
	}
	for range 4 {
		c.Undo()
	}
	c.Play(board.At(0, 0))
	if b.Hash() != hash || !b.Empty(board.At(0, 0)) || board.FormatMoves(b.Moves()) != "h8i9h9g7" {
		t.Errorf("playing on the copy changes the board: %s", board.FormatMoves(b.Moves()))
	}
	b.Undo()
	b.Play(moves[3])
	if b.Hash() != hash {
		t.Error("the board cannot take back after it was copied")
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

// midGame returns a position of thirty stones and the cells near them.
func midGame(b *testing.B, rule pattern.Rule) (*board.Board, []board.Cell) {
	position := boardtest.New(b, 15, rule)
	for _, m := range boardtest.Moves(b, "h8i9i8g8h7j8h9h10g7i7f7g6f8e9f6f9e5d4e7d7g9f10i11j10h11j9k9h6e10d11") {
		if err := position.Legal(m); err != nil {
			b.Fatal(err)
		}
		position.Play(m)
	}
	return position, position.Near(nil)
}

func BenchmarkPlayUndo(b *testing.B) {
	for rule := range pattern.Rule(pattern.NumRules) {
		b.Run(rule.String(), func(b *testing.B) {
			position, cells := midGame(b, rule)
			changes := 0
			i := 0
			for b.Loop() {
				position.Play(cells[i])
				changes += len(position.Changed())
				position.Undo()
				if i++; i == len(cells) {
					i = 0
				}
			}
			b.ReportMetric(float64(changes)/float64(b.N), "changes/move")
		})
	}
}

func BenchmarkNear(b *testing.B) {
	position, cells := midGame(b, pattern.Freestyle)
	for b.Loop() {
		cells = position.Near(cells[:0])
	}
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
