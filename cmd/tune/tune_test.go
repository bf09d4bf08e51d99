package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/cluster"
	"quintune/internal/config"
	"quintune/internal/filelock"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/stats"
	"quintune/internal/store"
	"quintune/internal/tuner"
	"quintune/pattern"
	"quintune/weights"
)

// openingsInFolder is the number of openings that tests have.
const openingsInFolder = 400

// inFolder makes the test run in a new folder that has openings for a board of 9.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	b := &book.Book{Rule: pattern.Freestyle, Size: 9}
	seen := map[uint64]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for len(b.Openings) < openingsInFolder {
		var moves []board.Cell
		for _, c := range r.Perm(49)[:4] {
			moves = append(moves, board.At(1+c%7, 1+c/7))
		}
		if key := board.CanonicalKey(moves, b.Size); !seen[key] {
			seen[key] = true
			b.Openings = append(b.Openings, book.Opening{Moves: moves, Key: key})
		}
	}
	f, err := os.Create("openings.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := b.Write(f, "for tests"); err != nil {
		t.Fatal(err)
	}
}

// tune runs a command line and returns its output, diagnostics and exit status.
func tune(t *testing.T, args ...string) (out, log string, status int) {
	t.Helper()
	var o, l bytes.Buffer
	err := execute(context.Background(), args, strings.NewReader(""), &o, &l)
	return o.String(), l.String(), config.Exit(err)
}

// done is tune for command lines that must be successful.
func done(t *testing.T, args ...string) (out string) {
	t.Helper()
	out, log, status := tune(t, args...)
	if status != config.ExitDone {
		t.Fatalf("tune %q: status %d: %s", args, status, log)
	}
	return out
}

// object returns the JSON object on the last line.
func object(t *testing.T, out string) map[string]any {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var o map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &o); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return o
}

// checkBytes reports a file that has other bytes than wanted, with the first line that differs.
func checkBytes(t *testing.T, path string, want []byte) {
	t.Helper()
	got := read(t, path)
	if bytes.Equal(got, want) {
		return
	}
	gotLines, wantLines, line := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n")), 0
	for line < min(len(gotLines), len(wantLines))-1 && bytes.Equal(gotLines[line], wantLines[line]) {
		line++
	}
	t.Errorf("%s has %d bytes, want %d; line %d is %q, want %q", path, len(got), len(want), line+1, gotLines[line], wantLines[line])
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// quick returns the arguments of very short games.
func quick(args ...string) []string {
	return append(args, "--size", "9", "--nodes", "20", "--openings", "openings.txt")
}

// Games that are being played when a gate is decided do not belong to the run.
func TestStoredGamesAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	inFolder(t)
	var want string
	for _, workers := range []string{"1", "8"} {
		o := object(t, done(t, quick("run", "--start", "flat", "--warm-start", "0.5", "--budget", "1200games", "--seed", "5", "--workers", workers, "--json", "--name", "w"+workers, "--out", workers+".json")...))
		gate := o["gate"].(map[string]any)
		if gate["verdict"] == stats.Inconclusive.String() {
			t.Fatalf("the gate was not decided, so this test shows nothing: %v", gate)
		}
		got := done(t, "export", "w"+workers, "--games", "jsonl")
		if want == "" {
			want = got
		}
		if got != want || float64(strings.Count(got, "\n")) != o["games"] {
			t.Errorf("%s workers: %d games stored of %v; with one worker %d", workers, strings.Count(got, "\n"), o["games"], strings.Count(want, "\n"))
		}
	}
}

func TestRunGivesTheSameBytesForAnyNumberOfWorkers(t *testing.T) {
	inFolder(t)
	var want []byte
	for _, workers := range []string{"1", "2", "8"} {
		t.Run(workers, func(t *testing.T) {
			o := object(t, done(t, quick("run", "--budget", "100games", "--seed", "7", "--workers", workers, "--json", "--name", "w"+workers)...))
			for _, key := range []string{
				"run", "out", "candidate", "games", "generations", "elo", "elo_low", "elo_high", "verdict", "gate", "validation",
			} {
				if _, ok := o[key]; !ok {
					t.Errorf("no %q in %v", key, o)
				}
			}
			path := o["candidate"].(string)
			if path != filepath.Join("runs", "w"+workers, "candidate.json") {
				t.Errorf("candidate %q", path)
			}
			if _, err := weights.Load(path); err != nil {
				t.Error(err)
			}
			got := read(t, path)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s workers: another file", workers)
			}
			if o["verdict"] == verdictNone && o["out"] != nil {
				t.Errorf("nothing proven, but out is %v", o["out"])
			}
		})
	}
}

