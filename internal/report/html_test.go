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

	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
)

const hostile = "<script>alert('x')</script>&\"'`\x1b[31m"

// sampleRun is a finished run of which all is known.
func sampleRun() *Run {
	r := &Run{
		Summary: run.Summary{
			Name: "r-huang-7-1f2e3d4c", Hash: "1f2e3d4c5b6a7988", Begun: time.Date(2025, 3, 1, 22, 10, 0, 0, time.UTC),
			Start: "huang", Rule: "freestyle", Size: 15, Nodes: 1000, Optimizer: "ga", Seed: 7,
			Budget: 16000, Engine: "5f1ac3", Commit: "abcdef0", GoArch: "amd64", GoLevel: "v1", Progress: run.Progress{Games: 15210, Done: true},
		},
		Commands: []string{"tune run --start huang --budget 16000games --seed 7 --out weights.json"},
		State: run.State{
			Outcome: run.Outcome{
				Generations: 40, Evolution: 9920,
				Checks: []run.Check{
					{Games: 1000, Pairs: stats.Pentanomial{20, 30, 60, 32, 22}},
					{Games: 2000, Pairs: stats.Pentanomial{10, 30, 60, 42, 32}},
					{Games: 9000, Pairs: stats.Pentanomial{12, 30, 60, 42, 32}},
				},
				Validation: &match.Report{B: "huang", Nodes: 1000, Pairs: 1200, Games: 2400, Wins: 1300, Draws: 50, Losses: 1050, Elo: 58.2, EloLow: 44.1, EloHigh: 72.4, Openings: "a1b2"},
				Further: []match.Report{
					{B: "huang", Nodes: 4000, Pairs: 200, Games: 400, Wins: 210, Draws: 10, Losses: 180, Elo: 26, EloLow: -8, EloHigh: 60, Openings: "a1b2"},
				},
			},
			Gates: []run.Gate{
				gate(match.GateReport{Verdict: "accept H0", LLR: -3.0}, 700, -3, -20, 14),
				gate(match.GateReport{Verdict: "accept H1", LLR: 2.99, Passed: true}, 312, 61, 30, 92),
			},
		},
		Sensitivity: &run.Sensitivity{Groups: []run.GroupChange{{Name: "cell", Weights: 1, Cost: &match.Report{Pairs: 400}}}, Changes: []run.WeightChange{
			{Name: "line.open_two.self", Cost: &match.Report{Pairs: 400, Elo: 12, EloLow: 2, EloHigh: 22}},
			{Name: "line.three.self"},
			{Name: "line.four.self", Cost: &match.Report{Pairs: 400, Elo: -1, EloLow: -11, EloHigh: 9}},
		}},
	}
	r.State.Gates[1].Final = true
	for i, name := range []string{"line.open_two.self", "line.four.self", "cell.tempo.self", "cell.still", "black_line.four.self"} {
		r.Weights = append(r.Weights, run.Value{
			Parameter: run.Parameter{Name: name, Group: name[:4], Doc: "points of " + name, Start: float64(100 * i), Ref: 100}, Now: float64(130*i - i/3*90),
		})
	}
	r.Weights[4].Idle = true
	for k := range 40 {
		r.Generations = append(r.Generations, run.Generation{
			Games: 248 * (k + 1), Figures: run.Figures{Spread: .2 - float64(k)*.003, Sigma: .2 - float64(k)*.002, Best: float64(20 + k), Mean: float64(k)},
			Values: []float64{0, float64(100 + k), float64(200 + 2*k), 300, 430},
		})
	}
	return r
}

