package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// analyse runs play analyze with JSON output and returns the object.
func analyse(t *testing.T, in string, args ...string) map[string]any {
	t.Helper()
	out, log, status := play(t, in, append([]string{"analyze", "--format", "json", "--weights", "huang"}, args...)...)
	if status != 0 {
		t.Fatalf("%v: status %d, %s", args, status, log)
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(out), &object); err != nil {
		t.Fatalf("%v: %v in %q", args, err, out)
	}
	return object
}

func TestAnalyzeJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	a := analyse(t, "", "--moves", "h8i9", "--nodes", "2000")
	for _, key := range []string{"best", "score", "win", "depth", "nodes", "nps", "pv", "lines"} {
		t.Run(key, func(t *testing.T) {
			if _, ok := a[key]; !ok {
				t.Errorf("%s is missing in %v", key, a)
			}
		})
	}
	if len(a) != 8 {
		t.Errorf("%d keys in %v", len(a), a)
	}
	if a["win"] != nil || a["nodes"].(float64) < 1000 || a["nodes"].(float64) > 2000 || a["depth"].(float64) < 1 {
		t.Errorf("%v", a)
	}
	if pv := a["pv"].([]any); len(pv) == 0 || pv[0] != a["best"] {
		t.Errorf("the line %v does not begin with %v", pv, a["best"])
	}
	b := analyse(t, "", "--moves", "h8i9", "--nodes", "2000")
	delete(a, "nps")
	delete(b, "nps")
	if one, two := mustJSON(t, a), mustJSON(t, b); one != two {
		t.Errorf("twice the same search:\n%s\n%s", one, two)
	}
}

// A search without a finished depth knows no score, and says no even one. Nor does one of an empty board, which needs no search.
func TestAnalyzeSaysThatTheScoreIsUnknown(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tc := range []struct{ flag, value, nodes, want string }{
		{"--moves", "h8i9", "1", "score  unknown, since no depth was finished\ndepth  0\n"},
		{"--moves", "h8i9", "2000", "score  +"},
		{"--size", "15", "2000", "score  unknown, since an empty board is not searched\ndepth  0\n"},
	} {
		if out, _, _ := play(t, "", "analyze", "--weights", "huang", "--nodes", tc.nodes, tc.flag, tc.value); !strings.Contains(out, tc.want) {
			t.Errorf("%s %s, %s nodes: no %q in\n%s", tc.flag, tc.value, tc.nodes, tc.want, out)
		}
	}
}

func mustJSON(t *testing.T, object any) string {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAnalyzeProvenEnds(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct {
		moves string
		win   any
		best  string // "" where several moves are equally good
	}{
		{"h8a1i8a2j8a3k8a15", 1.0, ""},  // four in a row, open on both sides
		{"h8a1i8a2j8a3k8g8", 1.0, "l8"}, // one end closed
		{"h8a1i8a2j8a3k8", -2.0, ""},    // White against an open four
		{"h8a1i8a2j8c13", 3.0, ""},      // an open three becomes an open four
		{"h8", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.moves, func(t *testing.T) {
			a := analyse(t, "", "--moves", test.moves, "--nodes", "5000")
			if a["win"] != test.win || test.best != "" && a["best"] != test.best {
				t.Errorf("%s: %v, want win %v by %q", test.moves, a, test.win, test.best)
			}
		})
	}
}

func TestAnalyzeRecords(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "game.txt", "h8 i9\nh9\n")
	want := analyse(t, "", "--moves", "h8i9h9", "--depth", "3")
	for name, got := range map[string]map[string]any{
		"file":  analyse(t, "", "game.txt", "--depth", "3"),
		"stdin": analyse(t, "h8i9\nh9", "-", "--depth", "3"),
	} {
		t.Run(name, func(t *testing.T) {
			if got["best"] != want["best"] || got["nodes"] != want["nodes"] || got["depth"] != 3.0 {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		})
	}
	if _, log, status := play(t, strings.Repeat(" ", maxRecord+1), "analyze", "-", "--position"); status != 1 || !strings.Contains(log, "longer") {
		t.Errorf("status %d, %q", status, log)
	}
}

func TestAnalyzeText(t *testing.T) {
	t.Chdir(t.TempDir())
	out, _, status := play(t, "", "analyze", "--moves", "h8i9", "--size", "20", "--nodes", "500", "--json", "--explain", "--rule", "standard")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || !strings.Contains(out, "\nbest ") || !strings.Contains(out, "\n20  .") || !strings.Contains(out, ".[O].") {
		t.Errorf("status %d:\n%s", status, out)
	}
	var object struct {
		Best    string
		Explain []struct {
			Weight        string
			Count, Points int
		}
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &object); err != nil || len(object.Explain) == 0 || object.Best == "" {
		t.Errorf("the last line is %q (%v)", lines[len(lines)-1], err)
	}
}

func TestAnalyzeEndsWithItsContext(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	out, _, status := playIn(t, ctx, strings.NewReader(""), "analyze", "--moves", "h8i9", "--time", "1m", "--json")
	if status != 130 || !strings.Contains(out, `"best":"`) || time.Since(start) > 10*time.Second {
		t.Errorf("status %d after %v, %q", status, time.Since(start), out)
	}
}

func TestAnalyzeSeveralLines(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := analyse(t, "", "--moves", "h8i9", "--nodes", "20000", "--multipv", "3")["lines"].([]any)
	seen := map[any]bool{}
	for _, line := range lines {
		seen[line.(map[string]any)["move"]] = true
	}
	if len(lines) != 3 || len(seen) != 3 {
		t.Errorf("%v", lines)
	}
}

// Under renju the JSON object lists Black's forbidden cells, as an empty list where there are none, and the
// drawn board shows them.
func TestAnalyzeForbidden(t *testing.T) {
	t.Chdir(t.TempDir())
	const doubleThree = "g8a1i8o15h7a15h9o1"
	for moves, want := range map[string]string{"h8": `[]`, doubleThree: `["h8"]`, doubleThree + "a2": `["h8"]`} {
		a := analyse(t, "", "--rule", "renju", "--moves", moves, "--nodes", "200")
		if got := mustJSON(t, a["forbidden"]); got != want {
			t.Errorf("%s: %s are forbidden, want %s", moves, got, want)
		}
	}
	if a := analyse(t, "", "--rule", "standard", "--moves", doubleThree, "--nodes", "200"); a["forbidden"] != nil {
		t.Errorf("under standard %v are forbidden", a["forbidden"])
	}
	out, _, _ := play(t, "", "analyze", "--rule", "renju", "--moves", doubleThree, "--nodes", "200", "--weights", "huang")
	if !strings.Contains(out, " 8  . . . . . . X # X") {
		t.Errorf("the board does not show h8:\n%s", out)
	}
}