func TestUnprovenCandidateReplacesOutOnlyWithoutAGate(t *testing.T) {
	inFolder(t)
	done(t, "export", "zhang", "-o", "weights.json")
	before := read(t, "weights.json")
	o := object(t, done(t, quick("--budget", "100games", "--start", "weights.json", "--json")...))
	if o["verdict"] != verdictNone {
		t.Fatalf("100 games gave %v", o["verdict"])
	}
	if !bytes.Equal(read(t, "weights.json"), before) {
		t.Error("a candidate without proof replaced the file")
	}
	o = object(t, done(t, quick("--budget", "100games", "--start", "weights.json", "--no-gate", "--json")...))
	if o["out"] != "weights.json" || o["verdict"] != verdictUnproven || o["gate"] != nil || o["validation"] != nil {
		t.Errorf("%v", o)
	}
	set, err := weights.Load("weights.json")
	if err != nil || set.Provenance == nil || set.Provenance.Proven {
		t.Errorf("%+v, error %v", set, err)
	}
	if !bytes.Equal(read(t, "weights.json.bak"), before) {
		t.Error("the old file is not in .bak")
	}
}

func TestProvenGainReplacesOut(t *testing.T) {
	inFolder(t)
	done(t, "export", "flat", "-o", "w.json")
	before := read(t, "w.json")
	o := object(t, done(t, quick("run", "--start", "flat", "--budget", "1500games", "--seed", "2", "--out", "w.json", "--json")...))
	if o["verdict"] != verdictProven || o["out"] != "w.json" || o["elo_low"].(float64) <= 0 {
		t.Fatalf("%v", o)
	}
	if !bytes.Equal(read(t, "w.json.bak"), before) {
		t.Error("the old file is not in .bak")
	}
	set, err := weights.Load("w.json")
	if err != nil || !set.Provenance.Proven || set.Provenance.Validation == nil {
		t.Errorf("%+v, error %v", set, err)
	}
	if !bytes.Equal(read(t, "w.json"), read(t, o["candidate"].(string))) {
		t.Error("the file is not the candidate")
	}
}

// watcher cancels when the log has a given number of lines with a word.
type watcher struct {
	word   string
	lines  int
	cancel func()
}

func (w *watcher) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.word)) {
		if w.lines--; w.lines == 0 {
			w.cancel()
		}
	}
	return len(p), nil
}

func TestInterruptedRunGoesOn(t *testing.T) {
	inFolder(t)
	args := quick("run", "--budget", "200games", "--start", "huang", "--seed", "5", "--workers", "2", "--json")
	want := read(t, object(t, done(t, append(args, "--name", "whole")...))["candidate"].(string))
	for _, stage := range []string{"msg=evolution", "msg=gate"} {
		t.Run(stage, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			var out bytes.Buffer
			name := stage[4:]
			err := execute(ctx, append(args, "--name", name), strings.NewReader(""), &out, &watcher{stage, 1, cancel})
			if config.Exit(err) != config.ExitInterrupted || !strings.Contains(err.Error(), "tune resume "+name) {
				t.Fatalf("%s: status %d: %v", stage, config.Exit(err), err)
			}
			o := object(t, out.String())
			if o["verdict"] != verdictInterrupted || o["out"] != nil {
				t.Errorf("%s: %v", stage, o)
			}
			if _, err := weights.Load(o["candidate"].(string)); err != nil {
				t.Error(err)
			}
			o = object(t, done(t, "resume", "--json"))
			if o["name"] != name || !bytes.Equal(read(t, o["candidate"].(string)), want) {
				t.Errorf("%s: run %v, resumed, gives another file", stage, o["name"])
			}
		})
	}
	if _, log, status := tune(t, "resume", "whole", "--budget", "200games"); status != config.ExitUsage || !strings.Contains(log, "own 200") {
		t.Errorf("status %d: %s", status, log)
	}
	if o := object(t, done(t, "resume", "whole", "--budget", "300games", "--json")); o["games"].(float64) <= 220 {
		t.Errorf("extended: %v", o)
	}
	checkReport(t, "whole")
	if text := done(t, "show", "whole"); !strings.Contains(text, "done: ") || !regexp.MustCompile(`\nvalidation: .* against huang, `).MatchString(text) {
		t.Errorf("show: %s", text)
	}
	if text := done(t, "list"); strings.Count(text, "done") != 3 {
		t.Errorf("list: %s", text)
	}
}

