package board

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"quintune/pattern"
)

// setUp returns a board with the stones of the moves, colours alternating, fouls and all.
func setUp(t testing.TB, size int, rule pattern.Rule, moves string) *Board {
	t.Helper()
	b := mustNew(t, size, rule)
	cells, err := ParseMoves(moves)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		if err := b.Vacant(c); err != nil {
			t.Fatalf("%s: %v", moves, err)
		}
		b.Play(c)
	}
	return b
}

// The positions were judged by two independent programs, one of them the tournament's own.
func TestForbiddenPoints(t *testing.T) {
	data, err := os.ReadFile("testdata/forbidden_points.json")
	if err != nil {
		t.Fatal(err)
	}
	var positions []struct {
		Size      int
		Moves     string
		Forbidden []string
	}
	if err := json.Unmarshal(data, &positions); err != nil {
		t.Fatal(err)
	}
	points := 0
	for _, p := range positions {
		b := setUp(t, p.Size, pattern.Renju, p.Moves)
		var got []string
		for _, c := range b.AllForbidden(nil) {
			got = append(got, c.String())
		}
		slices.Sort(got)
		if slices.Sort(p.Forbidden); !slices.Equal(got, p.Forbidden) {
			t.Errorf("%s: %v are forbidden, want %v", p.Moves, got, p.Forbidden)
		}
		points += len(got)
		if err := b.Check(); err != nil {
			t.Errorf("%s: %v", p.Moves, err)
		}
	}
	if len(positions) != 120 || points != 199 {
		t.Errorf("%d positions with %d forbidden points, want 120 with 199", len(positions), points)
	}
}

// The example of GomocupJudge's self test: threes that are real or not three levels deep.
func TestForbiddenRecursion(t *testing.T) {
	b := setUp(t, 15, pattern.Renju, "g9a15h10o15i10o1j9n1j8i1i7f1h7c5g8d14")
	const want = "g6j6f7g7j7k7f10g10j10k10g11j11"
	if got := FormatMoves(b.AllForbidden(nil)); got != want {
		t.Errorf("%s are forbidden, want %s", got, want)
	}
}

func TestFoulsAreNamed(t *testing.T) {
	for _, test := range []struct {
		name         string
		black, white string
		cell         string
		want         Foul
	}{
		{"six", "c3d3e3g3h3", "", "f3", FoulOverline},
		{"nine", "c3d3e3f3h3i3j3k3", "", "g3", FoulOverline},
		{"five and six", "c3d3e3g3h3f4f5f6f7", "", "f3", NoFoul},
		{"two fours", "c3d3e3f4f5f6", "b3f7", "f3", FoulDoubleFour},
		{"two fours, one without the stone", "e8f8g8i8", "", "c8", NoFoul},
		{"X_XXX_X", "c8f8g8i8", "", "e8", FoulDoubleFour},
		{"XX_XX_XX", "c8d8f8i8j8", "", "g8", FoulDoubleFour},
		{"XXX_X_XXX", "c8d8e8i8j8k8", "", "g8", FoulDoubleFour},
		{"two threes", "g8i8h7h9", "", "h8", FoulDoubleThree},
		{"two threes, one blocked", "g8i8h7h9", "f8", "h8", NoFoul},
		{"two threes by the edge", "b8c8a9a10", "", "a8", NoFoul},
		{"four and three", "g8i8f8h7h9", "e8", "h8", NoFoul},
		{"four and two threes", "f8g8i8h7h9g7i9", "e8", "h8", FoulDoubleThree},
		{"five and two threes", "d8e8f8g8h7h9g7i9", "", "h8", NoFoul},
	} {
		b := mustNew(t, 15, pattern.Renju)
		for colour, cells := range []string{test.black, test.white} {
			list, err := ParseMoves(cells)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				b.Place(Colour(colour), c)
			}
		}
		if b.SideToMove() != Black {
			b.Pass()
		}
		c, err := ParseCell(test.cell)
		if err != nil {
			t.Fatal(err)
		}
		if got, plain := b.Foul(c), b.PlainFoul(c); got != test.want || plain != test.want {
			t.Errorf("%s: %v, plainly %v, want %v", test.name, got, plain, test.want)
		}
		switch err := b.Legal(c); {
		case test.want == NoFoul && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != NoFoul && (!errors.Is(err, ErrForbidden) || !strings.Contains(err.Error(), test.want.String())):
			t.Errorf("%s: the error is %v", test.name, err)
		}
		if b.Pass(); b.Legal(c) != nil {
			t.Errorf("%s: White may not play there: %v", test.name, b.Legal(c))
		}
	}
}

