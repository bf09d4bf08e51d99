package play

import (
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/record"
)

// recorded returns a game with the moves, won by Black. score is that of its first move.
func recorded(t *testing.T, moves string, score int32) *record.Game {
	t.Helper()
	g := &record.Game{Size: 15, Outcome: board.BlackWins}
	for _, c := range boardtest.Moves(t, moves) {
		g.Moves = append(g.Moves, record.Move{Cell: c})
	}
	g.Moves[0].Score = &score
	return g
}

func TestExplore(t *testing.T) {
	s := open(t)
	for _, moves := range []string{"h8i9g7", "h8g9i7", "a1h8"} {
		s.server.config.Explorer.Add(recorded(t, moves, 0))
	}
	for _, test := range []struct {
		name, rule, moves string
		games, found      int
		first             exploredMove
	}{
		{"the empty board", "freestyle", "", 3, 2, exploredMove{Move: "h8", Games: 2, Chances: .5}},
		{"a mirror image", "freestyle", "h8i7", 3, 1, exploredMove{Move: "g9", Games: 2, Searched: true}},
		{"a new position", "freestyle", "h8o15", 3, 0, exploredMove{}},
		{"another rule", "renju", "", 0, 0, exploredMove{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := s.game(newRequest{Rule: test.rule, Moves: test.moves})
			var v exploreView
			status := s.post("/api/games/"+g.ID+"/explore", exploreRequest{g.Ply, "huang"}, &v)
			if status != 200 || v.Games != test.games || len(v.Moves) != test.found {
				t.Fatalf("status %d, %+v", status, v)
			}
			if test.found == 0 {
				return
			}
			got := v.Moves[0]
			if got.Score == nil || *got.Score != 1 || got.Chances <= 0 || got.Chances >= 1 {
				t.Errorf("%+v", got)
			}
			got.Score = nil
			if test.first.Searched {
				got.Chances = 0
			}
			if got != test.first {
				t.Errorf("got %+v, want %+v", got, test.first)
			}
		})
	}
}

func TestExploreRefuses(t *testing.T) {
	s := open(t)
	for _, test := range []struct {
		name   string
		want   exploreRequest
		status int
	}{
		{"another position", exploreRequest{3, "huang"}, 409},
		{"unknown weights", exploreRequest{1, "nobody"}, 400},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := s.game(newRequest{Moves: "h8"})
			if status := s.post("/api/games/"+g.ID+"/explore", test.want, nil); status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
		})
	}
}
