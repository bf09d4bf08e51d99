package board_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

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
