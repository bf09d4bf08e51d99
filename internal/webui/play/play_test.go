package play

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/internal/session"
	"quintune/weights"
)

func TestGame(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Seats: [2]seatRequest{{}, engine("huang")}, Names: [2]string{"Anna", "Ben"}})
	path := "/api/games/" + g.ID
	if status := s.post(path+"/play", playRequest{"h8", 0}, &g); status != 200 || g.Ply != 1 || g.Turn != "white" {
		t.Fatalf("status %d, %+v", status, g)
	}
	var thought thinkView
	if status := s.post(path+"/think", thinkRequest{1}, &thought); status != 200 || thought.Game.Ply != 2 || len(thought.PV) == 0 {
		t.Fatalf("status %d, %+v", status, thought)
	}
	if thought.Game.Judged[1] == nil || thought.Game.Judged[0] != nil {
		t.Errorf("judged are %v", thought.Game.Judged)
	}
	for _, step := range []struct {
		way string
		ply int
	}{{"undo", 0}, {"redo", 2}} {
		t.Run(step.way, func(t *testing.T) {
			if status := s.post(path+"/go", goRequest{Way: step.way}, &g); status != 200 || g.Ply != step.ply || len(g.Moves) != 2 {
				t.Errorf("%s: status %d, %+v", step.way, status, g)
			}
		})
	}
	one := 1
	if s.post(path+"/go", goRequest{Ply: &one}, &g); g.Ply != 1 {
		t.Errorf("%+v", g)
	}
	if status := s.post(path+"/seats", seatsRequest{Seats: [2]seatRequest{engine("baseline:zhang"), {}}}, &g); status != 200 || g.Seats[0].Player != "baseline:zhang" || g.Seats[1].Player != "" {
		t.Errorf("status %d, %+v", status, g)
	}
	if status := s.post(path+"/seats", seatsRequest{Swap: true, Seats: [2]seatRequest{engine("nobody"), {}}}, &g); status != 200 || g.Seats[1].Player != "baseline:zhang" || g.Names != [2]string{"Ben", "Anna"} {
		t.Errorf("status %d, %+v", status, g)
	}
	if status, _ := s.do("DELETE", path, "", nil); status != 200 {
		t.Errorf("status %d", status)
	}
	if status, _ := s.do("GET", path, "", nil); status != 404 {
		t.Errorf("status %d for a game that is gone", status)
	}
}

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

// Weights play against weights to the end of a game, with one request for each move.
func TestWatch(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Size: 9, Seats: [2]seatRequest{engine("huang"), engine("baseline:random")}})
	for g.Outcome == "ongoing" {
		var thought thinkView
		if status := s.post("/api/games/"+g.ID+"/think", thinkRequest{g.Ply}, &thought); status != 200 {
			t.Fatalf("status %d at move %d", status, g.Ply)
		}
		g = thought.Game
	}
	if g.Outcome != "black wins" || len(g.Row) < 5 {
		t.Errorf("%+v", g)
	}
}

func TestGamesDoNotMix(t *testing.T) {
	s := open(t)
	games := make([]gameView, 6)
	for i := range games {
		games[i] = s.game(newRequest{Size: 7 + i, Seats: [2]seatRequest{{}, engine([]string{"huang", "zhang", "baseline:random"}[i%3])}})
	}
	var wait sync.WaitGroup
	for i := range games {
		wait.Go(func() {
			g := &games[i]
			for ply := 0; ply < 8; ply += 2 {
				cell := board.At(ply/2, i).String()
				if s.post("/api/games/"+g.ID+"/play", playRequest{cell, ply}, g) != 200 {
					return // the engine already searches
				}
				var thought thinkView
				s.post("/api/games/"+g.ID+"/think", thinkRequest{ply + 1}, &thought)
				*g = thought.Game
			}
		})
	}
	wait.Wait()
	for i, g := range games {
		if g.Size != 7+i || g.Moves[0] != board.At(0, i).String() {
			t.Errorf("game %d is %+v", i, g)
		}
	}
}

