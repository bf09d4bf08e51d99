package board_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// Two independent programs, one of them that of the tournaments, judged these positions.
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
		b := boardtest.SetUp(t, p.Size, pattern.Renju, p.Moves)
		var got []string
		for _, c := range b.AllForbidden(nil) {
			got = append(got, c.String())
		}
		slices.Sort(got)
		if slices.Sort(p.Forbidden); !slices.Equal(got, p.Forbidden) {
			t.Errorf("%s: %v are forbidden, want %v", p.Moves, got, p.Forbidden)
		}
		points += len(got)
		if err := check(b); err != nil {
			t.Errorf("%s: %v", p.Moves, err)
		}
	}
	if len(positions) != 120 || points != 199 {
		t.Errorf("%d positions with %d forbidden points, want 120 with 199", len(positions), points)
	}
}

// The example of GomocupJudge's self test: three levels of recursion decide whether a three is real.
func TestForbiddenRecursion(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Renju, "g9a15h10o15i10o1j9n1j8i1i7f1h7c5g8d14")
	const want = "g6j6f7g7j7k7f10g10j10k10g11j11"
	if got := board.FormatMoves(b.AllForbidden(nil)); got != want {
		t.Errorf("%s are forbidden, want %s", got, want)
	}
}

func TestFoulsAreNamed(t *testing.T) {
	for _, test := range []struct {
		name         string
		black, white string
		cell         string
		want         board.Foul
	}{
		{"six", "c3d3e3g3h3", "", "f3", board.FoulOverline},
		{"nine", "c3d3e3f3h3i3j3k3", "", "g3", board.FoulOverline},
		{"five and six", "c3d3e3g3h3f4f5f6f7", "", "f3", board.NoFoul},
		{"two fours", "c3d3e3f4f5f6", "b3f7", "f3", board.FoulDoubleFour},
		{"two fours, one without the stone", "e8f8g8i8", "", "c8", board.NoFoul},
		{"X_XXX_X", "c8f8g8i8", "", "e8", board.FoulDoubleFour},
		{"XX_XX_XX", "c8d8f8i8j8", "", "g8", board.FoulDoubleFour},
		{"XXX_X_XXX", "c8d8e8i8j8k8", "", "g8", board.FoulDoubleFour},
		{"two threes", "g8i8h7h9", "", "h8", board.FoulDoubleThree},
		{"two threes, one blocked", "g8i8h7h9", "f8", "h8", board.NoFoul},
		{"two threes by the edge", "b8c8a9a10", "", "a8", board.NoFoul},
		{"four and three", "g8i8f8h7h9", "e8", "h8", board.NoFoul},
		{"four and two threes", "f8g8i8h7h9g7i9", "e8", "h8", board.FoulDoubleThree},
		{"five and two threes", "d8e8f8g8h7h9g7i9", "", "h8", board.NoFoul},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.New(t, 15, pattern.Renju)
			for colour, cells := range []string{test.black, test.white} {
				for _, c := range boardtest.Moves(t, cells) {
					b.Place(board.Colour(colour), c)
				}
			}
			if b.SideToMove() != board.Black {
				b.Pass()
			}
			c := boardtest.Moves(t, test.cell)[0]
			if got, plain := b.Foul(c), boardtest.Foul(b, c); got != test.want || plain != test.want {
				t.Errorf("%v, by the slow version %v, want %v", got, plain, test.want)
			}
			switch err := b.Legal(c); {
			case test.want == board.NoFoul && err != nil:
				t.Error(err)
			case test.want != board.NoFoul && (!errors.Is(err, board.ErrForbidden) || !strings.Contains(err.Error(), test.want.String())):
				t.Errorf("the error is %v", err)
			}
			if b.Pass(); b.Legal(c) != nil {
				t.Errorf("White may not play there: %v", b.Legal(c))
			}
		})
	}
}

func TestOtherRulesForbidNothing(t *testing.T) {
	for _, rule := range []pattern.Rule{pattern.Freestyle, pattern.Standard} {
		b := boardtest.SetUp(t, 15, rule, "g8a1i8a3h7a5h9a7")
		if c := board.At(7, 7); b.Forbidden(c) || b.Foul(c) != board.NoFoul || b.Legal(c) != nil || len(b.AllForbidden(nil)) > 0 {
			t.Errorf("%v: %v is forbidden", rule, c)
		}
	}
}