// A run whose nodes rise gives the same file with any number of workers and after a stop.
func TestNodesRiseWithinARun(t *testing.T) {
	inFolder(t)
	args := func(name, workers string, more ...string) []string {
		return append(quick("run", "--budget", "400games", "--seed", "3", "--no-gate", "--quiet", "--workers", workers, "--name", name, "--out", name+".json"), more...)
	}
	done(t, args("whole", "1", "--first-nodes", "5")...)
	done(t, args("even", "1")...)
	want := read(t, "whole.json")
	if bytes.Equal(read(t, "even.json"), want) {
		t.Error("5 to 20 nodes give the weights of 20 nodes")
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := slices.DeleteFunc(args("stopped", "8", "--first-nodes", "5"), func(arg string) bool { return arg == "--quiet" })
	if err := execute(ctx, stopped, strings.NewReader(""), &bytes.Buffer{}, &watcher{"msg=evolution", 1, cancel}); config.Exit(err) != config.ExitInterrupted {
		t.Fatal(err)
	}
	done(t, "resume", "stopped", "--quiet")
	if !bytes.Equal(read(t, "stopped.json"), want) {
		t.Error("8 workers and a stop give another file")
	}
	done(t, args("equal", "2", "--first-nodes", "20")...)
	if !bytes.Equal(read(t, "equal.json"), read(t, "even.json")) {
		t.Error("20 to 20 nodes do not give the weights of 20 nodes")
	}
	if text := done(t, "show", "stopped"); !strings.Contains(text, "5 to 20 nodes a move") {
		t.Errorf("show: %s", text)
	}
	o := object(t, done(t, "show", "stopped", "--json"))
	if o["first_nodes"] != 5. {
		t.Errorf("first_nodes is %v, want 5", o["first_nodes"])
	}
	if gates, isList := o["gates"].([]any); !isList || len(gates) > 0 {
		t.Errorf("gates of a run without a gate are %v, want an empty list", o["gates"])
	}
	done(t, "report", "stopped")
	if text := string(read(t, "report.html")); !strings.Contains(text, "5 to 20 nodes a move") {
		t.Error("the report does not show the nodes of the beginning")
	}
}

// Weights that play would not take on the board are measured there, with a warning.
func TestMatchWarnsOfAnotherBoard(t *testing.T) {
	inFolder(t)
	done(t, "export", "freestyle20", "-o", "large.json")
	for player, warned := range map[string]bool{"large.json": true, "freestyle20": false} {
		if _, log, status := tune(t, quick("match", player, "huang", "--pairs", "1")...); status != config.ExitDone || strings.Contains(log, "`play` takes default") != warned {
			t.Errorf("%s: status %d: %s", player, status, log)
		}
	}
}

// The configuration that is shown is the one that a run takes.
func TestConfigShowsWhatFollows(t *testing.T) {
	inFolder(t)
	if err := os.WriteFile("warm.yaml", []byte("tune:\n  warm-start: \"0.30\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--optimizer", "fit"}, "warm-start 0 default"},
		{[]string{"--engine", "params.yaml"}, "out best.json default"},
		{[]string{"--deadline", "07:00"}, "budget until the deadline default"},
		{[]string{"--deadline", "07:00", "--budget", "10m"}, "budget 10m flag"},
		{[]string{"--config", "warm.yaml", "--only", "search"}, "warm-start 0 default"},
		{[]string{"--config", "warm.yaml"}, "warm-start 0.30 file warm.yaml"},
	} {
		if text := strings.Join(strings.Fields(done(t, append([]string{"config"}, test.args...)...)), " "); !strings.Contains(text, test.want) {
			t.Errorf("%v: no %q in %s", test.args, test.want, text)
		}
	}
}