func TestSwap2(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Swap2: true, Seats: [2]seatRequest{engine("huang"), {}}})
	if g.Opening != "propose" || g.Mover.Player != "huang" {
		t.Fatalf("%+v", g)
	}
	path := "/api/games/" + g.ID
	var thought thinkView
	if status := s.post(path+"/think", thinkRequest{0}, &thought); status != 200 || thought.Game.Ply != 3 || !slices.Equal(thought.Game.Options, []string{"black", "white", "two"}) {
		t.Fatalf("status %d, %+v", status, thought.Game)
	}
	if status := s.post(path+"/play", playRequest{"a1", 3}, nil); status != 422 {
		t.Errorf("status %d for a stone before the choice", status)
	}
	if status := s.post(path+"/choose", chooseRequest{"black", 3}, &g); status != 200 || g.Opening != "" || g.Seats[0].Player != "" || g.Turn != "white" {
		t.Errorf("status %d, %+v", status, g)
	}
	if status := s.post(path+"/think", thinkRequest{3}, &thought); status != 200 || thought.Game.Ply != 4 {
		t.Errorf("status %d, %+v", status, thought.Game)
	}
	opening := `"` + strings.Join(thought.Game.Moves[:3], `",["`) + `"`
	tree := `{"format":"sgf","tree":[null,[` + opening + `,["a1"],["` + thought.Game.Moves[3] + `"]]]]]}`
	if status, text := s.do("POST", path+"/record", "application/json", strings.NewReader(tree)); status != 200 || strings.Count(string(text), "opening move") != 3 {
		t.Errorf("status %d for another main line behind the opening: %s", status, text)
	}
	if status := s.post(path+"/go", goRequest{Ply: new(int)}, nil); status != 200 {
		t.Errorf("status %d for a look at the opening", status)
	}
	if status := s.post(path+"/think", thinkRequest{0}, nil); status != 409 {
		t.Errorf("status %d for a move below the settled opening", status)
	}
}

// A page goes on with an opening that the program has forgotten.
func TestSwap2GoesOn(t *testing.T) {
	for _, test := range []struct {
		moves, opening string
		mover          string
		options        []string
	}{
		{"h8i9a1", "answer", "", []string{"black", "white", "two"}},
		{"h8i9a1c3", "add", "", []string{}},
		{"h8i9a1c3d4", "pick", "huang", []string{"black", "white"}},
	} {
		t.Run(test.opening, func(t *testing.T) {
			g := open(t).game(newRequest{Swap2: true, Moves: test.moves, Seats: [2]seatRequest{engine("huang"), {}}})
			if g.Opening != test.opening || g.Mover.Player != test.mover || !slices.Equal(g.Options, test.options) || strings.Join(g.Moves, "") != test.moves {
				t.Errorf("%+v", g)
			}
		})
	}
	for _, test := range []struct {
		name, moves string
		opener      seatRequest
		status      int
	}{
		{"a person's step that has begun", "h8i9", seatRequest{}, 201},
		{"an engine's step that has begun", "h8i9", engine("huang"), 422},
		{"a stone beyond the opening", "h8i9a1c3d4e5", seatRequest{}, 422},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := newRequest{Size: 15, Rule: "freestyle", Swap2: true, Moves: test.moves, Seats: [2]seatRequest{test.opener, {}}}
			if status := open(t).post("/api/games", want, nil); status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
		})
	}
}

func TestForbiddenPoints(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Rule: "renju", Moves: "h8a1i8a2g9a3g10a15"})
	if g.Forbidden["g8"] != "double three" {
		t.Errorf("forbidden are %v", g.Forbidden)
	}
	var refused map[string]string
	if status := s.post("/api/games/"+g.ID+"/play", playRequest{"g8", 8}, &refused); status != 422 || !strings.Contains(refused["error"], "double three") {
		t.Errorf("status %d, %v", status, refused)
	}
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

