package report

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const hostile = "<script>alert('x')</script>&\"'`\x1b[31m"

// sampleRun is a finished run of which all is known.
func sampleRun() *Run {
	r := &Run{
		Name: "r-huang-7-1f2e3d4c", ID: "1f2e3d4c5b6a7988", Begun: time.Date(2025, 3, 1, 22, 10, 0, 0, time.UTC), Done: true,
		Start: "huang", Rule: "freestyle", Size: 15, Nodes: 1000, Optimizer: "ga", Seed: 7,
		Budget: 16000, Games: 15210, Evolution: 9920, Engine: "5f1ac3", Commit: "abcdef0", Arch: "amd64 v1",
		Commands: []string{"tune run --start huang --budget 16000games --seed 7 --out weights.json"},
		Checks:   []Point{{1000, 10, -20, 40}, {2000, 60, 30, 92}, {9000, 55, 22, 88}},
		Gates: []Gate{
			{Opponent: "huang", Verdict: "accept H0", Pairs: 700, Elo: -3, Low: -20, High: 14, LLR: -3.0, Lower: -2.94, Upper: 2.94, NElo1: 10, Alpha: .025},
			{Opponent: "huang", Final: true, Passed: true, Verdict: "accept H1", Pairs: 312, Elo: 61, Low: 30, High: 92, LLR: 2.99, Lower: -2.94, Upper: 2.94, NElo1: 10, Alpha: .025},
		},
		Validations: []Validation{
			{Opponent: "huang", Nodes: 1000, Games: 2400, Wins: 1300, Draws: 50, Losses: 1050, Elo: 58.2, Low: 44.1, High: 72.4, Openings: "a1b2"},
			{Opponent: "huang", Nodes: 4000, Games: 400, Wins: 210, Draws: 10, Losses: 180, Elo: 26, Low: -8, High: 60, Openings: "a1b2"},
		},
		Sensitivity: []Ablation{{"line.open_two.self", 400, 12, 2, 22}, {"line.four.self", 400, -1, -11, 9}},
	}
	for i, name := range []string{"line.open_two.self", "line.four.self", "cell.tempo.self", "cell.still"} {
		r.Weights = append(r.Weights, Weight{Name: name, Group: name[:4], Doc: "points of " + name, Start: int32(100 * i), Final: int32(130*i) - int32(i/3)*90})
	}
	r.Weights[1].Distance, r.Weights[2].Distance = .38, .38
	for k := range 40 {
		r.Generations = append(r.Generations, Generation{
			Games: 248 * (k + 1), Spread: .2 - float64(k)*.003, Sigma: .2 - float64(k)*.002, Best: float64(20 + k), Mean: float64(k),
			Values: []int32{0, int32(100 + k), int32(200 + 2*k), int32(300)},
		})
	}
	return r
}

func html(t *testing.T, r *Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, t.Name()+".html"), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestReportSaysWhatWasGained(t *testing.T) {
	text := html(t, sampleRun())
	for _, want := range []string{
		"The weights gained 58 Elo over huang.",
		"Measured in 2,400 games on openings made for this run: &#43;58 Elo, 95 % interval [&#43;44, &#43;72]; 1,300 won, 50 drawn, 1,050 lost.",
		"tune run --start huang --budget 16000games --seed 7 --out weights.json",
		"An interim gate against huang was failed: −3 Elo [−20, &#43;14] after 700 pairs.",
		"The final gate against huang was passed: &#43;61 Elo [&#43;30, &#43;92] after 312 pairs.",
		"at most 2.5 % of cases",
		"The interval holds 0: no difference is shown.",
		"Elo lost by setting single weights back",
		"2 of 4 weights differ",
		"<td>line.four.self</td><td>100</td><td>130</td><td>×1.30</td>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if n := strings.Count(text, "<figure"); n != 5 || strings.Count(text, "</svg>") < 5 {
		t.Errorf("%d figures", n)
	}
	if again := html(t, sampleRun()); again != text {
		t.Error("equal runs give different reports")
	}
}

func TestHeadlines(t *testing.T) {
	tests := []struct {
		change func(*Run)
		want   string
	}{
		{func(r *Run) { r.Validations[0].Low, r.Validations[0].High, r.Validations[0].Elo = -30, -10, -20 }, "The weights lost 20 Elo against huang."},
		{func(r *Run) { r.Validations[0].Low = -3 }, "No difference from huang was measured: +58 Elo, and the interval holds 0."},
		{func(r *Run) { r.Validations = nil }, "What the weights gained has not been measured: the run was played without gate and validation."},
		{func(r *Run) { r.Validations, r.Done = nil, false }, "What the weights gained has not been measured: the run is not finished. The check matches below are for watching only."},
	}
	for _, test := range tests {
		r := sampleRun()
		test.change(r)
		if got := r.Headline(); got != test.want {
			t.Errorf("headline %q, want %q", got, test.want)
		}
	}
	undecided := Gate{Opponent: "huang", Pairs: 9, LLR: 1, Lower: -2, Upper: 2}
	if words := undecided.Words(); !strings.Contains(words, "was not passed") || !strings.Contains(words, "stayed between −2.00 and 2.00") {
		t.Errorf("an undecided gate is told as %q", words)
	}
	equal := Gate{Opponent: "huang"}
	if words := equal.Words(); !strings.Contains(words, "without a game") {
		t.Errorf("a gate of equal weights is told as %q", words)
	}
}

func TestReportLoadsNothing(t *testing.T) {
	text := strings.NewReplacer("http://www.w3.org/2000/svg", "", "http://www.w3.org/1999/xlink", "").Replace(html(t, sampleRun()))
	if found := regexp.MustCompile(`(?i)https?:|src=|@import|url\(|<script|<link`).FindString(text); found != "" {
		t.Errorf("the report holds %q", found)
	}
}

func TestHostileNamesAreEscaped(t *testing.T) {
	r := sampleRun()
	r.Name, r.Start, r.Optimizer, r.Commands, r.Notes = hostile, hostile, hostile, []string{hostile}, []string{hostile}
	r.Gates[0].Opponent, r.Validations[0].Opponent, r.Validations[0].Openings = hostile, hostile, hostile
	r.Sensitivity[0].Weight, r.Weights[1].Name, r.Weights[1].Doc = hostile, hostile, hostile
	if text := html(t, r); strings.Contains(text, "<script") {
		at := strings.Index(text, "<script")
		t.Errorf("a name became markup: %q", text[max(0, at-80):at+80])
	}
}

func TestReportOfABareRun(t *testing.T) {
	text := html(t, &Run{Name: "r"})
	for _, want := range []string{"No gate was played", "No validation was played", "not finished"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

func TestPictures(t *testing.T) {
	var names []string
	for _, p := range sampleRun().Pictures() {
		names = append(names, p.Name)
		data, err := p.Render("png")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if got, want := fmt.Sprint(names), "[curve fitness spread traces sensitivity]"; got != want {
		t.Errorf("pictures %s, want %s", got, want)
	}
}