func TestMatchJSON(t *testing.T) {
	inFolder(t)
	o := object(t, done(t, quick("match", "huang", "flat", "--pairs", "10", "--json")...))
	keys := []string{
		"a", "b", "rule", "size", "pairs", "games", "wins", "draws", "losses", "pentanomial",
		"score", "elo", "elo_low", "elo_high", "nelo", "los", "faults", "seed", "openings",
	}
	for _, key := range keys {
		t.Run(key, func(t *testing.T) {
			if _, ok := o[key]; !ok {
				t.Errorf("no %q", key)
			}
		})
	}
	if o["games"] != 20.0 || o["a"] != "huang" || o["b"] != "flat" || o["size"] != 9.0 {
		t.Errorf("%v", o)
	}
	o = object(t, done(t, quick("match", "huang", "huang", "--pairs", "10", "--json")...))
	if !slices.Equal(o["pentanomial"].([]any), []any{0.0, 0.0, 10.0, 0.0, 0.0}) {
		t.Errorf("equal players: %v", o["pentanomial"])
	}
	o = object(t, done(t, "match", "huang", "flat", "--pairs", "1", "--time", "2ms", "--size", "9", "--openings", "openings.txt", "--json"))
	if o["time_ms"] != 2.0 || o["nodes"] != 0.0 || o["games"] != 2.0 {
		t.Errorf("under a clock: %v", o)
	}
}

// Equal weights need no game: they pass the test of a simplification, and no other. Nothing of it is kept.
func TestGateOfEqualWeights(t *testing.T) {
	inFolder(t)
	for bounds, passed := range map[string]bool{"0,10": false, "-10,0": true, "-5,5": false} {
		if o := object(t, done(t, quick("gate", "huang", "huang", "--sprt", bounds, "--json")...)); o["passed"] != passed || o["games"] != 0. {
			t.Errorf("bounds %s: %v", bounds, o)
		}
	}
	if list := done(t, "list"); strings.Contains(list, "match-") {
		t.Errorf("tests without a game are kept:\n%s", list)
	}
}

func TestGateAndValidate(t *testing.T) {
	inFolder(t)
	o := object(t, done(t, quick("gate", "huang", "flat", "--json")...))
	if o["passed"] != true || o["verdict"] != "accept H1" || o["result"] != "passed" {
		t.Errorf("%v", o)
	}
	o = object(t, done(t, quick("gate", "flat", "huang", "--json")...))
	if o["passed"] != false || o["result"] != "not passed" {
		t.Errorf("%v", o)
	}
	text := done(t, quick("match", "huang", "flat", "--pairs", "100", "--sprt", "0,20")...)
	if !strings.Contains(text, "\npassed: LLR ") {
		t.Errorf("%s", text)
	}
	done(t, quick("run", "--budget", "100games", "--start", "huang", "--no-gate", "--quiet")...)
	o = object(t, done(t, "validate", "weights.json", "--pairs", "4", "--size", "9", "--nodes", "20", "--openings", "openings.txt", "--json"))
	if o["b"] != "huang" || o["pairs"] != 4.0 {
		t.Errorf("%v", o)
	}
}

func TestExportDiffAndOpenings(t *testing.T) {
	inFolder(t)
	for _, format := range runfolder.ExportFormats() {
		if text := done(t, "export", "huang", "--format", format); !strings.Contains(text, "line.open_four.self") {
			t.Errorf("%s: %.200s", format, text)
		}
	}
	done(t, "export", "huang", "-o", "h.json")
	if set, err := weights.Load("h.json"); err != nil || set.Name != "huang" {
		t.Errorf("%v", err)
	}
	if text := done(t, "diff", "huang", "h.json"); !strings.HasPrefix(text, "huang and h.json have the same weights.\nNext: ") {
		t.Errorf("a copy differs: %s", text)
	}
	for other, black := range map[string]bool{"flat": false, "renju15": true} {
		text := done(t, "diff", "huang", other, "--json")
		if !strings.Contains(text, `"line.four.self"`) || strings.Contains(text, `"black_line.four.self"`) != black {
			t.Errorf("huang against %s: %s", other, text)
		}
	}
	o := object(t, done(t, "openings", "--count", "3", "--size", "9", "--out", "o.txt", "--json"))
	f := bytes.NewReader(read(t, "o.txt"))
	b, err := book.Parse(f, "o.txt", pattern.Freestyle, 9)
	if err != nil || len(b.Openings) != 3 || o["hash"] != b.Hash() {
		t.Errorf("%v, error %v", o, err)
	}
	if text := done(t, "openings", "--count", "3", "--size", "9"); text != string(read(t, "o.txt")) {
		t.Errorf("on stdout: %s", text)
	}
}

