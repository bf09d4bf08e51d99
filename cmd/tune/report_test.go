package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/weights"
)

// checkReport writes the report of a finished run on a board of 9 with openings of its own, and all pictures.
func checkReport(t *testing.T, name string) {
	t.Helper()
	o := object(t, done(t, "report", name, "--png", "pictures", "--json"))
	text := string(read(t, "report.html"))
	for _, want := range []string{
		"<svg", "Measured in ", "95 % interval", "tune run --start huang --budget 200games --seed ", "--size 9", "--openings OPENINGS",
		"tune resume RUN --budget 300games", "RUN is the name", "The final gate against huang", "Weights, before and after", "line.open_four.self",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(text, "black_") {
		t.Error("the report has weights of renju's Black")
	}
	pictures := o["pictures"].([]any)
	var names []string
	for _, path := range pictures {
		names = append(names, filepath.Base(path.(string)))
		if len(read(t, path.(string))) == 0 {
			t.Errorf("%v is empty", path)
		}
	}
	want := "[curve.svg curve.png fitness.svg fitness.png spread.svg spread.png traces.svg traces.png]"
	if got := fmt.Sprint(names); got != want {
		t.Errorf("pictures %s, want %s", got, want)
	}
}

// TestReportRepeatsTheRun runs the command in a report; the new run must have the same id.
func TestReportRepeatsTheRun(t *testing.T) {
	inFolder(t)
	args := []string{
		"run", "--budget", "100games", "--nodes", "1", "--seed", "18446744073709551615", "--optimizer", "spsa", "--only", "line", "--freeze", "line.four.self",
		"--anchor", "shapes", "--against", "sjtu", "--no-gate", "--evolution", "60", "--out", "it's here.json", "--name", "first",
	}
	first := object(t, done(t, append(args, "--json")...))
	done(t, "report", "first")
	done(t, "export", "huang", "-o", "w.json")
	out, log, status := tune(t, "report", "first", "-o", "w.json")
	if status != config.ExitDone || !strings.Contains(log, "a report is HTML") || !strings.Contains(out, "w.json; the file before it is now ") {
		t.Errorf("over a weights file: status %d: %s%s", status, out, log)
	}
	if err := os.Rename("it's here.json", "first.json"); err != nil { // a run does not replace weights that it has not played against
		t.Fatal(err)
	}
	found := regexp.MustCompile(`<pre>tune (.*)\n</pre>`).FindStringSubmatch(string(read(t, "report.html")))
	if found == nil {
		t.Fatal("the report names no command")
	}
	unescape := strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&amp;", "&")
	again := object(t, done(t, append(words(unescape.Replace(found[1])), "--name", "second", "--json")...))
	if first["run"] != again["run"] || first["games"] != again["games"] {
		t.Errorf("`%s` gives run %v of %v games, want %v of %v", found[1], again["run"], again["games"], first["run"], first["games"])
	}
	checkBytes(t, again["candidate"].(string), read(t, first["candidate"].(string)))
}

// words splits a command line as a shell does, as far as text.CommandLine quotes.
func words(line string) []string {
	var list []string
	word, quoted := "", false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
			word += string(line[i])
		case c == ' ' && !quoted:
			list, word = append(list, word), ""
		default:
			word += string(c)
		}
	}
	return append(list, word)
}