// gate returns a gate against huang with the figures.
func gate(g match.GateReport, pairs int64, elo, low, high float64) run.Gate {
	g.Report = match.Report{B: "huang", Pairs: pairs, Elo: elo, EloLow: low, EloHigh: high}
	g.Lower, g.Upper, g.NElo1, g.Alpha, g.Beta = -2.94, 2.94, 10, .025, .05
	return run.Gate{Report: g}
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
		"The run gained 58 Elo over huang.",
		"Measured in 2,400 games on openings that no book holds: &#43;58 [&#43;44, &#43;72] Elo (95 % interval); 1,300 won, 50 drawn, 1,050 lost.",
		"tune run --start huang --budget 16000games --seed 7 --out weights.json",
		"An earlier gate against huang was not passed: −3 [−20, &#43;14] Elo after 700 pairs.",
		"The final gate against huang was passed: &#43;61 [&#43;30, &#43;92] Elo after 312 pairs.",
		"at most 2.5 % of cases", "not stronger by 10 nElo; if it were, a gate like this would refuse it by chance in at most 5 % of cases",
		"It is an interval that holds 0: no difference is shown.",
		"Elo lost by setting the genes of single weights back",
		"2 of 4 weights differ",
		"9,920 of them in 40 generations",
		"<td>the group cell, 1 weight</td>",
		"<td>line.four.self</td><td>100</td><td>130</td><td>×1.30</td>",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("the report lacks %q", want)
			}
		})
	}
	if n := strings.Count(text, "<figure"); n != 5 || strings.Count(text, "</svg>") < 5 {
		t.Errorf("%d figures, want 5", n)
	}
	if again := html(t, sampleRun()); again != text {
		t.Error("equal runs give different reports")
	}
}

func TestHeadlines(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Run)
		want   string
	}{
		{"gain", func(*Run) {}, "The run gained 58 Elo over huang."},
		{"no gate passed", func(r *Run) { r.State.Gates = r.State.Gates[:1] }, "The run gained 58 Elo over huang, but no gate was passed."},
		{"loss", func(r *Run) {
			r.State.Validation.EloLow, r.State.Validation.EloHigh, r.State.Validation.Elo = -30, -10, -20
		}, "The run lost 20 Elo against huang."},
		{"every game won", func(r *Run) {
			r.State.Validation.Elo, r.State.Validation.EloLow, r.State.Validation.EloHigh = stats.EloOf(1), 693, stats.EloOf(1)
		}, "The run gained more than 693 Elo over huang."},
		{"every game lost", func(r *Run) {
			r.State.Validation.Elo, r.State.Validation.EloLow, r.State.Validation.EloHigh = stats.EloOf(0), stats.EloOf(0), -693
		}, "The run lost more than 693 Elo against huang."},
		{"no difference", func(r *Run) { r.State.Validation.EloLow = -3 }, "No difference from huang was measured: +58 Elo, an interval that holds 0."},
		{"equal weights", func(r *Run) { r.State.Validation = &match.Report{B: "huang"} }, "No difference from huang was measured: 0 Elo, the values are the same."},
		{"no validation", func(r *Run) { r.State.Validation = nil }, "What the run gained has not been measured: the run was played without gate and validation."},
		{"unfinished", func(r *Run) { r.State.Validation, r.Done = nil, false }, "What the run gained has not been measured: the run is not finished. The check matches below are for watching only."},
		{"without check matches", func(r *Run) { r.State.Validation, r.State.Checks, r.Done = nil, nil, false }, "What the run gained has not been measured: the run is not finished."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := sampleRun()
			test.change(r)
			if got := r.Headline(); got != test.want {
				t.Errorf("headline %q, want %q", got, test.want)
			}
		})
	}
	undecided := &run.Gate{Report: match.GateReport{Report: match.Report{B: "huang", Pairs: 9}, LLR: 1, Lower: -2, Upper: 2}}
	if words := gateWords(undecided); !strings.Contains(words, "was undecided") || !strings.Contains(words, "stayed between −2.00 and 2.00") {
		t.Errorf("an undecided gate is told as %q", words)
	}
	unplayed := &match.Report{B: "huang", Nodes: 4000}
	if got, want := validationWords(unplayed), "No game was played against huang at 4,000 nodes a move: the values are the same."; got != want {
		t.Errorf("a validation without a game is told as %q, want %q", got, want)
	}
	equal := &run.Gate{Report: match.GateReport{Report: match.Report{B: "huang"}, Verdict: stats.AcceptH0.String()}}
	if words := gateWords(equal); !strings.Contains(words, "without a game") {
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
	r.State.Gates[0].Report.B, r.State.Validation.B, r.State.Validation.Openings = hostile, hostile, hostile
	r.Sensitivity.Changes[0].Name, r.Weights[1].Name, r.Weights[1].Doc = hostile, hostile, hostile
	if text := html(t, r); strings.Contains(text, "<script") {
		at := strings.Index(text, "<script")
		t.Errorf("a name became markup: %q", text[max(0, at-80):at+80])
	}
}