func TestConfigNamesOrigins(t *testing.T) {
	inFolder(t)
	t.Setenv("QUINTUNE_SEED", "7")
	text := done(t, "config", "--nodes", "2000")
	for _, want := range []string{"QUINTUNE_SEED", "--nodes", "2000", "default"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
}

func TestDefaultsAreThoseOfThePackages(t *testing.T) {
	inFolder(t)
	for _, method := range tuner.Methods() {
		t.Run(method, func(t *testing.T) {
			for name, want := range map[string]any{
				"optimizer": method, "warm-start": run.DefaultWarmStart(method, nil, false), "outside-time": run.DefaultOutsideTime,
			} {
				if got := setting(t, name, "--optimizer", method); got != fmt.Sprint(want) {
					t.Errorf("--%s is %v by default, %v in its package", name, got, want)
				}
			}
		})
	}
}

func TestMoreProcessorsThanGamesAtATime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cluster.MaxJobs + 1))
	done(t, "--version")
}

func TestQuietRunSaysNothingOnTheWay(t *testing.T) {
	inFolder(t)
	_, log, status := tune(t, quick("run", "--budget", "100games", "--no-gate", "--quiet")...)
	if status != config.ExitDone || log != "" {
		t.Errorf("status %d: %s", status, log)
	}
}

func TestWrongUsage(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--budget", "0games"}, "budget"},
		{[]string{"run", "--budget", "soon"}, "soon"},
		{[]string{"run", "--budget", "50games"}, "50 games, not in [100"},
		{[]string{"run", "--nodes", "0"}, "nodes"},
		{[]string{"run", "--nodes", "1000000000001"}, "nodes is 1000000000001, not in [1, 1000000000000]"},
		{[]string{"run", "--first-nodes", "2000", "--nodes", "1000"}, "begins with 2000 nodes a move, outside [0, 1000]"},
		{[]string{"run", "--first-nodes", "-1"}, "first-nodes"},
		{[]string{"run", "--first-nodes", "250", "--optimizer", "fit"}, "stages are not for optimizer fit"},
		{[]string{"run", "--only", "line,lines"}, `"lines" is not one of [line cell`},
		{[]string{"run", "--only", "line,line"}, "twice"},
		// The check comes before openings are made, which takes minutes on a board without embedded ones.
		{[]string{"run", "--size", "17", "--only", "lines"}, `"lines" is not one of [line cell`},
		{[]string{"run", "--optimizer", "fit", "--in-flight", "2"}, "with optimizer fit each needs the results"},
		{[]string{"run", "--freeze", "line.open_fuor.self"}, `did you mean "line.open_four.self"?`},
		{[]string{"run", "--optimizer", "magic"}, "magic"},
		{[]string{"run", "--optimizer", "fit", "--only", "search"}, "a fit learns no weight of the group search"},
		{[]string{"run", "--warm-start", ".5", "--only", "search"}, "a fit learns no weight of the group search"},
		{[]string{"run", "--optimizer", "fit", "--warm-start", ".2"}, "a fit cannot be its own warm start"},
		{[]string{"run", "--only", "black_line"}, "counts under renju alone"},
		{[]string{"run", "--only", "cell", "--freeze", "line.five.self"}, "none of the"},
		{[]string{"run", "extra"}, "extra"},
		{[]string{"run", "--out", "absent/weights.json"}, "absent"},
		{[]string{"run", "--out", "."}, "folder"},
		{[]string{"match", "huang"}, "2 arg"},
		{quick("match", "huang", "flat", "--pairs", "401"), "401 pairs need as many openings, but there are only 400"},
		{quick("match", "huang", "flat", "--time", "1ms"), "nodes and time"},
		{[]string{"frobnicate"}, "frobnicate"},
		{[]string{"validate", "huang"}, "--against"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("tune %q: status %d: %s", test.args, status, log)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "taken", "--quiet")...)
	done(t, quick("run", "--budget", "100games", "--name", "kept", "--quiet")...)
	lock, err := filelock.Take(filepath.Join("runs", "taken", "lock")) // another process plays the run
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"resume", "taken"}, "run taken is being played by another process"},
		{[]string{"run", "--start", "absent.json"}, "absent.json"},
		{[]string{"run", "--openings", "absent.txt"}, "absent.txt"},
		{quick("run", "--budget", "100games", "--name", "taken"), "run taken is being played by another process"},
		{quick("run", "--budget", "100games", "--name", "kept"), "tune resume kept"},
		{[]string{"match", "huang", "absent.json"}, "absent.json"},
		{[]string{"match", "huang", "engine:absent.yaml"}, "absent.yaml"},
		{[]string{"ladder", "huang", "absent.json"}, "absent.json"},
		{[]string{"validate", "absent.json"}, "absent.json"},
		{[]string{"run", "--anchor", "absent.json"}, "absent.json"},
		{[]string{"run", "--against", "engine:absent.yaml"}, "absent.yaml"},
		{[]string{"resume", "absent"}, "no run absent"},
		{[]string{"resume", "--runs", "nowhere"}, "nowhere"},
		{[]string{"export", "nobody"}, "nobody"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitFailed || !strings.Contains(log, test.want) {
				t.Errorf("tune %q: status %d: %s", test.args, status, log)
			}
		})
	}
}

