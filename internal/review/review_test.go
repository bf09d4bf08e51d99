package review

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// reviewOf reviews a game given in pos notation, or as a JSON line.
func reviewOf(t *testing.T, ctx context.Context, moves string) (*record.Game, *Review, error) {
	t.Helper()
	games, err := record.Parse([]byte(moves), record.Detect([]byte(moves)), record.DefaultConditions())
	if err != nil {
		t.Fatal(err)
	}
	game := &games[0]
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := search.NewEngine(set, game.Size, game.Rule, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	left := len(game.Moves) + 2
	r, err := Game(ctx, engine, set, game, Limits{Search: search.Limits{Nodes: 3000}, VCF: 3000}, func(n int) {
		if n != left-1 {
			t.Errorf("%d positions are left after %d", n, left)
		}
		left = n
	})
	return game, r, err
}

func TestGame(t *testing.T) {
	tests := []struct {
		name, moves string
		ply         int // of the note that is looked at
		verdict     Verdict
		missed      bool
		win         int // plies after the move
	}{
		{"five is made", "h8a1i8a15j8o1k8o15l8", 9, Fine, false, 1},
		{"an open four is left alone", "h8a1i8a15j8o1k8o15l8", 8, Fine, false, -2}, // lost before
		{"an open three is left alone", "h8h9i8i9j8o1k8o15l8", 6, Blundered, false, -4},
		{"a four is not made to a five", "h8a1i8a15j8o1k8g8c3", 9, Blundered, true, 0},
		{"one end of a four is closed too late", "h8a1i8a15j8o1k8l8g8", 9, Fine, false, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, r, err := reviewOf(t, context.Background(), test.moves)
			if err != nil {
				t.Fatal(err)
			}
			n := r.Notes[test.ply-1]
			if n.Verdict != test.verdict || (n.MissedVCF != nil) != test.missed || test.win != 0 && search.PliesToWin(n.Score) != test.win {
				t.Errorf("got %+v, a win in %d plies, want %q, a missed win: %v, a win in %d", n, search.PliesToWin(n.Score), test.verdict, test.missed, test.win)
			}
		})
	}
}

// Moves of the opening are not marked, however bad; those after it are.
func TestOpeningIsNotMarked(t *testing.T) {
	const moves = "h8h9i8i9j8o1k8g8c3" // 6 and 9 are blunders
	for opening, marked := range map[int][]int{0: {6, 9}, 5: {6, 9}, 6: {9}, 9: nil} {
		t.Run(fmt.Sprint(opening), func(t *testing.T) {
			_, r, err := reviewOf(t, context.Background(), fmt.Sprintf(`{"format":"quintune.game/1","size":15,"rule":"freestyle","result":"","moves":%q,"opening":%d}`, moves, opening))
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for i := range r.Notes {
				if n := &r.Notes[i]; n.Verdict == Blundered {
					got = append(got, i+1)
				} else if i < opening && (n.Verdict != Fine || n.MissedVCF != nil || n.Loss != 0) {
					t.Errorf("move %d of the opening: %+v, want no loss and no verdict", i+1, n)
				}
			}
			if !slices.Equal(got, marked) {
				t.Errorf("blunders are %v, want %v", got, marked)
			}
			if n := r.Count(board.Black, Blundered) + r.Count(board.White, Blundered); n != len(marked) {
				t.Errorf("%d blunders are counted, want %d", n, len(marked))
			}
		})
	}
}

// A foul that makes two fours loses, and the win by fours that was there is missed.
func TestFoulDoesNotWin(t *testing.T) {
	const moves = "f8a1g8c1h8e1i5g1i6k1i7m1c13o1d13o3e13o5i8"
	games, err := record.Parse([]byte(moves), record.Plain, record.Conditions{Size: 15, Rule: pattern.Renju})
	if err != nil {
		t.Fatal(err)
	}
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := search.NewEngine(set, 15, pattern.Renju, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Game(t.Context(), engine, set, &games[0], Limits{Search: search.Limits{Nodes: 3000}, VCF: 3000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := r.Notes[len(r.Notes)-1]
	if search.PliesToWin(n.Score) != -1 || n.Verdict != Blundered || n.MissedVCF == nil {
		t.Errorf("got %+v, a win in %d plies, want a blunder that loses in 1 and misses a win by fours", n, search.PliesToWin(n.Score))
	}
}

func TestGameRepeats(t *testing.T) {
	const moves = "h8i9g7j10f6i7h9"
	_, one, err := reviewOf(t, context.Background(), moves)
	if err != nil {
		t.Fatal(err)
	}
	_, two, err := reviewOf(t, context.Background(), moves)
	if err != nil || !reflect.DeepEqual(one, two) {
		t.Errorf("the second review is\n%+v (%v), want the first\n%+v", two, err, one)
	}
	if one.Last == nil || one.Nodes < one.Last.Nodes || len(one.Notes) != 7 {
		t.Errorf("got %+v, want 7 notes, the last position and its nodes among all", one)
	}
}

func TestGameEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, r, err := reviewOf(t, ctx, "h8i9"); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("got %+v (%v), want no review and %v", r, err, context.Canceled)
	}
}

func TestExpectedEndsAreWords(t *testing.T) {
	const expected = 1<<27 + 1 // more than any sum of weights, less than a claim
	r := Review{Notes: []Note{{Score: -expected, Best: board.At(7, 7)}, {Score: 35, Best: board.At(8, 8)}}}
	game := &record.Game{Size: 15, Moves: []record.Move{{Cell: board.At(7, 7)}, {Cell: board.At(8, 8), Comment: "so"}}}
	moves := r.Annotated(game).Moves
	if m := moves[0]; m.Comment != "loss expected, not proven" || m.Score != nil || m.Win != 0 {
		t.Errorf("got %+v, want the words alone", m)
	}
	if m := moves[1]; m.Comment != "so" || m.Score == nil || *m.Score != 35 {
		t.Errorf("got %+v, want the score 35 beside the comment \"so\"", m)
	}
}

func TestAnnotated(t *testing.T) {
	game, r, err := reviewOf(t, context.Background(), "h8a1i8a15j8o1k8g8c3")
	if err != nil {
		t.Fatal(err)
	}
	game.Moves[8].Comment = "oops"
	annotated := r.Annotated(game)
	last := annotated.Moves[8]
	for _, part := range []string{"oops\nblunder: ", "better l8 (win in 1 ply)", "missed a win in 1 ply by continuous fours: l8"} {
		t.Run(part, func(t *testing.T) {
			if !strings.Contains(last.Comment, part) {
				t.Errorf("%q is missing in %q", part, last.Comment)
			}
		})
	}
	if game.Moves[8].Comment != "oops" || game.Moves[0].Score != nil {
		t.Errorf("the game itself has become %+v, want it unchanged", game)
	}
	if first := annotated.Moves[0]; first.Score == nil || first.Cell != board.At(7, 7) || first.Comment != "" {
		t.Errorf("the first move is %+v, want h8 with a score and no comment", first)
	}
}