func TestRecords(t *testing.T) {
	s := open(t)
	g := s.game(newRequest{Rule: "standard", Moves: "h8i9h9h10g8"})
	for _, format := range []string{"psq", "sgf", "moves", "jsonl"} {
		t.Run(format, func(t *testing.T) {
			status, text := s.do("GET", "/api/games/"+g.ID+"/record?format="+format, "", nil)
			if status != 200 || len(text) == 0 {
				t.Fatalf("%s: status %d, %s", format, status, text)
			}
			var again gameView
			status, body := s.do("POST", "/api/import?size=15&rule=standard", "text/plain", bytes.NewReader(text))
			if err := json.Unmarshal(body, &again); err != nil || status != 201 || !slices.Equal(again.Moves, g.Moves) || again.Rule != "standard" {
				t.Errorf("%s: status %d, %s (%v)", format, status, body, err)
			}
		})
	}
}

// An import keeps the players' names and all games of the file. Errors of a broken psq file are those of the psq
// reader.
func TestImport(t *testing.T) {
	s := open(t)
	const sgf = "(;FF[4]GM[4]SZ[15]PB[Anna]PW[Ben];B[hh];W[ii])(;FF[4]GM[4]SZ[15]PB[Carl]PW[Dora];B[hh])"
	var v importView
	status, body := s.do("POST", "/api/import", "text/plain", strings.NewReader(sgf))
	if err := json.Unmarshal(body, &v); err != nil || status != 201 {
		t.Fatalf("status %d, %s (%v)", status, body, err)
	}
	if v.Names != [2]string{"Anna", "Ben"} || len(v.Further) != 1 || v.Further[0].Names != [2]string{"Carl", "Dora"} || v.Left != 0 {
		t.Errorf("got %s", body)
	}
	if _, text := s.do("GET", "/api/games/"+v.Further[0].ID+"/record?format=sgf", "", nil); !strings.Contains(string(text), "PB[Carl]PW[Dora]") {
		t.Errorf("the record lacks the names: %s", text)
	}
	status, body = s.do("POST", "/api/import", "text/plain", strings.NewReader(strings.Repeat(sgf, maxImports)))
	if err := json.Unmarshal(body, &v); err != nil || status != 201 || 1+len(v.Further) != maxImports || v.Left != maxImports {
		t.Errorf("status %d, %d further, %d left (%v)", status, len(v.Further), v.Left, err)
	}
	status, body = s.do("POST", "/api/import?file=game.psq", "text/plain", strings.NewReader("Piskvork 15x15\n8,8,1\n"))
	if status != 400 || !strings.Contains(string(body), "psq: line 1") {
		t.Errorf("status %d, %s", status, body)
	}
	status, body = s.do("POST", "/api/import?file=1_renju.psq", "text/plain", strings.NewReader("Piskvorky 15x15, 11:11, 0\n8,8,100\nA\nB\n0\n"))
	if err := json.Unmarshal(body, &v); err != nil || status != 201 || v.Rule != "renju" {
		t.Errorf("status %d, %s (%v)", status, body, err)
	}
}