func TestOtherRulesForbidNothing(t *testing.T) {
	for _, rule := range []pattern.Rule{pattern.Freestyle, pattern.Standard} {
		b := setUp(t, 15, rule, "g8a1i8a3h7a5h9a7")
		if c := At(7, 7); b.Forbidden(c) || b.Foul(c) != NoFoul || b.Legal(c) != nil || len(b.AllForbidden(nil)) > 0 {
			t.Errorf("%v: %v is forbidden", rule, c)
		}
	}
}

// scatter fills about the given share, in percent, of a box of the board with stones that end no game.
func scatter(b *Board, rng *rand.Rand, percent int) {
	b.Reset()
	box := MinSize + rng.IntN(b.Size()-MinSize+1)
	left, top := rng.IntN(b.Size()-box+1), rng.IntN(b.Size()-box+1)
	for i := range box * box {
		c, colour := At(left+i%box, top+i/box), Colour(rng.IntN(5)/3) // more of Black's
		if rng.IntN(100) < percent && b.Outcome() == Ongoing && b.Class(colour, c) != pattern.CellFive {
			b.Place(colour, c)
		}
	}
}

// Every doubtful cell of random positions equals the plain judge's verdict, and in some of them every cell.
func TestFoulsEqualPlainJudge(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	var met [FoulDoubleThree + 1]int
	unreal := 0
	for position := range randomPositions {
		b := mustNew(t, MinSize+rng.IntN(MaxSize-MinSize+1), pattern.Renju)
		scatter(b, rng, 10+rng.IntN(50))
		for _, c := range b.AllEmpty(nil) {
			class := b.Class(Black, c)
			doubtful := class == pattern.CellForbidden || class == pattern.CellDoubleThree || class == pattern.CellFourThree
			if !doubtful && position%everyCellOf > 0 {
				continue
			}
			got, want := b.Foul(c), b.PlainFoul(c)
			if got != want || b.Forbidden(c) != (want != NoFoul) {
				t.Fatalf("position %d, %v of\n%v: %v, want %v", position, c, drawing(b), got, want)
			}
			met[got]++
			if class == pattern.CellDoubleThree && got == NoFoul {
				unreal++
			}
		}
	}
	t.Logf("%d positions: cells by foul %v, %d double threes that are none", randomPositions, met, unreal)
	if slices.Min(met[:]) < randomPositions/200 || unreal < randomPositions/1000 {
		t.Errorf("too few fouls were met: %v, %d", met, unreal)
	}
}

func drawing(b *Board) string {
	var text strings.Builder
	b.eachCell(func(c Cell) {
		mark := byte('.')
		if colour, ok := b.Stone(c); ok {
			mark = "XO"[colour]
		}
		text.WriteByte(mark)
		if c.X() == b.size-1 {
			text.WriteByte('\n')
		}
	})
	return text.String()
}

// Black may have no move: then the game is drawn.
func TestStuckBlackDraws(t *testing.T) {
	b := mustNew(t, 6, pattern.Renju)
	rows := []string{"XOXOXO", "_O_XOO", "XOXXXX", "OXXOXX", "OOXOOX", "XOXXXX"}
	for y, row := range rows {
		for x := range row {
			if row[x] != '_' {
				b.Place(Colour(strings.IndexByte("XO", row[x])), At(x, y))
			}
		}
	}
	if b.Outcome() != Ongoing {
		t.Fatalf("set up: %v", b.Outcome())
	}
	b.Place(White, At(0, 1))
	if b.Outcome() != Draw || b.Full() || b.Foul(At(2, 1)) != FoulOverline {
		t.Errorf("%v with the only empty cell %v", b.Outcome(), b.Foul(At(2, 1)))
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	if b.Undo(); b.Outcome() != Ongoing {
		t.Error("undo keeps the draw")
	}
}

func BenchmarkForbidden(b *testing.B) {
	board := setUp(b, 15, pattern.Renju, "g9a15h10o15i10o1j9n1j8i1i7f1h7c5g8d14")
	cells := board.AllEmpty(nil)
	i := 0
	for b.Loop() {
		board.Forbidden(cells[i])
		if i++; i == len(cells) {
			i = 0
		}
	}
}
