package play

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"quintune/internal/puzzle"
)

// puzzlesOf returns the puzzles of an answer.
func puzzlesOf(t *testing.T, answer []byte) []puzzleView {
	t.Helper()
	var v struct{ Puzzles []puzzleView }
	if err := json.Unmarshal(answer, &v); err != nil {
		t.Fatal(err)
	}
	return v.Puzzles
}

// The embedded puzzles are valid, cover every rule, and none occurs twice.
func TestOwnPuzzles(t *testing.T) {
	s := open(t)
	status, answer := s.do("GET", "/api/puzzles", "", nil)
	rules, ids := map[string]int{}, map[string]bool{}
	for _, p := range puzzlesOf(t, answer) {
		rules[p.Rule]++
		ids[p.ID] = true
		if _, forbidden := p.Forbidden[p.Best]; forbidden && p.Turn == "black" {
			t.Errorf("%s: the best move is forbidden", p.ID)
		}
	}
	if status != 200 || rules["freestyle"] < 50 || rules["standard"] < 50 || rules["renju"] < 50 || len(ids) != len(puzzlesOf(t, answer)) {
		t.Errorf("status %d, %v, %d different", status, rules, len(ids))
	}
}

func TestOpenPuzzles(t *testing.T) {
	s := open(t)
	own, err := puzzle.Read(bytes.NewReader(ownPuzzles))
	if err != nil {
		t.Fatal(err)
	}
	var two bytes.Buffer
	if err := puzzle.Write(&two, own[:2]); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"two puzzles", two.String(), 200, own[1].ID},
		{"an empty file", "\n", 400, "no puzzle"},
		{"a record", "h8i9\n", 400, "line 1"},
		{"a wrong solution", strings.Replace(two.String(), own[0].Best, "a1", 1), 400, "line 1"},
		{"too long", strings.Repeat("\n", 2<<20), 413, "longer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, answer := s.do("POST", "/api/puzzles", "application/octet-stream", strings.NewReader(test.body))
			if status != test.status || !strings.Contains(string(answer), test.want) {
				t.Errorf("status %d, want %d: %.200s", status, test.status, answer)
			}
		})
	}
}
