package engine

import (
	"context"
	"testing"

	"quintune/board/boardtest"
	"quintune/pattern"
)

// A win counts when the engine announces it and our solvers find it.
func TestRefereeConfirmsAnnouncedWins(t *testing.T) {
	r, err := newReferee(Conditions{Size: 15, Rule: pattern.Freestyle, Wins: Confirmed})
	if err != nil {
		t.Fatal(err)
	}
	const won, open = "a5d10d7e10d5c10b10e9c5b5d8d6e7c9c7b7c4c6", "h8i9h10i8g8"
	for _, test := range []struct {
		name, line, moves string
		plies             int
	}{
		{"announced and there", "MESSAGE Depth 7 | Eval +M5 | Time 12ms | h8", won, 5},
		{"announced and not there", "MESSAGE Depth 7 | Eval +M5 | Time 12ms | h8", open, 0},
		{"there and not announced", "MESSAGE Depth 7 | Eval 512 | Time 12ms | h8", won, 0},
		{"a loss is announced", "MESSAGE Speed 149K | Depth 0 | Eval -M4 | Node 11 | Time 0ms", won, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r.forget()
			r.hear(test.line)
			r.hear("DEBUG nothing of a score")
			if got := r.claim(context.Background(), boardtest.SetUp(t, 15, pattern.Freestyle, test.moves)); got != test.plies {
				t.Errorf("a claim of %d plies, want %d", got, test.plies)
			}
		})
	}
}
