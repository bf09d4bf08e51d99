package baseline

import (
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

func TestHuangOpening(t *testing.T) {
	for _, test := range []struct {
		size        int
		first, want string
	}{
		{15, "", "h8"},
		{20, "", "k11"},
		{15, "h8", "h9"},
		{15, "a8", "b8"},
		{15, "o8", "n8"},
		{15, "h1", "h2"},
		{15, "h15", "h14"},
		{15, "c5", "d5"},
		{15, "a1", "a2"},
		{15, "o15", "o14"},
	} {
		t.Run(test.first, func(t *testing.T) {
			toMove := board.White
			if test.first == "" {
				toMove = board.Black
			}
			if got := answer(t, mustOpen(t, "huang", test.size, 1), setUp(t, test.size, test.first, "", toMove)); got.String() != test.want {
				t.Errorf("after %q: %v, want %s", test.first, got, test.want)
			}
		})
	}
}

// White threatens to make two open threes, or a four and an open three, with one stone. Black at depth
// 2 must leave no such cell.
func TestHuangBlocks(t *testing.T) {
	for _, test := range []struct {
		name, blacks, whites string
		threat               pattern.CellClass
	}{
		{"three in the row, three in the column", "d4l4d12", "f8g8h9h10", pattern.CellDoubleThree},
		{"three on both diagonals", "h4e13l13", "f6g7i7j6", pattern.CellDoubleThree},
		{"split threes", "d4m5k12", "f8h9h10i8", pattern.CellDoubleThree},
		{"row and diagonal", "c9h12m6", "g8f8i9j10", pattern.CellDoubleThree},
		{"column and diagonal near an edge", "k9l12m6", "c4c6e7f8", pattern.CellDoubleThree},
		{"four in the row, three in the column", "e8d4l12m5", "f8g8h8i9i10", pattern.CellFourThree},
		{"four on a diagonal, three in the row", "d4l4d12m13", "e5f6g7i8j8", pattern.CellFourThree},
		{"four in the column by the edge, three in the row", "c8n3m12e13", "h1h2h3i4j4", pattern.CellFourThree},
		{"split four, three on the diagonal", "d8l3l13c12", "e8f8h8h9i10", pattern.CellFourThree},
	} {
		t.Run(test.name, func(t *testing.T) {
			position := setUp(t, 15, test.blacks, test.whites, board.Black)
			if n := position.Counts(board.White)[test.threat]; n == 0 {
				t.Errorf("the position holds no %v: %v", test.threat, position.Counts(board.White))
			}
			move := answer(t, mustOpen(t, "huang", 15, 1), position)
			position.Play(move)
			for _, class := range []pattern.CellClass{pattern.CellDoubleThree, pattern.CellFourThree, pattern.CellOpenFour, pattern.CellFive} {
				if n := position.Counts(board.White)[class]; n != 0 {
					t.Errorf("after %v White has %d cells of %v", move, n, class)
				}
			}
		})
	}
}

// The comparisons are those of the author in floating point.
func TestHuangComparisons(t *testing.T) {
	equalAsPrinted := func(a, b float64) bool {
		if b == 0 {
			b = 0.01
		}
		if b >= 0 {
			return b/1.4 <= a && a <= b*1.4
		}
		return b*1.4 <= a && a <= b/1.4
	}
	greaterAsPrinted := func(a, b float64) bool {
		if b >= 0 {
			return a >= (b+0.1)*1.4
		}
		return a >= (b+0.1)/1.4
	}
	const ratio huangRatio = 140
	const reach = 300
	for a := -reach; a <= reach; a++ {
		for b := -reach; b <= reach; b++ {
			onEdge := 10*a == 14*b || 14*a == 10*b // where rounding decides
			if got, want := ratio.equal(a, b), equalAsPrinted(float64(a), float64(b)); got != want && !onEdge {
				t.Fatalf("equal(%d, %d) is %v", a, b, got)
			}
			if got, want := ratio.greater(a, b), greaterAsPrinted(float64(a), float64(b)); got != want {
				t.Fatalf("greater(%d, %d) is %v", a, b, got)
			}
		}
	}
}

func TestHuangMoves(t *testing.T) {
	for _, test := range []struct {
		name, blacks, whites string
		want                 string // any of these
	}{
		{"makes five rather than block one", "h8i8j8k8a1", "h11i11j11k11", "g8l8"},
		{"blocks five rather than make an open four", "h8i8j8g11", "h11i11j11k11", "l11"},
		{"makes an open four rather than block one", "h8i8j8", "h11i11j11", "g8k8"},
		{"blocks an open four", "h8i8a1", "h11i11j11", "g11k11"},
		{"two stones far apart", "h8", "b2", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			position := setUp(t, 15, test.blacks, test.whites, board.Black)
			got := answer(t, mustOpen(t, "huang", 15, 1), position)
			if test.want != "" && !slices.Contains(boardtest.Moves(t, test.want), got) {
				t.Errorf("%v, want one of %s", got, test.want)
			}
		})
	}
}

// At depth 0 the first candidate is played; it may be a cell where the other side would make five.
func TestHuangAtDepthZero(t *testing.T) {
	h := newHuang(15, pattern.Freestyle, usually("huang")).(*huang)
	h.limits.depth = 0
	position := setUp(t, 15, "h8i8a1g11", "h11i11j11k11", board.Black)
	b := newBudget(t.Context(), 0)
	if got := h.choose(position, &b); got.String() != "l11" || b.used != 0 {
		t.Errorf("%v after %d nodes, want l11 at once", got, b.used)
	}
}

// The counts of close stones stay correct through play and undo.
func TestHuangKeepsCloseCounts(t *testing.T) {
	h := newHuang(15, pattern.Freestyle, usually("huang")).(*huang)
	h.position = setUp(t, 15, "h8a1", "o15b2", board.Black)
	h.countClose()
	before := h.close.stones
	for _, c := range boardtest.Moves(t, "h9c3n14") {
		h.play(c)
	}
	played := h.close.stones
	h.countClose()
	if played != h.close.stones {
		t.Error("counts differ from those of the stones after three moves")
	}
	for _, c := range boardtest.Moves(t, "n14c3h9") {
		h.undo(c)
	}
	if h.close.stones != before {
		t.Error("counts differ after taking back")
	}
	var g grid
	g.load(h.position)
	for _, c := range h.position.AllEmpty(nil) {
		if got, want := int(h.close.stones[spotOf(c)]), g.neighbours(spotOf(c), h.close.distance); got != want {
			t.Errorf("%v has %d stones close by, want %d", c, got, want)
		}
	}
}