func TestReportOfABareRun(t *testing.T) {
	bare := &Run{Summary: run.Summary{Name: "r", Budget: 30000, Progress: run.Progress{Open: 980}}}
	if got, want := bare.Basis(), "980 of 30,000 games have been played."; got != want {
		t.Errorf("an open step is told as %q, want %q", got, want)
	}
	text := html(t, bare)
	for _, want := range []string{"No gate was played", "No validation was played", "not finished", "<dd>980 of 30,000, ", "There is nothing to draw yet."} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("the report lacks %q", want)
			}
		})
	}
}

// A generation without ratings, such as one of the fit, has no point on the lines of ratings; without any there is no picture.
func TestUnratedGenerationsAreLeftOut(t *testing.T) {
	r := sampleRun()
	r.Generations[0].Best, r.Generations[0].Mean = 0, 0
	points := r.rated(func(g *run.Generation) float64 { return g.Best })
	if len(points) != len(r.Generations)-1 || points[0].Y == 0 {
		t.Errorf("%d points of %d generations, the first %v, want all but one, and the first rated", len(points), len(r.Generations), points[0])
	}
	for i := range r.Generations {
		r.Generations[i].Best, r.Generations[i].Mean = 0, 0
	}
	for _, p := range r.Pictures() {
		if p.Name == "fitness" {
			t.Error("ratings are drawn where there are none")
		}
		if _, err := p.Render("svg"); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// The rating curve pools the check matches as the page of the run does.
func TestCurvePoolsChecks(t *testing.T) {
	if points := sampleRun().curve().Checks; len(points) != 3 || points[2].Pairs != 164+174+176 || points[2].Games != 9000 {
		t.Errorf("the curve is %+v, want all three checks in the last point", points)
	}
}

func TestBackticksAreCode(t *testing.T) {
	r := sampleRun()
	r.Notes = []string{"give it to `tune run <b>` again, not `"}
	r.Weights[0].Doc = "see `--first-nodes`"
	text := html(t, r)
	if !strings.Contains(text, "<li>give it to <code>tune run &lt;b&gt;</code> again, not `</li>") {
		t.Error("a command in a note is not shown as code")
	}
	if !strings.Contains(text, "<td>see <code>--first-nodes</code></td>") {
		t.Error("an option in a weight's meaning is not shown as code")
	}
}

// The fifth of the picture where the legend stands is free of curves.
func TestLegendsAreBesideTheCurves(t *testing.T) {
	p, err := sampleRun().fitness()
	if err != nil {
		t.Fatal(err)
	}
	const best = 59
	if free := (p.Y.Max - best) / (p.Y.Max - p.Y.Min); free < .19 {
		t.Errorf("%v of the height is free above the curves, want a fifth", free)
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

// The legend of the weights has a line each, and all of them stand above the curves.
func TestLegendOfTheWeightsIsAboveTheCurves(t *testing.T) {
	r := sampleRun()
	lines := len(r.traced())
	p, err := r.traces()
	if err != nil || lines == 0 {
		t.Fatalf("%d weights are drawn (%v)", lines, err)
	}
	most := 1.0
	for _, g := range r.Generations {
		for _, i := range r.traced() {
			most = max(most, g.Values[i]/r.Weights[i].Start)
		}
	}
	free := (p.Y.Max - most) / (p.Y.Max - p.Y.Min) * float64(r.tracesHeight()-axisHeight)
	if want := float64(lines) * float64(legendLine); free < want {
		t.Errorf("%v points are free above the curves, want %v for %d lines", free, want, lines)
	}
}

// Page and pictures have one face, and an interval is not broken in the last column of the sensitivity.
func TestOneFace(t *testing.T) {
	text := html(t, sampleRun())
	if strings.Contains(text, "Serif") || strings.Contains(text, "system-ui") || !strings.Contains(text, "font-family:'Liberation Sans',Arial") {
		t.Error("the page has another face beside Liberation Sans")
	}
	if !strings.Contains(text, `<table class="figures">`) || !strings.Contains(text, ".figures td:last-child { text-align: right; white-space: nowrap;") {
		t.Error("the intervals of the sensitivity may break")
	}
}
