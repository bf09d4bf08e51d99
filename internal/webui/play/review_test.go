package play

import (
	"encoding/json"
	"strings"
	"testing"
)

// The review on the page has the findings of `play analyze`: the open three that was not answered, and the
// missed win.
func TestReview(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Moves: "h8a1i8a15j8o1k8g8c3"})
	path := "/api/games/" + g.ID
	status, answer := s.do("POST", path+"/review", "application/json", strings.NewReader(`{"weights":"huang","nodes":2000}`))
	steps := lines[reviewStep](t, answer)
	if status != 200 || len(steps) != 11 || steps[0].Left != 10 {
		t.Fatalf("status %d, %d steps: %.300s", status, len(steps), answer)
	}
	v := steps[len(steps)-1].Review
	if v == nil || len(v.Notes) != 9 || strings.Join(v.Moves, "") != "h8a1i8a15j8o1k8g8c3" {
		t.Fatalf("%+v", v)
	}
	last := v.Notes[8]
	if last.Verdict != "blunder" || last.Best != "l8" || strings.Join(last.Missed, "") != "l8" || last.Better != "win in 1 ply" {
		t.Errorf("%+v", last)
	}
	if black, white := v.Sides[0], v.Sides[1]; black.Missed != 1 || black.Blunders == 0 || black.Accuracy == nil || *black.Accuracy == 100 || white.Accuracy == nil {
		t.Errorf("%+v and %+v", black, white)
	}
	s.post(path+"/go", goRequest{Way: "undo"}, &g)
	for ply, j := range g.Judged[:9] {
		if j == nil {
			t.Errorf("nothing is known of the position after %d moves", ply)
		}
	}
}

// All moves are reviewed, including undone ones.
func TestReviewOfUndoneMoves(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Moves: "h8i9g7"})
	s.post("/api/games/"+g.ID+"/go", goRequest{Way: "undo"}, &g)
	_, answer := s.do("POST", "/api/games/"+g.ID+"/review", "application/json", strings.NewReader(`{"weights":"huang","nodes":200}`))
	steps := lines[reviewStep](t, answer)
	if v := steps[len(steps)-1].Review; v == nil || len(v.Notes) != 3 {
		t.Errorf("%.300s", answer)
	}
}

// The opening of a file counts as one, though some of its moves are undone.
func TestReviewOfAnUndoneOpening(t *testing.T) {
	s := open(t)
	var v importView
	_, body := s.do("POST", "/api/import?file=g.sgf", "text/plain", strings.NewReader("(;FF[4]GM[4]SZ[15];B[hh]C[opening move];W[aa]C[opening move];B[oo]C[opening move];W[ii];B[jj])"))
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.post("/api/games/"+v.ID+"/go", goRequest{Way: "undo"}, &v)
	}
	_, answer := s.do("POST", "/api/games/"+v.ID+"/review", "application/json", strings.NewReader(`{"weights":"huang","nodes":500}`))
	steps := lines[reviewStep](t, answer)
	r := steps[len(steps)-1].Review
	if r == nil || len(r.Notes) != 5 {
		t.Fatalf("%.300s", answer)
	}
	for i, n := range r.Notes[:3] {
		if n.Verdict != "" {
			t.Errorf("move %d of the opening is a %s", i+1, n.Verdict)
		}
	}
}

func TestReviewRefuses(t *testing.T) {
	s := open(t)
	for _, test := range []struct {
		name, moves, body string
		status            int
		want              string
	}{
		{"an empty board", "", `{"weights":"huang"}`, 409, "no move"},
		{"unknown weights", "h8", `{"weights":"nobody"}`, 400, "nobody"},
		{"too many nodes", "h8", `{"weights":"huang","nodes":2000000000}`, 400, "nodes is 2000000000, outside"},
		{"fewer than none", "h8", `{"weights":"huang","nodes":-1}`, 400, "nodes is -1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := s.game(newRequest{Moves: test.moves})
			status, answer := s.do("POST", "/api/games/"+g.ID+"/review", "application/json", strings.NewReader(test.body))
			if status != test.status || !strings.Contains(string(answer), test.want) {
				t.Errorf("status %d, want %d: %s", status, test.status, answer)
			}
		})
	}
}
