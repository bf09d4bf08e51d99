package record

import (
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

func TestArrange(t *testing.T) {
	for _, test := range []struct {
		name, black, white string
		rule               pattern.Rule
		want               string // of the moves, or of the error
	}{
		{"in turn", "h8g7", "i9", pattern.Freestyle, "h8i9g7"},
		{"an empty board", "", "", pattern.Freestyle, ""},
		{"too many white", "h8", "i9j10", pattern.Freestyle, "1 black and 2 white"},
		{"too many black", "h8g7f6", "i9", pattern.Freestyle, "3 black and 1 white"},
		{"two stones on a cell", "h8", "h8", pattern.Freestyle, "h8"},
		{"a five", "h8i8j8k8l8", "a1a2a3a4", pattern.Freestyle, "black wins"},
		{"a forbidden point comes before its fork", "h8i8g9g10g8", "a1a3a5a7", pattern.Renju, "g8a1h8a3i8a5g9a7g10"},
		{"a double three in the middle", "g8i8h7h9h8", "a1a15o1o15", pattern.Renju, "h8a1g8a15i8o1h7o15h9"},
		{"an overline", "c3d3e3g3h3f3", "a1a3a5a7a9", pattern.Renju, "forbidden"},
	} {
		t.Run(test.name, func(t *testing.T) {
			moves, err := Arrange(15, test.rule, boardtest.Moves(t, test.black), boardtest.Moves(t, test.white))
			got := board.FormatMoves(moves)
			if err != nil {
				got = err.Error()
			}
			if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Six in a row do not win under the standard rule, in whatever order the stones are given.
func TestArrangeOfSix(t *testing.T) {
	black, white := boardtest.Moves(t, "c3d3e3f3g3h3"), boardtest.Moves(t, "a15c15e15g15i15")
	for turn := range black {
		given := append(slices.Clone(black[turn:]), black[:turn]...)
		moves, err := Arrange(15, pattern.Standard, given, white)
		if err != nil || len(moves) != len(black)+len(white) {
			t.Errorf("%s: %d moves, error %v", board.FormatMoves(given), len(moves), err)
		}
	}
	if _, err := Arrange(15, pattern.Standard, black[:5], white); err == nil || !strings.Contains(err.Error(), "wins") {
		t.Errorf("five: error %v", err)
	}
}
