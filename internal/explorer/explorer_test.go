package explorer

import (
	"math"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/weights"
)

// game returns a game of the moves with a result; scores belong to its first moves.
func game(t *testing.T, moves string, outcome board.Outcome, scores ...int32) *record.Game {
	t.Helper()
	g := &record.Game{Size: 15, Rule: pattern.Freestyle, Outcome: outcome}
	for i, c := range boardtest.Moves(t, moves) {
		m := record.Move{Cell: c}
		if i < len(scores) {
			m.Score = &scores[i]
		}
		g.Moves = append(g.Moves, m)
	}
	return g
}

func explorer(t *testing.T, games ...*record.Game) *Explorer {
	t.Helper()
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	e := New(set)
	for _, g := range games {
		e.Add(g)
	}
	return e
}

func TestAddLeavesOutAFoul(t *testing.T) {
	const before = "d8a1e8c1f8e1h8g1i8k1"
	g := game(t, before+"g8", board.WhiteWins) // an overline
	g.Rule = pattern.Renju
	e := explorer(t, g)
	if got := e.Games(15, pattern.Renju); got != 1 {
		t.Errorf("there are %d games, want 1", got)
	}
	if got := e.At(boardtest.SetUp(t, 15, pattern.Renju, "d8a1e8c1f8e1h8g1i8")); len(got) != 1 || got[0].Wins != 1 {
		t.Errorf("before the last legal move got %+v, want one win", got)
	}
	if got := e.At(boardtest.SetUp(t, 15, pattern.Renju, before)); len(got) != 0 {
		t.Errorf("before the foul got %+v, want no move", got)
	}
}

func TestAt(t *testing.T) {
	e := explorer(t,
		game(t, "h8i9g7", board.BlackWins, 0, -100),
		game(t, "h8g9i7", board.WhiteWins), // the first game's mirror image
		game(t, "h8g7", board.Draw, 0, 100),
		game(t, "h8h9", board.Ongoing),
		game(t, "a1h8", board.BlackWins),
	)
	for _, test := range []struct {
		name, moves string
		want        []Move
	}{
		{"the empty board", "", []Move{
			{Cell: board.At(7, 7), Games: 4, Wins: 1, Draws: 1, Losses: 1, Chances: .5, Told: 2},
			{Cell: board.At(0, 0), Games: 1, Wins: 1},
		}},
		{"after the middle", "h8", []Move{
			{Cell: board.At(6, 6), Games: 3, Wins: 1, Draws: 1, Losses: 1, Chances: .5, Told: 2},
			{Cell: board.At(7, 6), Games: 1},
		}},
		{"an image of what was played", "h8i7", []Move{{Cell: board.At(6, 8), Games: 2, Wins: 1, Losses: 1}}},
		{"nothing was played", "h8h9a1", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := e.At(boardtest.SetUp(t, 15, pattern.Freestyle, test.moves))
			if len(got) != len(test.want) {
				t.Fatalf("got %+v, want %+v", got, test.want)
			}
			for i := range got {
				if math.Abs(got[i].Chances-test.want[i].Chances) < 1e-9 {
					got[i].Chances = test.want[i].Chances
				}
				if got[i] != test.want[i] {
					t.Errorf("move %d is %+v, want %+v", i+1, got[i], test.want[i])
				}
			}
		})
	}
}

// Every image of a position has the same moves, turned and mirrored with it.
func TestAtImages(t *testing.T) {
	e := explorer(t, game(t, "h8i9g7j10h6", board.BlackWins), game(t, "h8i9g7a2", board.WhiteWins))
	moves := boardtest.Moves(t, "h8i9g7")
	for s := range board.NumSymmetries {
		image := boardtest.Transform(moves, s, 15)
		list := e.At(boardtest.SetUp(t, 15, pattern.Freestyle, board.FormatMoves(image)))
		if len(list) != 2 || list[0].Games+list[1].Games != 2 {
			t.Errorf("symmetry %d: %+v, want 2 moves of 2 games", s, list)
		}
	}
}

// A proven end is a chance of 1 or 0.
func TestProvenEnds(t *testing.T) {
	won, lost := game(t, "h8i9", board.BlackWins), game(t, "h8i9", board.WhiteWins)
	won.Moves[0].Win, lost.Moves[0].Win = 9, -8
	e := explorer(t, won, lost, game(t, "h8", board.BlackWins))
	list := e.At(boardtest.New(t, 15, pattern.Freestyle))
	if len(list) != 1 || list[0].Games != 3 || list[0].Told != 2 || list[0].Chances != .5 {
		t.Errorf("got %+v, want one move of 3 games, of which 2 tell chances of .5", list)
	}
}

func TestOtherBoards(t *testing.T) {
	e := explorer(t, game(t, "h8i9", board.BlackWins))
	for _, test := range []struct {
		name string
		size int
		rule pattern.Rule
		want int
	}{{"its own", 15, pattern.Freestyle, 1}, {"another rule", 15, pattern.Renju, 0}, {"another size", 19, pattern.Freestyle, 0}} {
		t.Run(test.name, func(t *testing.T) {
			if got := e.Games(test.size, test.rule); got != test.want {
				t.Errorf("%d games, want %d", got, test.want)
			}
			if list := e.At(boardtest.New(t, test.size, test.rule)); len(list) != test.want {
				t.Errorf("moves %+v, want %d", list, test.want)
			}
		})
	}
}

func TestScore(t *testing.T) {
	for _, test := range []struct {
		name string
		move Move
		want float64
		ok   bool
	}{
		{"no result", Move{Games: 3}, 0, false},
		{"a win and a draw", Move{Games: 3, Wins: 1, Draws: 1}, .75, true},
		{"losses", Move{Games: 2, Losses: 2}, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := test.move.Score(); got != test.want || ok != test.ok {
				t.Errorf("got %v (%v), want %v (%v)", got, ok, test.want, test.ok)
			}
		})
	}
}
