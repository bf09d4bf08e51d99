package play

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	s := open(t)
	for _, test := range []struct {
		name, moves string
		ply, status int
		want        string // moves afterwards, or a part of the error
	}{
		{"another variation", "h8i9g7a1", 3, 200, "h8i9g7a1"},
		{"an illegal move", "h8h8", 1, 422, "move 2"},
		{"a ply beyond", "h8", 2, 422, "outside [0, 1]"},
		{"not moves", "zz", 0, 400, "zz"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := s.game(newRequest{Moves: "h8i9j10"})
			var answer struct {
				gameView
				Error string
			}
			status := s.post("/api/games/"+g.ID+"/line", lineRequest{test.moves, test.ply}, &answer)
			got := answer.Error
			if status == http.StatusOK {
				got = strings.Join(answer.Moves, "")
			}
			if status != test.status || !strings.Contains(got, test.want) || status == http.StatusOK && answer.Ply != test.ply {
				t.Errorf("status %d, ply %d: %q, want %d and %q", status, answer.Ply, got, test.status, test.want)
			}
		})
	}
}

func TestSetUpPosition(t *testing.T) {
	s := open(t)
	for _, test := range []struct {
		name   string
		want   newRequest
		status int
		answer string
	}{
		{"stones", newRequest{Black: "h8g7", White: "i9"}, 201, `"moves":["h8","i9","g7"],"ply":3,"turn":"white"`},
		{"one stone", newRequest{Black: "h8"}, 201, `"ply":1`},
		{"too many white", newRequest{White: "i9"}, 422, "0 black and 1 white"},
		{"moves too", newRequest{Moves: "h8", Black: "h8"}, 400, "exclude"},
		{"off the board", newRequest{Black: "t1"}, 422, "t1"},
		{"not cells", newRequest{Black: "?"}, 400, "?"},
		{"a small board", newRequest{Black: "a1", Size: 3}, 422, "3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			want.Rule = "freestyle"
			if want.Size == 0 {
				want.Size = 15
			}
			var answer json.RawMessage
			status := s.post("/api/games", want, &answer)
			if status != test.status || !strings.Contains(string(answer), test.answer) {
				t.Errorf("status %d, want %d: %s", status, test.status, answer)
			}
		})
	}
}

func TestImportDiagram(t *testing.T) {
	s := open(t)
	for _, test := range []struct {
		name, text string
		status     int
		answer     string
	}{
		{"a board", "X.O..\n.....\n..X..\n.....\n.....\n", 201, `"moves":["a1","c1","c3"]`},
		{"too many stones of a side", "X.X..\n.....\n..X..\n.....\n.....\n", 422, "3 black and 0 white"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, answer := s.do("POST", "/api/import?rule=freestyle", "application/octet-stream", strings.NewReader(test.text))
			if status != test.status || !strings.Contains(string(answer), test.answer) {
				t.Errorf("status %d, want %d: %s", status, test.status, answer)
			}
		})
	}
}
