package play

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// An analysis that is left before it has seen much does not judge the position, so the curve does.
func TestAbortedAnalysisJudgesNothing(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Moves: "h8i9"})
	ctx, leave := context.WithCancel(context.Background())
	r := httptest.NewRequest("POST", "/api/games/"+g.ID+"/analyze", strings.NewReader(`{"ply":2,"weights":"huang","nodes":1000000}`)).WithContext(ctx)
	r.Header.Set("Content-Type", "application/json")
	w := leaving{httptest.NewRecorder(), leave}
	s.server.ServeHTTP(w, r)
	if ctx.Err() == nil {
		t.Fatalf("the analysis has no lines: %s", w.Body)
	}
	if _, body := s.do("GET", "/api/games/"+g.ID, "", nil); json.Unmarshal(body, &g) != nil || g.Judged[2] != nil {
		t.Errorf("judged is %s", body)
	}
}

// leaving is a client that leaves at the first lines.
type leaving struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
}

func (l leaving) Write(data []byte) (int, error) {
	if bytes.Contains(data, []byte(`"lines"`)) {
		l.leave()
	}
	return l.ResponseRecorder.Write(data)
}

func TestAnalyze(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Moves: "h8i9h9h10g8"})
	data, err := json.Marshal(taskRequest{Ply: 5, Weights: "sjtu", Lines: 4, Nodes: 4000}) // whose open three is not huang's
	if err != nil {
		t.Fatal(err)
	}
	status, body := s.do("POST", "/api/games/"+g.ID+"/analyze", "application/json", bytes.NewReader(data))
	steps := lines[analysisView](t, body)
	if status != 200 || len(steps) < 3 || len(steps[0].Heat) == 0 {
		t.Fatalf("status %d, %s", status, body)
	}
	for cell, value := range steps[0].Heat {
		if value <= 0 || value > 1 {
			t.Errorf("heat of %s is %v", cell, value)
		}
	}
	last := steps[len(steps)-1]
	if !last.Done || len(last.Lines) != 4 || last.Lines[0].PV[0] != last.Lines[0].Move || last.Lines[0].Chances <= 0 {
		t.Errorf("%+v", last)
	}
	_, body = s.do("GET", "/api/games/"+g.ID, "", nil)
	if err := json.Unmarshal(body, &g); err != nil || g.Judged[5] == nil {
		t.Fatalf("the analysis judges nothing: %s (%v)", body, err)
	}
	if white := last.Lines[0].Chances; math.Abs(g.Judged[5].Chances-(1-white)) > 1e-9 {
		t.Errorf("Black's chances are %v, White's %v", g.Judged[5].Chances, white)
	}
}

// A win by continuous fours is returned as a sequence, both with an analysis and when it is asked for.
func TestForcedWins(t *testing.T) {
	s := open(t)
	const moves = "h8a1h9a2h10b15i8o1j8o2" // Black has two open threes
	g := s.game(newRequest{Moves: moves})
	data, err := json.Marshal(taskRequest{Ply: 10, Weights: "huang", Nodes: 2000})
	if err != nil {
		t.Fatal(err)
	}
	_, body := s.do("POST", "/api/games/"+g.ID+"/analyze", "application/json", bytes.NewReader(data))
	found := slices.ContainsFunc(lines[analysisView](t, body), func(v analysisView) bool {
		return v.Solution != nil && v.Solution.Win && len(v.Solution.Line) == v.Solution.Plies
	})
	if !found {
		t.Errorf("no forced win in %s", body)
	}
	for _, solver := range []string{"vcf", "vct"} {
		t.Run(solver, func(t *testing.T) {
			var v solutionView
			if status := s.post("/api/games/"+g.ID+"/solve", taskRequest{Ply: 10, Weights: "huang", Nodes: 20_000, Solver: solver}, &v); status != 200 || !v.Win || v.Solver != solver {
				t.Errorf("%s: status %d, %+v", solver, status, v)
			}
		})
	}
}

func TestCurve(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Moves: "h8i9h9h10g8"})
	data := []byte(`{"weights":"huang","nodes":300}`)
	status, body := s.do("POST", "/api/games/"+g.ID+"/curve", "application/json", bytes.NewReader(data))
	points := lines[curveView](t, body)
	if status != 200 || len(points) != 6 {
		t.Fatalf("status %d, %s", status, body)
	}
	for i, p := range points {
		if p.Ply != i || p.Judged == nil || p.Judged.Chances < 0 || p.Judged.Chances > 1 {
			t.Errorf("point %d is %+v", i, p)
		}
	}
	if _, body = s.do("POST", "/api/games/"+g.ID+"/curve", "application/json", bytes.NewReader(data)); len(body) != 0 {
		t.Errorf("what is known is judged again: %s", body)
	}
}
