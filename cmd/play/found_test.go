package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/pattern"
	"quintune/weights"
)

// A win or loss that is expected without a proof has words of its own, for people and in JSON.
func TestExpectedEndsAreNamed(t *testing.T) {
	b, err := board.New(15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	const beyond = 1<<27 + 1 // greater than any sum of weights, less than the score of a proven win
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	j := newJudgement(b, set, analysis.Report{Lines: []analysis.Line{
		{Score: beyond, Depth: 3, PV: []board.Cell{board.At(7, 7)}},
		{Score: 12, Depth: 3, PV: []board.Cell{board.At(8, 7)}},
		{Score: -beyond, Depth: 3, PV: []board.Cell{board.At(9, 7)}},
	}}, time.Second)
	if text := j.text(b); !strings.Contains(text, "score  win expected, not proven\n") || !strings.Contains(text, "3      loss expected, not proven  j8\n") {
		t.Errorf("%s", text)
	}
	data, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Count(text, `"expected"`) != 3 || !strings.Contains(text, `"win":null,"expected":"win"`) {
		t.Errorf("%s", text)
	}
}

// fourThree is a position in which Black wins by a four that makes an open three.
const fourThree = "h8g8i8a1j8a3k10a5k11o15"

func TestSolve(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct {
		solve, moves string
		win          any
		exhausted    bool
		pv           int
	}{
		{"vcf", fourThree, 5.0, false, 5},
		{"vct", fourThree, 5.0, false, 5},
		{"vcf", "h8", nil, true, 0},
		{"vct", "h8", nil, true, 0},
		{"vcf", "h8a1i8c3i9e1", nil, true, 0},      // three stones with space around them: threats, but no fours
		{"vct", "h8a1i8c3i9e1j7e3", 7.0, false, 0}, // two open threes in one move
	}
	for _, test := range tests {
		t.Run(test.solve, func(t *testing.T) {
			a := analyse(t, "", "--solve", test.solve, "--moves", test.moves, "--nodes", "50000")
			pv := a["pv"].([]any)
			if a["win"] != test.win || a["exhausted"] != test.exhausted || a["nodes"].(float64) > 50000 || a["solve"] != test.solve {
				t.Errorf("%s %s: %v", test.solve, test.moves, a)
			}
			if test.win == nil && (a["best"] != nil || len(pv) != 0) || test.win != nil && (float64(len(pv)) != test.win || pv[0] != a["best"]) {
				t.Errorf("%s %s: best %v of %v", test.solve, test.moves, a["best"], pv)
			}
		})
	}
}

func TestSolveText(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct{ moves, want string }{
		{fourThree, "win    in 5 plies\n"},
		{"h8", "best   -\nwin    no vcf\n"},
	} {
		t.Run(test.moves, func(t *testing.T) {
			out, log, status := play(t, "", "analyze", "--solve", "vcf", "--moves", test.moves)
			if status != 0 || !strings.Contains(out, test.want) {
				t.Errorf("%s: status %d, %s\n%s", test.moves, status, log, out)
			}
		})
	}
}

func TestSolveRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--solve", "all"}, {"--solve", "vcf", "--depth", "3"}, {"--solve", "vct", "--explain"}} {
		if out, log, status := play(t, "", append([]string{"analyze"}, args...)...); status != 2 || log == "" {
			t.Errorf("%v: status %d, %q, %q", args, status, out, log)
		}
	}
}