// Games that Black's foul ended are read without it, and the answer names it. What a variation plays in its place
// stays.
func TestImportOfFouls(t *testing.T) {
	s := open(t)
	const sgf = "(;GM[4]SZ[15]RU[renju];B[hh])(;GM[4]SZ[15]RU[renju]RE[W+F];B[fh];W[aa];B[gh];W[oa];B[hf];W[ao];B[hg];W[oo]END)"
	for _, test := range []struct{ name, end, tree string }{
		{"a foul", ";B[hh]", "null"},
		{"a foul and a variation", "(;B[hh])(;B[ii];W[jj])", `[null,["f8",["a1",["g8",["o1",["h6",["a15",["h7",["o15",["i9",["j10"]]]]]]]]]]]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var v importView
			status, body := s.do("POST", "/api/import", "text/plain", strings.NewReader(strings.Replace(sgf, "END", test.end, 1)))
			if err := json.Unmarshal(body, &v); err != nil || status != 201 || len(v.Further) != 1 {
				t.Fatalf("status %d, %s (%v)", status, body, err)
			}
			g := v.Further[0]
			if v.Fouled != "" || g.Fouled != "h8" || len(g.Moves) != 8 || g.Forbidden["h8"] != "double three" || g.Outcome != "ongoing" {
				t.Errorf("got %s", body)
			}
			if got, err := json.Marshal(g.Tree); err != nil || string(got) != test.tree {
				t.Errorf("the tree is %s, want %s", got, test.tree)
			}
		})
	}
}

// The variations of an SGF file reach the page as a tree. The tree can be written to a file again, with
// everything known about the game.
func TestVariationsOfRecords(t *testing.T) {
	s := open(t)
	const sgf = "(;GM[4]SZ[15]PB[Anna];B[hh]C[5ms](;W[ii];B[jj])(;W[aa](;B[bb])(;B[cc])))(;GM[4]SZ[15];B[hh])"
	var v importView
	status, body := s.do("POST", "/api/import", "text/plain", strings.NewReader(sgf))
	if err := json.Unmarshal(body, &v); err != nil || status != 201 || !slices.Equal(v.Moves, []string{"h8", "i9", "j10"}) || v.Further[0].Tree != nil {
		t.Fatalf("status %d, %s (%v)", status, body, err)
	}
	const want = `[null,["h8",["i9",["j10"]],["a1",["b2"],["c3"]]]]`
	if got, err := json.Marshal(v.Tree); err != nil || string(got) != want {
		t.Errorf("the tree is %s, want %s", got, want)
	}
	for _, test := range []struct {
		name, tree string
		status     int
		want       string
	}{
		{"as it was", want, 200, "\n;B[hh]C[5ms]\n(;W[ii];B[jj])\n(;W[aa]\n(;B[bb])\n(;B[cc])))\n"},
		{"another main line", `[null,["h8",["a1"],["i9",["j10"]]]]`, 200, "\n;B[hh]C[5ms]\n(;W[aa])\n(;W[ii];B[jj]))\n"},
		{"an illegal move", `[null,["h8",["h8"]]]`, 422, "tree: move 2"},
		{"no cell", `[null,["zz"]]`, 422, "tree: move 1"},
		{"no list", `{"h8":1}`, 422, "tree is not a list"},
		{"a number", `[null,[7]]`, 422, "tree is not a list"},
		{"nothing", `[]`, 422, "tree is not a list"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, text := s.do("POST", "/api/games/"+v.ID+"/record", "application/json", strings.NewReader(`{"format":"sgf","tree":`+test.tree+`}`))
			if status != test.status || !strings.Contains(string(text), test.want) {
				t.Errorf("status %d, %s; want %d, %q", status, text, test.status, test.want)
			}
		})
	}
}

// What the file of a game says of its moves and its end is saved with the variations, wherever the game stands. Another main line has
// the end that the board shows.
func TestVariationsKeepWhatTheFileSays(t *testing.T) {
	s := open(t)
	const (
		head = "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[freestyle]"
		told = "EV[cup]PB[Anna]PW[Ben]RE[B+R]GC[resigned]"
		main = ";W[ii]C[7ms\nscore +3\nplayed];B[jj]C[last]"
		side = ";W[aa]C[9ms\nscore -5\nweak]\n(;B[bb]C[11ms])\n(;B[cc]C[win in 3 plies\nbest])"
		file = head + told + "\n;B[hh]C[opening move\nfirst]\n(" + main + ")\n(" + side + "))\n"
	)
	var v importView
	if _, body := s.do("POST", "/api/import", "text/plain", strings.NewReader(file)); json.Unmarshal(body, &v) != nil {
		t.Fatalf("%s", body)
	}
	for _, test := range []struct{ name, line, tree, want string }{
		{"on the main line", `"h8i9j10","ply":3`, `[null,["h8",["i9",["j10"]],["a1",["b2"],["c3"]]]]`, file},
		{"on a variation", `"h8a1c3","ply":3`, `[null,["h8",["i9",["j10"]],["a1",["b2"],["c3"]]]]`, file},
		{"on a new variation", `"j10","ply":1`, `[null,["h8",["i9",["j10"]],["a1",["b2"],["c3"]]]]`, file},
		{
			"another main line", `"h8i9j10","ply":1`, `[null,["h8",["a1",["b2"],["c3"]],["i9",["j10"]]]]`,
			"PB[Anna]PW[Ben]\n;B[hh]C[opening move\nfirst]\n(" + side + ")\n(" + main + "))\n",
		},
		{
			"a main line with a five", `"h8i9j10","ply":3`, `[null,["h8",["o1",["i8",["o2",["j8",["o3",["k8",["o4",["l8"]]]]]]]],["i9",["j10"]]]]`,
			"RE[B+1]GC[board]\n;B[hh]C[opening move\nfirst]\n(;W[oa];B[ih]",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if status, text := s.do("POST", "/api/games/"+v.ID+"/line", "application/json", strings.NewReader(`{"moves":`+test.line+`}`)); status != 200 {
				t.Fatalf("status %d, %s", status, text)
			}
			status, text := s.do("POST", "/api/games/"+v.ID+"/record", "application/json", strings.NewReader(`{"format":"sgf","tree":`+test.tree+`}`))
			if status != 200 || !strings.Contains(string(text), test.want) {
				t.Errorf("status %d, %s; want %s", status, text, test.want)
			}
		})
	}
}

// Uploaded weights for another board neither play nor analyse. The embedded set of the board takes their place,
// and the page says so.
func TestUploadForAnotherBoard(t *testing.T) {
	s := open(t)
	set, err := weights.Preset("zhang") // freestyle 15×15
	if err != nil {
		t.Fatal(err)
	}
	set.Name = "mine"
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	var p playerView
	_, body := s.do("POST", "/api/weights", "application/octet-stream", bytes.NewReader(data))
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ rule, name, instead string }{
		{"freestyle", "mine", ""},
		{"renju", "renju15 in place of mine", "mine is for freestyle 15×15: the embedded set renju15 plays here"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			g := s.game(newRequest{Rule: test.rule, Moves: "h8", Seats: [2]seatRequest{{}, engine(p.ID)}})
			if g.Seats[1].Name != test.name || g.Seats[1].Player != p.ID {
				t.Errorf("the seat is %+v, want %s", g.Seats[1], test.name)
			}
			_, answer := s.do("POST", "/api/games/"+g.ID+"/analyze", "application/json",
				strings.NewReader(`{"ply":1,"weights":"`+p.ID+`","lines":1,"nodes":200}`))
			if got := lines[analysisView](t, answer)[0].Instead; got != test.instead {
				t.Errorf("the analysis says %q, want %q", got, test.instead)
			}
		})
	}
}

func TestUpload(t *testing.T) {
	s := open(t)
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	set.Name = `<img src=x onerror=alert(1)> "mine" & yours`
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	var v, again playerView
	for _, into := range []*playerView{&v, &again} {
		status, body := s.do("POST", "/api/weights", "application/octet-stream", bytes.NewReader(data))
		if err := json.Unmarshal(body, into); err != nil || status != 200 {
			t.Fatalf("status %d, %s (%v)", status, body, err)
		}
	}
	if v != again || v.Label != set.Name || !strings.HasPrefix(v.ID, uploadPrefix) {
		t.Errorf("%+v and %+v", v, again)
	}
	g := s.game(newRequest{Seats: [2]seatRequest{engine(v.ID), {}}})
	var thought thinkView
	if status := s.post("/api/games/"+g.ID+"/think", thinkRequest{0}, &thought); status != 200 || thought.Game.Ply != 1 {
		t.Errorf("status %d, %+v", status, thought)
	}
}

// The numbers of games and uploads are bounded. The oldest is dropped, and requests for it get 404 or 400.
func TestBounds(t *testing.T) {
	s := open(t)
	now := time.Unix(1, 0)
	s.server.games.now = func() time.Time { now = now.Add(time.Second); return now }
	first := s.game(newRequest{})
	second := s.game(newRequest{})
	for range maxGames - 1 {
		if status, _ := s.do("GET", "/api/games/"+first.ID, "", nil); status != 200 {
			t.Fatalf("status %d: a game in use is forgotten", status)
		}
		s.game(newRequest{})
	}
	if status, _ := s.do("GET", "/api/games/"+second.ID, "", nil); status != 404 {
		t.Errorf("status %d: %d games are kept", status, len(s.server.games.byID))
	}
	now = now.Add(idleTime + time.Hour)
	s.game(newRequest{})
	if n := len(s.server.games.byID); n != 1 {
		t.Errorf("%d games are kept after a long time", n)
	}
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range maxUploads + 1 {
		set.Name = fmt.Sprintf("set %d", i)
		data, err := weights.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		l, err := s.server.roster.upload(data)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, l.id)
	}
	if _, err := s.server.roster.find(ids[0]); err == nil || !strings.Contains(err.Error(), "load the file again") || len(s.server.roster.uploads) != maxUploads {
		t.Errorf("%d uploads are kept (%v)", len(s.server.roster.uploads), err)
	}
	g := s.game(newRequest{Seats: [2]seatRequest{engine(ids[1]), {}}})
	if _, err := s.server.roster.find(ids[2]); err != nil {
		t.Fatal(err)
	}
	s.do("GET", "/api/games/"+g.ID, "", nil)
	if l := s.server.roster.uploads[maxUploads-1]; l.id != ids[1] {
		t.Errorf("%s was used last, want the player of a game that was seen", l.label)
	}
}

// The numbers of running and of waiting searches are bounded.
func TestPool(t *testing.T) {
	p := newPool(1, 1)
	thinker, giveBack, err := p.lend(context.Background(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for range maxWaiting {
		wait.Go(func() {
			if _, _, err := p.lend(ctx, "b"); err == nil {
				t.Error("the only engine is lent twice")
			}
		})
	}
	for waiting := 0; waiting < maxWaiting; {
		p.mu.Lock()
		waiting = p.waiting
		p.mu.Unlock()
	}
	if _, _, err := p.lend(ctx, "c"); err == nil || !strings.Contains(err.Error(), "too many searches") {
		t.Errorf("%v", err)
	}
	cancel()
	wait.Wait()
	giveBack()
	if again, _, err := p.lend(context.Background(), "a"); err != nil || again != thinker {
		t.Errorf("the engine is not given back (%v)", err)
	}
}

// A change of the game cancels the engine's search, which reports this, and the engine is free again.
func TestChangeEndsThought(t *testing.T) {
	s := open(t)
	slow := seatRequest{Player: "huang", strengthView: strengthView{Time: 200_000}}
	g := s.game(newRequest{Moves: "h8", Seats: [2]seatRequest{{}, slow}})
	path := "/api/games/" + g.ID
	status := make(chan int)
	go func() { status <- s.post(path+"/think", thinkRequest{1}, nil) }()
	h := s.server.games.find(g.ID)
	for thinks := false; !thinks; {
		h.mu.Lock()
		thinks = h.thinking != nil
		h.mu.Unlock()
	}
	if again := s.post(path+"/think", thinkRequest{1}, nil); again != 409 {
		t.Errorf("status %d for a second thought", again)
	}
	if s.post(path+"/go", goRequest{Way: "undo"}, &g); g.Ply != 0 {
		t.Errorf("%+v", g)
	}
	if got := <-status; got != 409 {
		t.Errorf("status %d of the thought", got)
	}
	if n := len(s.server.pool.places); n != 0 {
		t.Errorf("%d engines are still lent", n)
	}
}

func TestRosterHasEverything(t *testing.T) {
	s := open(t)
	_, body := s.do("GET", "/api/setup", "", nil)
	var v setupView
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	if want := len(weights.PresetNames()) + len(baseline.Names()); len(v.Players) != want || v.Default != "huang" || len(v.Rules) == 0 {
		t.Errorf("%d players, want %d: %+v", len(v.Players), want, v)
	}
	for _, p := range v.Players {
		seat := session.Seat{}
		l, err := s.server.roster.find(p.ID)
		if err != nil {
			t.Errorf("%s: %v", p.ID, err)
			continue
		}
		seat.Player = l.player
		if _, err := seat.OnBoard(15, 0); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
}

var foreign = regexp.MustCompile(`(?i)(https?:)?//[a-z0-9.-]+\.[a-z]{2,}|innerHTML|insertAdjacentHTML|document\.write|\beval\(|style="|<script>|\son[a-z]+="`)

// The files name no other server, and contain nothing that the content security policy refuses.
func TestAssets(t *testing.T) {
	s := open(t)
	names, err := fs.Glob(assets, "assets/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		status, body := s.do("GET", strings.TrimPrefix(name, "assets"), "", nil)
		if name == "assets/index.html" {
			status, body = s.do("GET", "/", "", nil)
		}
		if status != http.StatusOK {
			t.Errorf("%s: status %d", name, status)
		}
		for _, found := range foreign.FindAllString(string(body), -1) {
			if !strings.HasPrefix(found, "http://www.w3.org") {
				t.Errorf("%s holds %s", name, found)
			}
		}
	}
}

// Every key that a button names stands in the list under the board too.
func TestKeysUnderTheBoard(t *testing.T) {
	page, err := fs.ReadFile(assets, "assets/index.html")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`<p id="keys"[^>]*>(.*)</p>`).FindSubmatch(page)
	if list == nil {
		t.Fatal("there is no list of keys")
	}
	for _, key := range regexp.MustCompile(`title="[^"]*\(([^)]+)\)"`).FindAllSubmatch(page, -1) {
		if !regexp.MustCompile(`(^|[ .])` + regexp.QuoteMeta(string(key[1])) + `( |,|$)`).Match(list[1]) {
			t.Errorf("the list %q lacks %s", list[1], key[1])
		}
	}
}

// A client that reads no answers keeps nobody else from its game, nor from others.
func TestAClientThatReadsNothing(t *testing.T) {
	s := open(t)
	var black, white strings.Builder // a full board without a five, so that the answer does not fit into a buffer
	for y := 1; y <= 20; y++ {
		for x := range 20 {
			colour := &black
			if (x/2+y)%2 == 0 {
				colour = &white
			}
			fmt.Fprintf(colour, "%c%d", 'a'+x, y)
		}
	}
	v := s.game(newRequest{Size: 20, Black: black.String(), White: white.String()})
	address := strings.TrimPrefix(s.url, "http://")
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	request := strings.Repeat("GET /api/games/"+v.ID+" HTTP/1.1\r\nHost: "+address+"\r\n\r\n", 1000)
	for { // until the server waits for the client
		if err := c.SetWriteDeadline(time.Now().Add(500 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, request); err != nil {
			break
		}
	}
	s.client.Timeout = 10 * time.Second // less than the client is waited for
	for _, test := range []struct{ method, path string }{
		{"GET", "/api/games/" + v.ID}, {"DELETE", "/api/games/" + v.ID}, {"GET", "/api/setup"}, {"GET", "/api/games/" + s.game(newRequest{}).ID},
	} {
		if status, _ := s.do(test.method, test.path, "", nil); status != http.StatusOK {
			t.Errorf("%s %s: status %d", test.method, test.path, status)
		}
	}
}
