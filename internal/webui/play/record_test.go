package play

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

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
