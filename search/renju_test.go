package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// Black's h8 is a double three; White's g7 makes a four that can be stopped there alone.
const trapped = "g8d4i8e5h7f6h9o15c3o1a15"

func TestForbiddenAnswerWins(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Renju, trapped)
	for name, s := range map[string]Solution{
		"VCF": newEngine(t, b).SolveVCF(context.Background(), b, 1000),
		"VCT": newEngine(t, b).SolveVCT(context.Background(), b, 1000),
	} {
		t.Run(name, func(t *testing.T) {
			if !s.Win || s.Plies != 3 || s.Line[0].String() != "g7" || s.Line[2].String() != "h8" {
				t.Errorf("the solver found %+v, want a win in 3 plies by g7 and h8", s)
			}
			checkLine(t, b, s)
		})
	}
	r := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: 1000}, nil)
	if PliesToWin(r.Score) != 3 || r.Best.String() != "g7" {
		t.Errorf("the search found %v, a win in %d, want g7 and 3", r.Best, PliesToWin(r.Score))
	}
	standard := boardtest.SetUp(t, 15, pattern.Standard, trapped)
	if s := newEngine(t, standard).SolveVCF(context.Background(), standard, 1000); s.Win {
		t.Errorf("where nothing is forbidden there is no such win: %+v", s)
	}
	b.Play(r.Best)
	if r = newEngine(t, b).Search(context.Background(), b, Limits{Nodes: 1000}, nil); PliesToWin(r.Score) != -2 || b.Legal(r.Best) != nil {
		t.Errorf("Black answers %v, a win in %d (%v), want a legal move and -2", r.Best, PliesToWin(r.Score), b.Legal(r.Best))
	}
}

// A five beats the foul: h8 stops White and wins, though it makes two threes.
func TestFiveBeatsFoulInTheSearch(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Renju, "g8d4i8e5h7f6h9g7f8c3")
	b.Place(board.Black, board.At(4, 7)) // e8: four in row 8 with h8 empty
	b.Pass()
	b.Pass()
	b.Place(board.White, board.At(0, 0))
	r := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: 1000}, nil)
	if r.Best.String() != "h8" || PliesToWin(r.Score) != 1 {
		t.Errorf("%v, a win in %d, want h8 and 1", r.Best, PliesToWin(r.Score))
	}
}

// Two fours by one stone win for everybody but renju's Black, to whom they are forbidden.
func TestBlackMakesNoTwoFours(t *testing.T) {
	const moves = "e8d8f8h3g8h4h5a1h6a3h7o15"
	for rule, win := range map[pattern.Rule]bool{pattern.Freestyle: true, pattern.Standard: true, pattern.Renju: false} {
		b := boardtest.SetUp(t, 15, rule, moves)
		s := newEngine(t, b).SolveVCF(context.Background(), b, 10000)
		if found := s.Win && s.Line[0].String() == "h8"; found != win {
			t.Errorf("%v: the solver found %+v, want a win by h8: %v", rule, s, win)
		}
		r := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: 3000}, nil)
		if err := b.Legal(r.Best); err != nil {
			t.Errorf("%v: %v", rule, err)
		}
		for _, c := range r.PV {
			if err := b.Legal(c); err != nil {
				t.Errorf("%v: in the line %v: %v", rule, r.PV, err)
				break
			}
			b.Play(c)
		}
	}
}

// Searches of positions full of forbidden points, with every part of the search on or off, move where it is allowed.
func TestBlackMovesAreAllowed(t *testing.T) {
	for seed := range uint64(40) {
		b := foulPosition(t, seed)
		for _, off := range []Feature{0, RootFours, ^Feature(0)} {
			e := newEngine(t, b)
			e.off = off
			for _, limits := range []Limits{{Nodes: 1}, {Nodes: 300}, {Depth: 2}} {
				e.NewGame()
				if r := e.Search(context.Background(), b, limits, nil); b.Legal(r.Best) != nil {
					t.Errorf("%s: %v", board.FormatMoves(b.Moves()), b.Legal(r.Best))
				}
			}
		}
		if r, err := newEngine(t, b).SearchLevel(context.Background(), b, 1, Limits{}, seed); err != nil || b.Legal(r.Best) != nil {
			t.Errorf("%s: level 1: %v, %v", board.FormatMoves(b.Moves()), err, b.Legal(r.Best))
		}
	}
}

// foulPosition returns a position, Black to move, with five or more forbidden points.
func foulPosition(t *testing.T, seed uint64) *board.Board {
	t.Helper()
	b := boardtest.New(t, 15, pattern.Renju)
	rng := rand.New(rand.NewPCG(8, seed))
	for len(b.AllForbidden(nil)) < 5 {
		b.Reset()
		for range 30 {
			c, colour := board.At(3+rng.IntN(9), 3+rng.IntN(9)), board.Colour(rng.IntN(5)/3)
			if b.Vacant(c) == nil && b.Class(colour, c) < pattern.CellOpenFour {
				b.Place(colour, c)
			}
		}
	}
	if b.SideToMove() != board.Black {
		b.Pass()
	}
	return b
}

// placed returns a renju position of stones in any number, with the colour to move.
func placed(t *testing.T, size int, black, white string, mover board.Colour) *board.Board {
	t.Helper()
	b := boardtest.New(t, size, pattern.Renju)
	for colour, stones := range []string{black, white} {
		for _, c := range boardtest.Moves(t, stones) {
			b.Place(board.Colour(colour), c)
		}
	}
	if b.SideToMove() != mover {
		b.Pass()
	}
	return b
}

// Black answers a counter-four with an open four, which is one more four: a search of one four is not final.
func TestFoursThatBlockGoOn(t *testing.T) {
	b := placed(t, 15, "f8h8g7g9g10e6e7e9e10e11j5j6j7j9j10d3", "d8k8g11e4f5h7e12j4c5i5k5d6f6h6i9d10f10h10", board.Black)
	s := newEngine(t, b).SolveVCF(context.Background(), b, 0)
	if !s.Win || s.Plies != 5 || s.Line[0].String() != "g8" {
		t.Errorf("%+v, want a win in 5 plies by g8", s)
	}
	checkLine(t, b, s)
}

// White's open four leaves Black without a move, which is a draw and no win.
func TestNoWinThatLeavesBlackNoMove(t *testing.T) {
	b := placed(t, 9, "a1c1d1e1h1a2b2c2d2g2h2a3b3d3e3g3b4e4f4g4i4a5b6c6f6g6h6b7c7d7f7g7a8f8c9d9e9h9i9",
		"b1f1g1i1e2f2i2c3f3h3i3a4c4d4h4c5d5f5h5i5a6d6e6i6a7e7h7i7b8c8d8e8g8h8i8a9b9f9g9", board.White)
	if b.Outcome() != board.Ongoing || b.Class(board.White, board.At(4, 4)) != pattern.CellOpenFour {
		t.Fatalf("%v, and e5 is %v, want %v and %v", b.Outcome(), b.Class(board.White, board.At(4, 4)), board.Ongoing, pattern.CellOpenFour)
	}
	if s := newEngine(t, b).SolveVCF(context.Background(), b, 1000); s.Win {
		t.Errorf("the solver found %+v", s)
	}
	r := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: 1000}, nil)
	if PliesToWin(r.Score) > 0 {
		t.Errorf("the search found %v, a win in %d", r.Best, PliesToWin(r.Score))
	}
}
