package baseline

import (
	"strconv"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
)

// The totals that the author works out.
func TestZhangWorkedTotals(t *testing.T) {
	l := func(stones, ends int) zhangLine { return zhangLine{stones: stones, ends: ends} }
	sided := zhangLine{stones: 4, ends: 2, bothSides: true}
	tests := []struct {
		own, opponent [4]zhangLine
		want          int
	}{
		{[4]zhangLine{sided, l(2, 1), l(2, 1), l(2, 2)}, [4]zhangLine{l(1, 0), l(1, 1), l(2, 1), l(1, 2)}, 15124},
		{[4]zhangLine{l(2, 1), l(4, 1), l(1, 1), l(2, 2)}, [4]zhangLine{l(1, 1), l(1, 0), l(2, 2), l(1, 1)}, 3154},
		{[4]zhangLine{l(1, 2), l(2, 1), l(1, 2), l(4, 1)}, [4]zhangLine{l(1, 2), l(1, 1), l(1, 2), l(1, 1)}, 3038},
		{[4]zhangLine{l(1, 0), l(1, 1), l(2, 1), l(1, 2)}, [4]zhangLine{sided, l(2, 1), l(2, 1), l(2, 2)}, 6107},
	}
	scores := authorsZhang()
	for _, test := range tests {
		t.Run(strconv.Itoa(test.want), func(t *testing.T) {
			if got := scores.own.sum(test.own) + scores.opponent.sum(test.opponent); got != test.want {
				t.Errorf("%v and %v: %d, want %d", test.own, test.opponent, got, test.want)
			}
		})
	}
}

func TestZhangKindsCountTwice(t *testing.T) {
	own := authorsZhang().own
	three, five := zhangLine{stones: 3, ends: 2}, zhangLine{stones: 5}
	bonus := zhangLine{stones: 3, ends: 2, bothSides: true}
	for _, test := range []struct {
		lines [4]zhangLine
		want  int
	}{
		{[4]zhangLine{three, three, three, three}, 2 * 1700},
		{[4]zhangLine{bonus, three, three, bonus}, 2*1700 + 700}, // the bonus goes with the kind
		{[4]zhangLine{five, five, five, five}, 4_000_000},
		{[4]zhangLine{{stones: 6, bothSides: true}, {stones: 4}, {stones: 1}, {stones: 2}}, 4_000_000},
	} {
		if got := own.sum(test.lines); got != test.want {
			t.Errorf("%v: %d, want %d", test.lines, got, test.want)
		}
	}
}

// The middle of each row of eleven is the cell that is looked at; O is ours, X theirs.
func TestZhangLines(t *testing.T) {
	for _, test := range []struct {
		row  string
		want zhangLine
	}{
		{"_____.", zhangLine{1, 1, false}}, // the edge beyond
		{"_____._____", zhangLine{1, 2, false}},
		{"____X.X____", zhangLine{1, 0, false}},
		{"___OO.OO___", zhangLine{5, 2, true}},
		{"__XOO.O____", zhangLine{4, 1, true}},
		{"_____.OOOX_", zhangLine{4, 1, false}},
		{"_____._OO__", zhangLine{3, 2, false}}, // one gap is jumped over
		{"_____._OOX_", zhangLine{3, 1, false}},
		{"___O_._O___", zhangLine{2, 2, false}}, // but only one: forwards
		{"_____.O_O_O", zhangLine{3, 2, false}},
		{"_____._X___", zhangLine{1, 2, false}}, // nothing of ours behind it
		{"_____.__O__", zhangLine{1, 2, false}},
		{"__O_O.O_O__", zhangLine{4, 2, true}},
		{"_____._OOOO", zhangLine{5, 1, false}}, // five by a jump
	} {
		t.Run(test.row, func(t *testing.T) {
			var g grid
			g.load(setUp(t, 11, "", "", board.Black))
			at := spotOf(board.At(5, 3))
			for i := range 11 {
				s := wall
				if i < len(test.row) {
					s = map[byte]square{'O': white, 'X': black, '_': empty, '.': empty}[test.row[i]]
				}
				g.squares[at-5+spot(i)] = s
			}
			if got := g.zhangLine(at, 1, white); got != test.want {
				t.Errorf("%s: %+v, want %+v", test.row, got, test.want)
			}
		})
	}
}

func TestZhangMoves(t *testing.T) {
	for _, test := range []struct {
		name, blacks, whites string
		want                 string // any of these
	}{
		{"opens in the centre", "", "", "h8"},
		{"makes its own open four rather than block theirs", "h8i8j8", "h11i11j11", "g8k8"},
		{"makes five rather than an open four", "h8i8j8c2c3c4c5", "c1h11i11j11", "c6"},
		{"blocks five rather than make an open four", "h8i8j8a1", "a2b2c2d2", "e2"},
		{"fills the gap of five", "h8i8k8l8", "h11i11j11k11", "j8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := mustOpen(t, "zhang", 15, 1)
			got := answer(t, p, setUp(t, 15, test.blacks, test.whites, board.Black))
			found := false
			for _, want := range boardtest.Moves(t, test.want) {
				found = found || got == want
			}
			if !found {
				t.Errorf("%v, want one of %s", got, test.want)
			}
		})
	}
}