// Measuring the speed takes seconds, which are lost when the run cannot be stored.
func TestNameAndFolderAreCheckedFirst(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "kept", "--quiet")...)
	if err := os.MkdirAll("folder/"+store.FileName, 0o755); err != nil {
		t.Fatal(err)
	}
	type refusal struct {
		args []string
		want string
	}
	tests := []refusal{
		{quick("run", "--budget", "10s", "--name", "kept"), "choose another --name"},
		{[]string{"resume", "kept", "--fork", "--budget", "10s", "--name", "kept"}, "choose another --name"},
		{quick("run", "--budget", "10s", "--runs", "openings.txt"), "openings.txt"},
		{quick("run", "--budget", "10s", "--runs", "folder"), "folder"},
	}
	if runtime.GOOS == "linux" { // where not even root can make a file
		tests = append(tests, refusal{quick("run", "--budget", "10s", "--runs", "/sys/runs/mine"), "cannot be written"})
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitFailed || !strings.Contains(log, test.want) || strings.Contains(log, "measuring the speed") {
				t.Errorf("tune %q: status %d: %s", test.args, status, log)
			}
		})
	}
	if _, log, status := tune(t, quick("run", "--budget", "10s", "--only", "nothing", "--runs", "fresh")...); status != config.ExitUsage {
		t.Errorf("status %d: %s", status, log)
	}
	if _, err := os.Stat("fresh"); err == nil {
		t.Error("a folder of runs for a command that was wrong")
	}
}

func TestBadWeightsAreRefusedAndNothingIsOverwritten(t *testing.T) {
	inFolder(t)
	good := done(t, "export", "huang")
	replace := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	const key = `"line.open_four.self": `
	value := good[strings.Index(good, key)+len(key):]
	value = value[:strings.Index(value, ",")]
	for _, test := range []struct{ name, text, want string }{
		{"truncated", good[:len(good)/2], "end"},
		{"missing", replace(key+value+",\n", ""), "line.open_four.self"},
		{"unknown", replace(key, `"line.open_five.self": `), "line.open_five.self"},
		{"duplicate", replace(key, `"line.four.self": `), "line.four.self"},
		{"wrong case", replace(key, `"line.Open_four.self": `), "Open_four"},
		{"no number", replace(key+value, key+"NaN"), ""},
		{"huge", replace(key+value, key+"99999"), "outside [0, 20000]"},
		{"negative", replace(key+value, key+"-5"), "outside [0, 20000]"},
		{"unknown rule", replace(`"rule": "freestyle"`, `"rule": "chess"`), "chess"},
		{"format", replace("quintune.weights/1", "quintune.weights/9"), "quintune.weights/9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile("bad.json", []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("weights.json", []byte(good), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{quick("run", "--budget", "100games", "--start", "bad.json"), quick("match", "bad.json", "huang")} {
				_, log, status := tune(t, args...)
				if status != config.ExitFailed || !strings.Contains(log, test.want) || !strings.Contains(log, "bad.json") {
					t.Errorf("%s: tune %s: status %d: %s", test.name, args[0], status, log)
				}
			}
			if string(read(t, "weights.json")) != good {
				t.Errorf("%s: the weights were overwritten", test.name)
			}
		})
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a run was begun")
	}
}

func TestHelpShowsAnExampleOfEveryCommand(t *testing.T) {
	for _, c := range newRoot().Commands() {
		var out bytes.Buffer
		if err := execute(context.Background(), []string{c.Name(), "--help"}, strings.NewReader(""), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "Examples:") {
			t.Errorf("tune %s --help has no example", c.Name())
		}
	}
}

// lines returns the number of lines in a file, 0 where it does not exist.
func lines(path string) int {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}
