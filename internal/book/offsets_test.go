package book

import (
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// A book may hold openings as Gomocup publishes them, beside those in pos notation.
func TestParseOffsets(t *testing.T) {
	const text = "# Gomocup\n0,0, 1,1, -1,-1\n-3, 2,1,3 ,-1,0\nk6i11g8\n"
	for size, want := range map[int][]string{15: {"h8i9g7", "e10i11g8", "k6i11g8"}, 20: {"k11l12j10", "h13l14j11", "k6i11g8"}} {
		b, err := Parse(strings.NewReader(text), "text", pattern.Freestyle, size)
		if err != nil {
			t.Fatalf("size %d: %v", size, err)
		}
		var got []string
		for _, o := range b.Openings {
			got = append(got, board.FormatMoves(o.Moves))
		}
		if !slices.Equal(got, want) {
			t.Errorf("size %d: got %q, want %q", size, got, want)
		}
	}
	for _, test := range []struct{ name, text, want string }{
		{"off the board", "0,0, 8,0\n", "text line 1: 8,0 is outside the board of size 15"},
		{"half a pair", "0,0, 1\n", `text line 1: "1" is not a pair dx,dy`},
		{"words", "0,0, a,b\n", `"a,b" is not a pair dx,dy`},
		{"occupied", "0,0, 0,0\n", "text line 1: move 2"},
		{"line ends of old computers", "h8i9g7\rk6i11g8\r", "text line 1: a carriage return within the line"},
		{"the same position", "h8i9g7\n0,0, 1,1, -1,-1\n", "text line 2: the same position as line 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Parse(strings.NewReader(test.text), "text", pattern.Freestyle, 15); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}
