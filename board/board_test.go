package board

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/pattern"
)

func mustNew(t testing.TB, size int, rule pattern.Rule) *Board {
	t.Helper()
	b, err := New(size, rule)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// playRandom plays up to n random legal moves near the stones.
func playRandom(b *Board, rng *rand.Rand, n int) {
	var cells []Cell
	for range n {
		cells = b.Near(cells[:0])
		if b.Outcome() != Ongoing || len(cells) == 0 {
			return
		}
		b.Play(cells[rng.IntN(len(cells))])
	}
}

func TestNewRefusesBadSizesAndRules(t *testing.T) {
	for _, size := range []int{-1, 0, MinSize - 1, MaxSize + 1, 1 << 20} {
		if _, err := New(size, pattern.Freestyle); err == nil {
			t.Errorf("size %d is accepted", size)
		}
	}
	if _, err := New(15, pattern.Rule(200)); err == nil {
		t.Error("an unknown rule is accepted")
	}
	for size := MinSize; size <= MaxSize; size++ {
		for rule := range pattern.Rule(pattern.NumRules) {
			if err := mustNew(t, size, rule).Check(); err != nil {
				t.Errorf("%v %d: %v", rule, size, err)
			}
		}
	}
}

func TestPlayAndUndoKeepEverything(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for game := range 60 {
		size := MinSize + rng.IntN(MaxSize-MinSize+1)
		rule := pattern.Rule(game % pattern.NumRules)
		b := mustNew(t, size, rule)
		type snapshot struct {
			hash    uint64
			cells   [numCells]state
			counts  [2]Counts
			outcome Outcome
		}
		var before []snapshot
		for ply := 0; b.Outcome() == Ongoing && ply < 60; ply++ {
			before = append(before, snapshot{b.Hash(), b.cells, b.counts, b.Outcome()})
			playRandom(b, rng, 1)
			if err := b.Check(); err != nil {
				t.Fatalf("%v %d after %s: %v", rule, size, FormatMoves(b.Moves()), err)
			}
		}
		for len(before) > 0 {
			want := before[len(before)-1]
			before = before[:len(before)-1]
			b.Undo()
			if b.Hash() != want.hash || b.cells != want.cells || b.counts != want.counts || b.Outcome() != want.outcome {
				t.Fatalf("%v %d: undo after %s does not restore the position", rule, size, FormatMoves(b.Moves()))
			}
		}
	}
}

// plainLine classifies one line through an empty cell by pattern's recursive definition.
func (b *Board) plainLine(colour Colour, direction int, c Cell) pattern.LineClass {
	dx, dy := vector(direction)
	reach := b.law(colour).Reach()
	line := make([]pattern.Square, 2*reach+1)
	for i := range line {
		x, y := c.X()+(i-reach)*dx, c.Y()+(i-reach)*dy
		line[i] = pattern.Opponent
		if b.inside(x, y) {
			stone, ok := b.Stone(At(x, y))
			switch {
			case !ok:
				line[i] = pattern.Empty
			case stone == colour:
				line[i] = pattern.Own
			}
		}
	}
	line[reach] = pattern.Own
	return pattern.Classify(b.law(colour), line)
}

// The board packs its lines for the tables; here every line is read off the stones instead.
func TestLinesEqualRecursiveDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for game := range 8 {
		b := mustNew(t, MinSize+rng.IntN(MaxSize-MinSize+1), pattern.Rule(game%pattern.NumRules))
		playRandom(b, rng, 24)
		b.eachCell(func(c Cell) {
			for d := 0; d < 8 && b.Empty(c); d++ {
				if got, want := b.Line(Colour(d&1), d/2, c), b.plainLine(Colour(d&1), d/2, c); got != want {
					t.Fatalf("%s: %v %v direction %d is %v, want %v", FormatMoves(b.Moves()), c, Colour(d&1), d/2, got, want)
				}
			}
		})
	}
}

func TestChangedListsExactlyWhatChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for game := range 40 {
		b := mustNew(t, 15, pattern.Rule(game%pattern.NumRules))
		for range 40 {
			old := b.cells
			playRandom(b, rng, 1)
			if b.Ply() == 0 || b.Outcome() != Ongoing {
				break
			}
			changed := map[Cell]bool{}
			for _, ch := range b.Changed() {
				if changed[ch.Cell] {
					t.Fatalf("%v is listed twice", ch.Cell)
				}
				changed[ch.Cell] = true
				if ch.old != old[ch.Cell] || ch.now != b.cells[ch.Cell] {
					t.Fatalf("%v: change %x to %x, board says %x to %x", ch.Cell, ch.old, ch.now, old[ch.Cell], b.cells[ch.Cell])
				}
			}
			if b.Changed()[0].Cell != b.LastMove() {
				t.Fatalf("the first change is %v, the move was %v", b.Changed()[0].Cell, b.LastMove())
			}
			b.eachCell(func(c Cell) {
				if (old[c] != b.cells[c]) != changed[c] {
					t.Fatalf("%v: listed %v, differs %v", c, changed[c], old[c] != b.cells[c])
				}
			})
		}
	}
}

func TestOutcomes(t *testing.T) {
	for _, test := range []struct {
		rule  pattern.Rule
		moves string
		want  Outcome
	}{
		{pattern.Freestyle, "a1a2b1b2c1c2d1d2e1", BlackWins},
		{pattern.Freestyle, "o15a2b1b2c1c2d1d2h8e2", WhiteWins},
		{pattern.Freestyle, "a1a3b1b3c1c3e1e3f1g8d1", BlackWins},
		{pattern.Standard, "a1a3b1b3c1c3e1e3f1g8d1", Ongoing},
		{pattern.Standard, "a1a3b1b3c1c3e1g3g8g9d1", BlackWins},
		{pattern.Standard, "a1b1a2c1a3d1a4e1o15f1", WhiteWins},
		{pattern.Freestyle, "a1b2a5c3d8d4e9e5o15f6", WhiteWins},
		{pattern.Freestyle, "e1a9d2a8c3a7b4h8a5", BlackWins},
		{pattern.Freestyle, "", Ongoing},
	} {
		b := mustNew(t, 15, test.rule)
		moves, err := ParseMoves(test.moves)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			if err := b.Legal(m); err != nil {
				t.Fatalf("%s: %v", test.moves, err)
			}
			b.Play(m)
		}
		if b.Outcome() != test.want {
			t.Errorf("%v %s: %v, want %v", test.rule, test.moves, b.Outcome(), test.want)
		}
		if err := b.Check(); err != nil {
			t.Errorf("%v %s: %v", test.rule, test.moves, err)
		}
		if test.want != Ongoing && !errors.Is(b.Legal(At(7, 13)), ErrGameOver) {
			t.Errorf("%s: a move after the end is legal", test.moves)
		}
	}
}

// An exact five in one direction wins under standard though another direction is an overline.
func TestStandardFiveBesideOverline(t *testing.T) {
	b := mustNew(t, 15, pattern.Standard)
	for _, m := range []string{"a1", "b1", "c1", "e1", "f1", "d2", "d3", "d4", "d5"} {
		c, err := ParseCell(m)
		if err != nil {
			t.Fatal(err)
		}
		b.Place(Black, c)
	}
	b.Place(Black, At(3, 0))
	if b.Outcome() != BlackWins {
		t.Errorf("outcome is %v", b.Outcome())
	}
}

