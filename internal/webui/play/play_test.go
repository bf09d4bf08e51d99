package play

import (
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"quintune/board"
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