// scatter fills about the given share, in percent, of a box of the board with stones that end no game.
func scatter(b *board.Board, rng *rand.Rand, percent int) {
	b.Reset()
	box := board.MinSize + rng.IntN(b.Size()-board.MinSize+1)
	left, top := rng.IntN(b.Size()-box+1), rng.IntN(b.Size()-box+1)
	for i := range box * box {
		c, colour := board.At(left+i%box, top+i/box), board.Colour(rng.IntN(5)/3) // more black stones than white ones
		if rng.IntN(100) < percent && b.Outcome() == board.Ongoing && b.Class(colour, c) != pattern.CellFive {
			b.Place(colour, c)
		}
	}
}

// In random positions every cell that may be forbidden gets the verdict of the slow plain judge. In some
// positions every cell is compared.
func TestFoulsEqualPlainJudge(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	var met [board.FoulDoubleThree + 1]int
	unreal := 0
	for position := range randomPositions {
		b := boardtest.New(t, board.MinSize+rng.IntN(board.MaxSize-board.MinSize+1), pattern.Renju)
		scatter(b, rng, 10+rng.IntN(50))
		for _, c := range b.AllEmpty(nil) {
			class := b.Class(board.Black, c)
			maybeForbidden := class == pattern.CellForbidden || class == pattern.CellDoubleThree || class == pattern.CellFourThree
			if !maybeForbidden && position%everyCellOf > 0 {
				continue
			}
			got, want := b.Foul(c), boardtest.Foul(b, c)
			if got != want || b.Forbidden(c) != (want != board.NoFoul) {
				t.Fatalf("position %d, %v of\n%v: %v, want %v", position, c, drawing(b), got, want)
			}
			met[got]++
			if class == pattern.CellDoubleThree && got == board.NoFoul {
				unreal++
			}
		}
	}
	t.Logf("%d positions: cells by foul %v, %d double threes that are none", randomPositions, met, unreal)
	if slices.Min(met[:]) < randomPositions/200 || unreal < randomPositions/1000 {
		t.Errorf("too few fouls were met: %v, %d", met, unreal)
	}
}

func drawing(b *board.Board) string {
	var text strings.Builder
	for _, c := range boardtest.Cells(b.Size()) {
		mark := byte('.')
		if colour, ok := b.Stone(c); ok {
			mark = "XO"[colour]
		}
		text.WriteByte(mark)
		if c.X() == b.Size()-1 {
			text.WriteByte('\n')
		}
	}
	return text.String()
}

// Black may have no move: then the game is drawn.
func TestStuckBlackDraws(t *testing.T) {
	b := boardtest.New(t, 6, pattern.Renju)
	rows := []string{"XOXOXO", "_O_XOO", "XOXXXX", "OXXOXX", "OOXOOX", "XOXXXX"}
	for y, row := range rows {
		t.Run(row, func(t *testing.T) {
			for x := range row {
				if row[x] != '_' {
					b.Place(board.Colour(strings.IndexByte("XO", row[x])), board.At(x, y))
				}
			}
		})
	}
	if b.Outcome() != board.Ongoing {
		t.Fatalf("set up: %v", b.Outcome())
	}
	b.Place(board.White, board.At(0, 1))
	if b.Outcome() != board.Draw || b.Full() || b.Foul(board.At(2, 1)) != board.FoulOverline {
		t.Errorf("%v with the only empty cell %v", b.Outcome(), b.Foul(board.At(2, 1)))
	}
	if err := check(b); err != nil {
		t.Error(err)
	}
	if b.Undo(); b.Outcome() != board.Ongoing {
		t.Error("undo keeps the draw")
	}
}

func BenchmarkForbidden(b *testing.B) {
	position := boardtest.SetUp(b, 15, pattern.Renju, "g9a15h10o15i10o1j9n1j8i1i7f1h7c5g8d14")
	cells := position.AllEmpty(nil)
	i := 0
	for b.Loop() {
		position.Forbidden(cells[i])
		if i++; i == len(cells) {
			i = 0
		}
	}
}