func TestFullBoardIsADraw(t *testing.T) {
	b := mustNew(t, 5, pattern.Freestyle)
	// pairs of columns in turn, the rows alternating, so that no five arises
	for _, c := range b.AllEmpty(nil) {
		b.Place(Colour((c.X()/2+c.Y())%2), c)
	}
	if b.Outcome() != Draw || !b.Full() {
		t.Errorf("outcome is %v, full %v", b.Outcome(), b.Full())
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	if got := b.AllEmpty(nil); len(got) != 0 {
		t.Errorf("%d empty cells on a full board", len(got))
	}
}

func TestLegal(t *testing.T) {
	b := mustNew(t, 15, pattern.Freestyle)
	b.Play(At(7, 7))
	for _, test := range []struct {
		cell Cell
		want error
	}{
		{At(7, 7), ErrOccupied},
		{At(15, 0), ErrOutside},
		{At(0, 15), ErrOutside},
		{NoCell, ErrOutside},
		{At(0, 0), nil},
		{At(14, 14), nil},
	} {
		if got := b.Legal(test.cell); !errors.Is(got, test.want) {
			t.Errorf("%v: %v, want %v", test.cell, got, test.want)
		}
	}
}

func TestPassGivesTheMoveAway(t *testing.T) {
	b := mustNew(t, 15, pattern.Freestyle)
	b.Play(At(7, 7))
	hash := b.Hash()
	b.Pass()
	if b.SideToMove() != Black || b.Hash() == hash || len(b.Changed()) != 0 || b.LastMove() != NoCell {
		t.Errorf("after a pass: %v to move, %d changes, last move %v", b.SideToMove(), len(b.Changed()), b.LastMove())
	}
	b.Play(At(8, 8))
	if got := FormatMoves(b.Moves()); got != "h8i9" {
		t.Errorf("moves are %s", got)
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	b.Undo()
	b.Undo()
	if b.SideToMove() != White || b.Hash() != hash {
		t.Error("undoing the pass does not restore side and hash")
	}
}

func TestHashDependsOnStonesAndSideOnly(t *testing.T) {
	a, b := mustNew(t, 15, pattern.Freestyle), mustNew(t, 15, pattern.Freestyle)
	one, _ := ParseMoves("h8a1i9b2")
	two, _ := ParseMoves("i9b2h8a1")
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
		b := mustNew(t, MinSize+rng.IntN(MaxSize-MinSize+1), pattern.Freestyle)
		for range 1 + rng.IntN(12) {
			all := b.AllEmpty(nil)
			b.Play(all[rng.IntN(len(all))])
			if b.Outcome() != Ongoing {
				break
			}
		}
		var want []Cell
		b.eachCell(func(c Cell) {
			near := false
			b.eachCell(func(s Cell) {
				dx, dy := max(c.X()-s.X(), s.X()-c.X()), max(c.Y()-s.Y(), s.Y()-c.Y())
				onLine := dx == 0 || dy == 0 || dx == dy
				if _, ok := b.Stone(s); ok && (max(dx, dy) <= 2 || max(dx, dy) == 3 && onLine) {
					near = true
				}
			})
			if near && b.Empty(c) {
				want = append(want, c)
			}
		})
		if got := b.Near(nil); !slices.Equal(got, want) {
			t.Fatalf("size %d, %s: near is %s, want %s", b.Size(), FormatMoves(b.Moves()), FormatMoves(got), FormatMoves(want))
		}
	}
	if got := mustNew(t, 15, pattern.Freestyle).Near(nil); len(got) != 1 || got[0] != At(7, 7) {
		t.Errorf("near on an empty board is %v", got)
	}
}

func TestNotation(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"h8", "h8"}, {"h8i9g10", "h8i9g10"}, {" a1 \n v22 ", "a1v22"}, {"", ""},
	} {
		moves, err := ParseMoves(test.text)
		if err != nil || FormatMoves(moves) != test.want {
			t.Errorf("%q: %s, %v", test.text, FormatMoves(moves), err)
		}
	}
	for _, bad := range []string{"h", "8h", "h0", "h08", "w1", "a23", "H8", "h8x", "h8,i9", "h99999999999999999999"} {
		if moves, err := ParseMoves(bad); err == nil {
			t.Errorf("%q is read as %s", bad, FormatMoves(moves))
		}
	}
	if _, err := ParseCell("h8i9"); err == nil {
		t.Error("two cells are read as one")
	}
	if c := At(7, 9); c.X() != 7 || c.Y() != 9 || c.String() != "h10" || NoCell.String() != "-" {
		t.Errorf("At(7, 9) is %v (%d, %d)", c, c.X(), c.Y())
	}
}

