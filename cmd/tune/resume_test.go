package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/runfolder"
	"quintune/weights"
)

// interrupted begins a run and interrupts it in its first generation.
func interrupted(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	args = append(quick("run", "--budget", "200games", "--seed", "3", "--workers", "2", "--name", name), args...)
	err := execute(ctx, args, strings.NewReader(""), &bytes.Buffer{}, &watcher{"msg=evolution", 1, cancel})
	if config.Exit(err) != config.ExitInterrupted {
		t.Fatal(err)
	}
}

func TestForkOfAnInterruptedRun(t *testing.T) {
	inFolder(t)
	interrupted(t, "r")
	if _, log, status := tune(t, "resume", "r", "--fork", "--engine", "engine.yaml"); status != config.ExitUsage || !strings.Contains(log, "engine: run r tunes weights") {
		t.Errorf("status %d: %s", status, log)
	}
	o := object(t, done(t, "resume", "r", "--fork", "--budget", "120games", "--json"))
	if o["name"] != "r-fork" || o["verdict"] == verdictInterrupted {
		t.Errorf("%v", o)
	}
	text := done(t, "show", "r-fork")
	if !strings.Contains(text, "forked from run r ") || !strings.Contains(text, "from r-generation-1,") {
		t.Errorf("%s", text)
	}
	if text := done(t, "show", "r"); !strings.Contains(text, "unfinished: ") {
		t.Errorf("%s", text)
	}
	if text := done(t, "list"); !strings.Contains(text, "forked from r ") || !strings.Contains(text, runfolder.StatusOpen) {
		t.Errorf("%s", text)
	}
	// An unfinished run is resumed although a finished one is later.
	if o := object(t, done(t, "resume", "--json")); o["name"] != "r" {
		t.Errorf("resumed %v", o["name"])
	}
	if _, log, status := tune(t, "resume"); status != config.ExitFailed || !strings.Contains(log, "are done") {
		t.Errorf("status %d: %s", status, log)
	}
}