func TestReproduction(t *testing.T) {
	huang, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	file, err := weights.Marshal(huang)
	if err != nil {
		t.Fatal(err)
	}
	var openings []string
	for _, o := range book.Embedded(pattern.Freestyle, 15).Openings {
		openings = append(openings, board.FormatMoves(o.Moves))
	}
	spec := run.Spec{
		StartName: "huang", Start: file, Rule: "freestyle", Size: 15, Groups: weights.DefaultGroups(pattern.Freestyle), Optimizer: "ga", Settings: run.DefaultSettings("ga", nil, true),
		Seed: 7, Budget: 4000, Nodes: 1000, WarmStart: .1, Engine: "5f1ac3", Openings: openings, Reproducible: true,
		Anchors: []run.Anchor{{Name: "zhang"}, {Name: "shapes"}, {Name: "sjtu"}},
	}
	spec.Adopt(spec.Engine)
	spec.FreezeKept()
	const plain = "tune run --start huang --budget 4000games --seed 7 --nodes 1000 --rule freestyle --size 15 --optimizer ga"
	tests := []struct {
		change        func(*run.Spec)
		command, note string
	}{
		{func(*run.Spec) {}, plain + " --out weights.json", "the new run shows the id 0123abcd"},
		{func(s *run.Spec) { s.StartName = "my set" }, strings.Replace(plain, "huang", "START", 1) + " --out weights.json", "START is the file of my set as it was then"},
		{func(s *run.Spec) { s.StartName, s.Anchors = "zhang@50631918", nil }, strings.Replace(plain, "huang", "START", 1) + " --anchor START --out weights.json", "START is the file of zhang@50631918 as"},
		{func(s *run.Spec) { s.Settings.InFlight = 0 }, plain + " --out weights.json", "On a cluster the first command needs --in-flight 1 too."},
		{func(s *run.Spec) { s.Settings.InFlight = 4 }, plain + " --in-flight 4 --out weights.json", "the new run shows the id"},
		{func(s *run.Spec) { s.Openings = s.Openings[:9] }, plain + " --openings OPENINGS --out weights.json", "9 openings"},
		{func(s *run.Spec) { s.GateBook = s.Openings[:7] }, plain + " --gate-openings GATE-OPENINGS --out weights.json", "7 openings"},
		{func(s *run.Spec) { s.Anchors = s.Anchors[:1] }, plain + " --anchor zhang --out weights.json", "5f1ac3"},
		{func(s *run.Spec) {
			s.Reproducible = false
			s.Anchors[0] = run.Anchor{Name: "x", Player: "gomocup:./x y"}
		}, plain + " --anchor 'gomocup:./x y' --anchor shapes --anchor sjtu --out weights.json", "nobody can repeat its games exactly"},
		{func(s *run.Spec) { s.Anchors = nil }, plain + " --anchor huang --out weights.json", "5f1ac3"},
		{func(s *run.Spec) {
			s.Anchors = []run.Anchor{{Name: "shapes"}, {Name: "zhang@ee4ad855"}, {Name: "mine@01234567", Rival: true}}
		}, plain + " --anchor shapes --anchor ANCHOR-2 --against ANCHOR-3 --out weights.json", "ANCHOR-3 is the weights file mine@01234567"},
		{func(s *run.Spec) { s.Anchors[2].Rival = true }, plain + " --anchor zhang --anchor shapes --against sjtu --out weights.json", "only the program of commit 7654321 repeats the run"},
		{func(s *run.Spec) {
			s.Anchors[0].Rival = true
		}, plain + " --anchor shapes --anchor sjtu --against zhang --out weights.json", "the new run shows the id"},
		{func(s *run.Spec) { s.WarmStart = .5 }, plain + " --warm-start 0.5 --out weights.json", "the new run shows the id"},
		{func(s *run.Spec) { s.WarmStart, s.Fit, s.Settings = 0, 0, run.DefaultSettings("ga", nil, false) }, plain + " --warm-start 0 --out weights.json", "the new run shows the id"},
		{func(s *run.Spec) {
			s.Groups, s.Frozen, s.WarmStart, s.Fit = []string{"search"}, nil, 0, 0
			s.Settings = run.DefaultSettings("ga", s.Groups, false)
		}, plain + " --only search --out weights.json", "the new run shows the id"},
		{func(s *run.Spec) { s.Fit-- }, plain + " --out weights.json", "only the program of commit 7654321 repeats the run"},
		{func(s *run.Spec) { s.Settings.Search = 0 }, plain + " --out weights.json", "only the program of commit 7654321 repeats the run"},
		{func(s *run.Spec) { s.Frozen = nil }, plain + " --out weights.json", "only the program of commit 7654321 repeats the run"},
		{func(s *run.Spec) { s.Settings.Kin = false }, plain + " --out weights.json", "only the program of commit 7654321 repeats the run"},
		{func(s *run.Spec) { s.Extended = []run.Extension{{Generation: 5, Budget: 1000}} }, strings.Replace(plain, "4000", "1000", 1) + " --out weights.json", "after generation 5: the run has to be interrupted there"},
		{func(s *run.Spec) { s.Extended = []run.Extension{{Generation: 5, Budget: 1000, Ended: true}} }, strings.Replace(plain, "4000", "1000", 1) + " --out weights.json", "after generation 5: the run had come to its end"},
	}
	for _, test := range tests {
		t.Run(test.command, func(t *testing.T) {
			s := spec
			s.Anchors = append([]run.Anchor(nil), spec.Anchors...)
			test.change(&s)
			record := run.Record{Run: "0123abcd", Commit: "7654321", GoArch: "amd64", Out: "weights.json", Spec: s}
			commands, notes := record.Reproduction(&run.State{})
			if commands[0] != test.command || !strings.Contains(strings.Join(notes, "\n"), test.note) {
				t.Errorf("commands %q, notes %q; want %q, %q", commands, notes, test.command, test.note)
			}
		})
	}
}

// Openings for a board without embedded ones are made. A list of the same length is another.
func TestReproductionOfMadeOpenings(t *testing.T) {
	made, err := book.For(t.Context(), pattern.Freestyle, 13, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for first, want := range map[string]bool{board.FormatMoves(made.Openings[0].Moves): false, "d4d5": true} {
		openings := append([]string{first}, make([]string, book.DefaultCount-1)...)
		record := run.Record{Spec: run.Spec{StartName: "huang", Rule: "freestyle", Size: 13, Optimizer: "ga", Budget: 4000, Openings: openings}}
		if commands, _ := record.Reproduction(&run.State{}); strings.Contains(commands[0], "--openings OPENINGS") != want {
			t.Errorf("%s, openings that begin with %s", commands[0], first)
		}
	}
}

func TestPageFlags(t *testing.T) {
	inFolder(t)
	if err := os.WriteFile("token", []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args   []string
		status int
		log    string
	}{
		{[]string{"--listen", "0.0.0.0:0"}, config.ExitUsage, "needs a token (--token-file)"},
		{[]string{"--listen", "127.0.0.1:0", "--token-file", "token"}, config.ExitFailed, "5 bytes, outside [16, 1024]"},
		{[]string{"--listen", "127.0.0.1:0", "--token-file", "none"}, config.ExitFailed, "token-file: open none"},
		{[]string{"--token-file", "token"}, config.ExitUsage, "no page without --listen"},
		{[]string{"--listen", "127.0.0.1"}, config.ExitUsage, "not HOST:PORT"},
	}
	for _, test := range tests {
		t.Run(test.log, func(t *testing.T) {
			_, log, status := tune(t, append([]string{"run", "--budget", "100games"}, test.args...)...)
			if status != test.status || !strings.Contains(log, test.log) {
				t.Errorf("%q: status %d, %s", test.args, status, log)
			}
		})
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a run was begun")
	}
}
