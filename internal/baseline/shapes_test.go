package baseline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

func shapesOn(position *board.Board) *shapes {
	s := newShapes(position.Size(), position.Rule(), usually("shapes")).(*shapes)
	s.load(position)
	return s
}

// O is Black's, X White's; the rest of the board is empty.
func TestShapesScores(t *testing.T) {
	for _, test := range []struct {
		row           string
		toMove, other float64 // points of Black where he is to move, and where White is
	}{
		{row: "_OOO_", toMove: 1e4, other: 50},
		{row: "XOOO_", toMove: 7, other: 5},
		{row: "XOOOX", toMove: 0, other: 0},
		{row: "_OOOO_", toMove: 1e8, other: 5e5},
		{row: "XOOOO_", toMove: 1e8, other: 50},
		{row: "XOOOOX", toMove: 0, other: 0},
		{row: "XOOOOOX", toMove: 2e8, other: 2e8},
		{row: "_OOOOOO_", toMove: 2e8, other: 2e8},
		{row: "OO_OO", toMove: 2 + 5, other: 2 + 5}, // at the edge, the right one open
		{row: "_O_", toMove: 1, other: 1},
		{row: "XO_", toMove: 0.5, other: 0.5},
	} {
		t.Run(test.row, func(t *testing.T) {
			var g grid
			g.clear(15)
			s := shapes{grid: g}
			first := spotOf(board.At(0, 7))
			for i := range test.row {
				s.grid.squares[first+spot(i)] = map[byte]square{'O': black, 'X': white, '_': empty}[test.row[i]]
			}
			got := s.line(0, first)[board.Black]
			if got[0] != shapesPoints(2*test.toMove) || got[1] != shapesPoints(2*test.other) {
				t.Errorf("%s: %v half points, want twice %v and %v", test.row, got, test.toMove, test.other)
			}
		})
	}
}

// plainShapes scores the whole board anew.
func plainShapes(s *shapes) (total shapesSums) {
	for d := range 4 {
		seen := map[int]bool{}
		for _, at := range s.cells {
			if seen[lineOf(d, at)] {
				continue
			}
			seen[lineOf(d, at)] = true
			for colour, turns := range s.line(d, at) {
				for turn, points := range turns {
					total[colour][turn] += points
				}
			}
		}
	}
	return total
}

// Scores kept from stone to stone are those of the whole board.
func TestShapesKeepsScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 10 {
		position := setUp(t, 11, "", "", board.Black)
		s := shapesOn(position)
		for position.Outcome() == board.Ongoing {
			cells := position.AllEmpty(nil)
			c := cells[rng.IntN(len(cells))]
			before := s.total
			s.place(spotOf(c), stoneOf(position.SideToMove()))
			s.take(spotOf(c))
			if s.total != before {
				t.Fatal("place and take change the scores")
			}
			s.place(spotOf(c), stoneOf(position.SideToMove()))
			position.Play(c)
			if want := plainShapes(s); s.total != want {
				t.Fatalf("%v after %s, want %v", s.total, board.FormatMoves(position.Moves()), want)
			}
		}
	}
}

// minimax is the search without cuts.
func (s *shapes) minimax(mover board.Colour, depth int) (score shapesPoints, best spot) {
	score = -1 << 62
	for _, m := range s.best(mover, nil) {
		value := m.score
		if depth > 1 && !s.grid.wins(m.at, stoneOf(mover), pattern.Freestyle) {
			s.place(m.at, stoneOf(mover))
			value, _ = s.minimax(mover.Other(), depth-1)
			value = -value
			s.take(m.at)
		}
		if value > score {
			score, best = value, m.at
		}
	}
	return score, best
}

func TestShapesSearchIsMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 12 {
		position := setUp(t, 9, "e5", "", board.White)
		for range 6 {
			cells := position.Near(nil)
			position.Play(cells[rng.IntN(len(cells))])
		}
		if position.Outcome() != board.Ongoing {
			t.Fatal("the position is over")
		}
		s := shapesOn(position)
		s.breadth = 5
		b := newBudget(t.Context(), 0)
		s.budget = &b
		mover := position.SideToMove()
		for depth := 1; depth <= 3; depth++ {
			want, _ := s.minimax(mover, depth)
			if got := s.search(mover, depth, -1<<62, 1<<62); got != want {
				t.Errorf("%s: depth %d gives %d, want %d", board.FormatMoves(position.Moves()), depth, got, want)
			}
		}
	}
}

func TestShapesMoves(t *testing.T) {
	for _, test := range []struct {
		name, blacks, whites string
		want                 string // any of these
	}{
		{"opens in the centre", "", "", "h8"},
		{"five rather than a block", "h8i8j8k8", "h11i11j11k11", "g8l8"},
		{"block of five", "h8i8j8g11", "h11i11j11k11", "l11"},
		{"open four", "h8i8j8", "h11i11j11", "g8k8"},
		{"block of an open three", "a1c3", "h8i8j8", "f8g8k8l8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, nodes := range []int64{1, 500} {
				got := answer(t, mustOpen(t, "shapes", 15, nodes), setUp(t, 15, test.blacks, test.whites, board.Black))
				if !slices.Contains(boardtest.Moves(t, test.want), got) {
					t.Errorf("%s, %d nodes: %v, want one of %s", test.name, nodes, got, test.want)
				}
			}
		})
	}
}