// A fork with a budget in time has as many games as a new run with it: its stages of nodes are those of this budget, not of the games that
// the old run has left. Games are too slow for the speed to matter.
func TestForkPaysForItsStages(t *testing.T) {
	inFolder(t)
	begun := func(args ...string) float64 {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := execute(ctx, append(args, "--workers", "1"), strings.NewReader(""), &bytes.Buffer{}, &watcher{"msg=evolution", 1, cancel})
		if config.Exit(err) != config.ExitInterrupted {
			t.Fatal(err)
		}
		return object(t, done(t, "show", "--json"))["budget"].(float64)
	}
	stages := []string{"--size", "9", "--openings", "openings.txt", "--nodes", "10000", "--first-nodes", "2500", "--no-gate", "--warm-start", "0"}
	want := begun(append([]string{"run", "--budget", "1s"}, stages...)...)
	begun(append([]string{"run", "--budget", "400games", "--name", "r"}, stages...)...)
	if got := begun("resume", "r", "--fork", "--budget", "1s"); got != want {
		t.Errorf("the fork has %v games, a new run %v", got, want)
	}
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

// The advice of a refused fork is a command that there is: resume has no --start.
func TestAdviceOfARefusedFork(t *testing.T) {
	inFolder(t)
	interrupted(t, "r")
	done(t, "export", "huang", "-o", "weights.json")
	_, log, status := tune(t, "resume", "r", "--fork")
	if status != config.ExitUsage || !strings.Contains(log, "go on from them with `tune run --start weights.json`") {
		t.Errorf("status %d: %s", status, log)
	}
}

// Resuming a finished run writes nothing. With a greater budget the run replaces its own result.
func TestResumeOfAFinishedRun(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--start", "huang", "--no-gate", "--name", "r")...)
	own := read(t, "weights.json")
	if err := os.Remove("weights.json"); err != nil {
		t.Fatal(err)
	}
	if _, log, status := tune(t, "resume"); status != config.ExitFailed || !strings.Contains(log, "the only run in runs is done: `tune resume r --budget MORE` goes on") {
		t.Errorf("without an unfinished run: status %d: %s", status, log)
	}
	text := done(t, "resume", "r")
	if _, err := os.Stat("weights.json"); err == nil || !strings.Contains(text, "run r is finished: nothing was played or written") ||
		!strings.Contains(text, "weights.json is not there: `cp runs/r/candidate.json weights.json` writes the result again.") {
		t.Errorf("error %v: %s", err, text)
	}
	if o := object(t, done(t, "resume", "r", "--json")); o["out"] != nil || o["verdict"] != verdictUnproven || o["name"] != "r" {
		t.Errorf("%v", o)
	}
	if err := os.WriteFile("weights.json", own, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := object(t, done(t, "resume", "r", "--json")); o["out"] != "weights.json" {
		t.Errorf("where the file still holds the result: %v", o)
	}
	if text := done(t, "resume", "r"); !strings.Contains(text, "unproven: weights.json holds it\n") || strings.Contains(text, "writes the result again") {
		t.Errorf("where the file still holds the result: %s", text)
	}
	if o := object(t, done(t, "resume", "r", "--budget", "200games", "--json")); o["out"] != "weights.json" {
		t.Errorf("extended: %v", o)
	}
	listed := object(t, done(t, "list", "--json"))["runs"].([]any)[0].(map[string]any)
	if o := object(t, done(t, "resume", "r", "--json")); o["run"] != listed["run"] {
		t.Errorf("shown with the id %v, listed with %v", o["run"], listed["run"])
	}
}

// A finished run that got a greater budget and was stopped at once is an open run, which goes on by the same command.
func TestStopBeforeTheFirstStepOfAGreaterBudget(t *testing.T) {
	inFolder(t)
	for _, name := range []string{"whole", "stopped"} {
		done(t, quick("run", "--budget", "100games", "--start", "huang", "--no-gate", "--name", name, "--out", name+".json")...)
	}
	ctx, cancel := context.WithCancel(t.Context())
	more := []string{"resume", "stopped", "--budget", "200games"}
	if err := execute(ctx, more, strings.NewReader(""), &bytes.Buffer{}, &watcher{"msg=run", 1, cancel}); config.Exit(err) != config.ExitInterrupted {
		t.Fatal(err)
	}
	done(t, "resume", "whole", "--budget", "200games")
	if text := done(t, "show", "stopped"); strings.Contains(text, "done: ") {
		t.Errorf("show: %s", text)
	}
	if _, log, status := tune(t, "resume", "stopped", "--budget", "199games"); status != config.ExitUsage || !strings.Contains(log, "not above the run's own 200") {
		t.Errorf("a smaller budget: status %d: %s", status, log)
	}
	if o := object(t, done(t, append(more, "--json")...)); o["name"] != "stopped" || o["games"].(float64) <= 100 {
		t.Errorf("resume goes on with %v, %v games", o["name"], o["games"])
	}
	if !bytes.Equal(read(t, "stopped.json"), read(t, "whole.json")) {
		t.Error("a stop at once gives another file")
	}
}

// A budget and an --out of the configuration are for new runs: a resumed run has its own.
func TestResumeKeepsItsBudgetAndOut(t *testing.T) {
	inFolder(t)
	interrupted(t, "r", "--no-gate", "--out", "own.json") // of 200 games
	if err := os.WriteFile(config.DefaultFile, []byte("tune:\n  budget: 300games\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QUINTUNE_OUT", "other.json")
	for _, test := range []struct {
		name   string
		typed  []string
		run    string // that is played
		out    string
		budget float64 // games
	}{
		{"resume", nil, "r", "own.json", 200},
		{"fork", []string{"--fork", "--budget", "100games"}, "r-fork", "own.json", 100},
		{"typed", []string{"--budget", "250games", "--out", "typed.json"}, "r", "typed.json", 250},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := object(t, done(t, append([]string{"resume", "r", "--json"}, test.typed...)...))
			budget := object(t, done(t, "show", test.run, "--json"))["budget"]
			if o["name"] != test.run || o["out"] != test.out || budget != test.budget {
				t.Errorf("%v wrote %v with a budget of %v games, want %s, %s and %v", o["name"], o["out"], budget, test.run, test.out, test.budget)
			}
		})
	}
}

// A run that is interrupted in its first generation counts the games that are stored.
func TestInterruptedRunCountsStoredGames(t *testing.T) {
	r := runResult{Name: "r", runs: &runsOption{Runs: defaultRuns}, Open: 150, Reproducible: true}
	if got := r.text(); !strings.HasPrefix(got, "run r: 150 games, 0 generations\n") {
		t.Errorf("the end is told as %q", got)
	}
	data, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	if o := object(t, string(data)); o["open"] != 150. {
		t.Errorf("%v open games in %s", o["open"], data)
	}
}