func TestSymmetries(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		size := MinSize + rng.IntN(MaxSize-MinSize+1)
		b := mustNew(t, size, pattern.Freestyle)
		playRandom(b, rng, 8)
		moves := b.Moves()
		keys := map[uint64]bool{}
		for s := range NumSymmetries {
			images := TransformAll(moves, s, size)
			keys[CanonicalKey(images, size)] = true
			turned := mustNew(t, size, pattern.Freestyle)
			for _, m := range images {
				turned.Play(m)
			}
			if turned.counts != b.counts {
				t.Fatalf("symmetry %d changes the counts", s)
			}
			b.eachCell(func(c Cell) {
				for colour := Black; colour <= White; colour++ {
					if turned.Entry(colour, c.Transform(s, size)) != b.Entry(colour, c) {
						t.Fatalf("symmetry %d: %v has another entry", s, c)
					}
				}
			})
		}
		if len(keys) != 1 {
			t.Errorf("%d canonical keys for one position", len(keys))
		}
	}
	if CanonicalKey([]Cell{At(7, 7), At(8, 7)}, 15) == CanonicalKey([]Cell{At(7, 7), At(8, 8)}, 15) {
		t.Error("direct and indirect openings share a canonical key")
	}
}

func TestPlayAllocatesNothing(t *testing.T) {
	for rule := range pattern.Rule(pattern.NumRules) {
		b := mustNew(t, 15, rule)
		playRandom(b, rand.New(rand.NewPCG(9, 10)), 20)
		cells := b.Near(make([]Cell, 0, 512))
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

func FuzzBoard(f *testing.F) {
	f.Add([]byte{15, 0, 7, 7, 8, 8, 255, 7, 8})
	f.Add([]byte{5, 1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4})
	f.Add([]byte{22, 1, 21, 21, 20, 20, 255, 255, 10, 10})
	f.Add([]byte{10, 2, 6, 7, 0, 0, 8, 7, 14, 14, 7, 6, 0, 14, 7, 8, 14, 0, 7, 7, 9, 9}) // a double three is tried
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		b := mustNew(t, MinSize+int(data[0])%(MaxSize-MinSize+1), pattern.Rule(data[1])%pattern.NumRules)
		for i := 2; i+1 < len(data); i += 2 {
			switch c := At(int(data[i])%MaxSize, int(data[i+1])%MaxSize); {
			case data[i] == 255 && b.Ply() > 0:
				b.Undo()
			case data[i] == 254:
				b.Pass()
			case b.Legal(c) == nil:
				b.Play(c)
			}
		}
		if err := b.Check(); err != nil {
			t.Fatalf("%s: %v", FormatMoves(b.Moves()), err)
		}
	})
}

// midGame returns a position of thirty stones and the cells near them.
func midGame(b *testing.B, rule pattern.Rule) (*Board, []Cell) {
	moves, err := ParseMoves("h8i9i8g8h7j8h9h10g7i7f7g6f8e9f6f9e5d4e7d7g9f10i11j10h11j9k9h6e10d11")
	if err != nil {
		b.Fatal(err)
	}
	board := mustNew(b, 15, rule)
	for _, m := range moves {
		if err := board.Legal(m); err != nil {
			b.Fatal(err)
		}
		board.Play(m)
	}
	return board, board.Near(nil)
}

func BenchmarkPlayUndo(b *testing.B) {
	for rule := range pattern.Rule(pattern.NumRules) {
		b.Run(rule.String(), func(b *testing.B) {
			board, cells := midGame(b, rule)
			changes := 0
			i := 0
			for b.Loop() {
				board.Play(cells[i])
				changes += len(board.Changed())
				board.Undo()
				if i++; i == len(cells) {
					i = 0
				}
			}
			b.ReportMetric(float64(changes)/float64(b.N), "changes/move")
		})
	}
}

func BenchmarkNear(b *testing.B) {
	board, cells := midGame(b, pattern.Freestyle)
	for b.Loop() {
		cells = board.Near(cells[:0])
	}
}
