package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/cluster"
	"quintune/internal/config"
	"quintune/internal/run"
	"quintune/internal/stats"
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

func TestMoreProcessorsThanGamesAtATime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cluster.MaxJobs + 1))
	done(t, "--version")
}

// lines returns the number of lines in a file, 0 where it does not exist.
func lines(path string) int {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}

func TestSettledRunGoesDeeperOnItsBoard(t *testing.T) {
	tests := []struct {
		name   string
		record run.Record
		want   string
	}{
		{"default board", run.Record{Spec: run.Spec{Rule: "freestyle", Size: 15, Nodes: 1000}}, "twice the games gained less than 15 Elo (upper end of a 95 % interval) at 1000 nodes: the evolution ended after 600000 games; `tune run --start c.json --nodes 4000` goes deeper"},
		{"another board", run.Record{Spec: run.Spec{Rule: "renju", Size: 20, Nodes: 1000}}, "`tune run --start c.json --nodes 4000 --rule renju --size 20` goes deeper"},
		{
			"engine under nodes",
			run.Record{Engine: "e.yaml", Spec: run.Spec{Rule: "freestyle", Size: 15, Nodes: 1000, Outside: &run.EngineSpec{}}},
			"`tune run --start c.json --nodes 4000 --engine e.yaml` goes deeper",
		},
		{
			"engine under time",
			run.Record{Engine: "e.yaml", Spec: run.Spec{Rule: "freestyle", Size: 15, Nodes: 1000, Outside: &run.EngineSpec{TimeMS: 50}}},
			"at 50 ms: the evolution ended after 600000 games\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := runResult{Candidate: "c.json", Outcome: run.Outcome{Settled: true, Evolution: 600_000}, runs: &runsOption{Runs: defaultRuns}, record: test.record, Reproducible: true}
			if text := r.text(); !strings.Contains(text, test.want) {
				t.Errorf("text %q, want %q in it", text, test.want)
			}
		})
	}
}
