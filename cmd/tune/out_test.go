package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
)

// A run never replaces weights that it has not played against, nor a file of another kind: it is refused at the beginning.
func TestARunRefusesToReplaceOtherWeights(t *testing.T) {
	inFolder(t)
	done(t, "export", "default", "-o", "weights.json")
	done(t, "export", "renju15", "-o", "renju.json")
	done(t, "export", "freestyle20", "-o", "large.json")
	interrupted(t, "r", "--runs", "elsewhere", "--out", "r.json")
	done(t, "export", "r", "--runs", "elsewhere", "-o", "checkpoint.json")
	for name, content := range map[string]string{"broken.json": "{", "values.json": `{"values":{"x":1}}`, "empty.json": ""} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name    string
		args    []string
		refused bool
	}{
		{"other weights", []string{"--start", "huang"}, true},
		{"without a gate", []string{"--start", "huang", "--no-gate"}, true},
		{"another start", []string{"--start", "renju.json", "--rule", "renju", "--out", "renju.json"}, false},
		{"the start itself", []string{"--start", "weights.json"}, false},
		{"the start by another name", nil, false},
		{"of another rule", []string{"--start", "huang", "--out", "renju.json"}, true},
		{"of another class of sizes", []string{"--start", "huang", "--out", "large.json"}, true},
		{"the start, of another class of sizes", []string{"--start", "large.json", "--out", "large.json"}, true},
		{"of an engine", []string{"--start", "huang", "--out", "values.json"}, true},
		{"unreadable", []string{"--start", "huang", "--out", "broken.json"}, true},
		{"a checkpoint", []string{"--start", "huang", "--no-gate", "--out", "checkpoint.json"}, true},
		{"empty", []string{"--start", "huang", "--out", "empty.json"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			var out bytes.Buffer
			var log strings.Builder
			err := execute(ctx, append(quick("run", "--budget", "100games"), test.args...), strings.NewReader(""), &out,
				&watcher{"msg=evolution", 1, cancel})
			cancel()
			if err != nil {
				log.WriteString(err.Error())
			}
			want := config.ExitInterrupted // in its first generation
			if test.refused {
				want = config.ExitUsage
			}
			if got := config.Exit(err); got != want || test.refused != strings.Contains(log.String(), "choose another --out") {
				t.Errorf("status %d, want %d: %s", got, want, log.String())
			}
		})
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

// The advice of a refused run that tunes an engine names the engine file too: values are a start with it alone.
func TestAdviceOfARefusedRunOfAnEngine(t *testing.T) {
	inFolder(t)
	err := errors.Join(os.Mkdir("my engine", 0o700),
		os.WriteFile("my engine/brain", []byte("#!/bin/sh\nexit 3\n"), 0o700), //nolint:gosec // one has to run
		os.WriteFile("my engine/p.yaml", []byte("command: ./brain\npass: info\nparameters:\n  - {name: a, kind: int, start: 1, min: 0, max: 2}\n"), 0o600),
		os.WriteFile("best.json", []byte(`{"format":"quintune.values/1","name":"b","engine":"brain","values":{"a":2}}`), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	_, log, status := tune(t, quick("run", "--engine", "my engine/p.yaml", "--budget", "100games", "--out", "best.json")...)
	if status != config.ExitUsage || !strings.Contains(log, "go on from them with `tune run --start best.json --engine 'my engine/p.yaml'`") {
		t.Errorf("status %d: %s", status, log)
	}
}

// during runs change at the beginning of a run's evolution, and returns what the run printed.
func during(t *testing.T, change func(), args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := execute(context.Background(), args, strings.NewReader(""), &out, &watcher{"msg=evolution", 1, change}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Weights that another program writes to --out during a run, or between its interruption and its end, stay, and so does a file of
// another kind. The candidate is in the run's folder.
func TestWeightsThatAppearDuringARunStay(t *testing.T) {
	inFolder(t)
	done(t, "export", "default", "-o", "default.json")
	appear := func() { done(t, "export", "default", "-o", "weights.json") }
	args := quick("run", "--budget", "100games", "--start", "huang", "--no-gate")
	interrupted(t, "left", "--start", "huang", "--no-gate")
	for name, play := range map[string]func() string{
		"run": func() string { return during(t, appear, append(args, "--name", "r")...) },
		"resume": func() string {
			appear()
			return done(t, "resume", "left")
		},
		"another kind": func() string {
			other := func() {
				if err := os.WriteFile("weights.json", []byte("{}"), 0o600); err != nil {
					t.Error(err)
				}
			}
			text := during(t, other, append(args, "--name", "other")...)
			if string(read(t, "weights.json")) != "{}" || !strings.Contains(text, "it holds neither weights nor values") {
				t.Errorf("%s", text)
			}
			appear()
			return text
		},
		"another board": func() string {
			text := during(t, func() { done(t, "export", "standard15", "-o", "weights.json") }, append(args, "--name", "board")...)
			if !strings.Contains(text, "it holds weights for standard on 15×15, which this run has not met.\n") || strings.Contains(text, "compares them") {
				t.Errorf("%s", text)
			}
			appear()
			return text
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll("weights.json"); err != nil {
				t.Fatal(err)
			}
			text := play()
			if !strings.Contains(text, "weights.json was not replaced") || !strings.Contains(text, "candidate.json") {
				t.Errorf("%s", text)
			}
			if !bytes.Equal(read(t, "weights.json"), read(t, "default.json")) {
				t.Error("the weights that appeared are gone")
			}
		})
	}
}

// A folder that is not there, or in the place of a file, is told before the work.
func TestNoOutputIntoAMissingFolder(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--no-gate", "--name", "r")...)
	done(t, "export", "huang", "--format", "csv", "-o", "h.csv")
	if err := os.Mkdir("folder.html", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"export", "huang", "-o", "nowhere/x.json"}, "output: there is no folder nowhere"},
		{[]string{"export", "r", "--format", "csv", "-o", "nowhere/x.csv"}, "output: there is no folder nowhere"},
		{[]string{"export", "r", "--games", "sgf", "-o", "nowhere/x.sgf"}, "output: there is no folder nowhere"},
		{[]string{"import", "h.csv", "-o", "nowhere/x.json"}, "output: there is no folder nowhere"},
		{[]string{"report", "-o", "nowhere/x.html"}, "output: there is no folder nowhere"},
		{[]string{"report", "-o", "folder.html"}, "output: folder.html is a folder"},
		{[]string{"match", "huang", "flat", "--pairs", "1", "--records", "nowhere/x.sgf"}, "records: there is no folder nowhere"},
		{[]string{"ladder", "huang", "flat", "--records", "nowhere/x.jsonl"}, "records: there is no folder nowhere"},
		{[]string{"ladder", "huang", "flat", "--picture", "nowhere/x.svg"}, "picture: there is no folder nowhere"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			if _, log, status := tune(t, test.args...); status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("status %d: %s, want %q", status, log, test.want)
			}
		})
	}
	done(t, "export", "r", "--games", "psq", "-o", "new/folder")
}

// No command writes its result over the database of all runs.
func TestNoOutputReplacesTheDatabase(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--no-gate", "--name", "r")...)
	const database = "runs/quintune.db"
	done(t, "export", "huang", "--format", "csv", "-o", "h.csv")
	err := errors.Join(os.Mkdir("new", 0o700), os.Symlink(database, "linked.json"), os.WriteFile("renamed.json", read(t, database), 0o600),
		os.Symlink("new/quintune.db", "dangling.json"), os.Symlink(database, "linked.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"export", "r", "-o", database},
		{"export", "r", "--games", "jsonl", "-o", database},
		{"report", "r", "-o", database},
		{"puzzles", "r", "--out", database},
		{"resume", "r", "--out", database},
		{"openings", "--count", "1", "--size", "9", "--out", database},
		{"import", "h.csv", "-o", database},
		{"import", "h.csv", "-o", "linked.json"},
		{"import", "h.csv", "-o", "renamed.json"},
		{"import", "h.csv", "-o", "dangling.json"},
		{"import", "h.csv", "-o", "new/Quintune.DB"},
		{"ladder", "huang", "flat", "--picture", "linked.svg"},
		quick("run", "--budget", "100games", "--no-gate", "--runs", "new", "--out", "new/quintune.db"),
		quick("run", "--budget", "100games", "--no-gate", "--runs", "new", "--out", "new/quintune.db-wal"),
		quick("run", "--budget", "100games", "--no-gate", "--runs", "new", "--out", "dangling.json"),
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			want := "would be lost"
			if slices.ContainsFunc(args, func(arg string) bool { return arg == "dangling.json" || strings.HasPrefix(arg, "new/") }) {
				want = "has the name of a file of the database" // which is not there
			}
			if _, log, status := tune(t, args...); status != config.ExitUsage || !strings.Contains(log, want) {
				t.Errorf("status %d: %s, want %q", status, log, want)
			}
		})
	}
	done(t, "show", "r")
	for _, name := range []string{"quintune.db.csv", "quintune.dbx"} { // no files of a database
		done(t, "export", "huang", "--format", "csv", "-o", name)
	}
}

// The refusal of a weights file with one wrong number names the number.
func TestRefusedOutNamesWhatIsWrong(t *testing.T) {
	inFolder(t)
	done(t, "export", "huang", "-o", "weights.json")
	wrong := regexp.MustCompile(`"line.open_one.self": \d+`).ReplaceAll(read(t, "weights.json"), []byte(`"line.open_one.self": 99999`))
	if err := os.WriteFile("weights.json", wrong, 0o600); err != nil {
		t.Fatal(err)
	}
	_, log, status := tune(t, quick("run", "--budget", "100games")...)
	if status != config.ExitUsage || !strings.Contains(log, "line.open_one.self is 99999, outside [0, 20000]") || !strings.Contains(log, "choose another --out") {
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

// setting returns the value of a setting that a run with the options has.
func setting(t *testing.T, name string, options ...string) any {
	t.Helper()
	list := object(t, done(t, append([]string{"config", "--json"}, options...)...))["config"].([]any)
	i := slices.IndexFunc(list, func(e any) bool { return e.(map[string]any)["name"] == name })
	if i < 0 {
		t.Fatalf("there is no setting %s", name)
	}
	return list[i].(map[string]any)["value"]
}

// A warm start of the settings file is for runs that can have one: only one that is typed is refused.
func TestWarmStartOfTheSettings(t *testing.T) {
	inFolder(t)
	t.Setenv("QUINTUNE_WARM_START", "0.2")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "0.2"},
		{[]string{"--only", "search"}, "0"},
		{[]string{"--optimizer", "fit"}, "0"},
		{[]string{"--only", "search", "--warm-start", "0.1"}, "0.1"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			if got := setting(t, "warm-start", test.args...); got != test.want {
				t.Errorf("the warm start is %v, want %s", got, test.want)
			}
		})
	}
	args := quick("run", "--budget", "100games", "--no-gate", "--only", "search")
	if _, log, status := tune(t, append(args, "--warm-start", "0.1")...); status != config.ExitUsage || !strings.Contains(log, "leave out warm-start") {
		t.Errorf("typed: status %d: %s", status, log)
	}
	done(t, args...)
}

// Without --start a run begins at the embedded weights of its board.
func TestTheStartIsTheEmbeddedWeightsOfTheBoard(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "default"},
		{[]string{"--size", "20"}, "freestyle20"},
		{[]string{"--rule", "standard"}, "standard15"},
		{[]string{"--rule", "renju"}, "renju15"},
		{[]string{"--rule", "renju", "--start", "huang"}, "huang"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			if got := setting(t, "start", test.args...); got != test.want {
				t.Errorf("%q: the start is %v, want %s", test.args, got, test.want)
			}
		})
	}
	if o := object(t, done(t, quick("run", "--budget", "100games", "--json")...)); o["validation"].(map[string]any)["b"] != "default" {
		t.Errorf("validated against %v", o["validation"])
	}
}

// A run reports at its end how its result compares with the embedded weights: which are stronger, and what to do.
func TestARunIsComparedWithTheEmbeddedWeights(t *testing.T) {
	inFolder(t)
	for _, start := range []string{"flat", "default"} {
		if text := done(t, quick("run", "--budget", "200games", "--start", start)...); !strings.Contains(text, "the embedded `default`") {
			t.Errorf("from %s the run is not compared: %s", start, text)
		}
	}
	out := "weights.json"
	for _, test := range []struct {
		name           string
		out            *string
		elo, low, high float64
		pairs          int64
		want           string
	}{
		{"weaker", &out, -54, -90, -20, 100, "weights.json is 54 Elo [20, 90] weaker than the embedded `default`: play with --weights default, and begin the next run without --start, with another --out.\n"},
		{"stronger", &out, 54, 20, 90, 100, "weights.json is 54 Elo [20, 90] stronger than the embedded `default`: play with --weights weights.json.\n"},
		{"much weaker", &out, -1200, -1200, -535, 100, "weights.json is more than 535 Elo weaker than the embedded `default`: play with --weights default, and"},
		{"much stronger", &out, 1200, 535, 1200, 100, "weights.json is more than 535 Elo stronger than the embedded `default`: play with --weights weights.json.\n"},
		{"not told apart in a long validation", nil, 5, -3, 13, 1000, "c.json and the embedded `default` are not told apart, +5.0 Elo [-3.0, +13.0] in 2000 games, an interval that holds 0.\n"},
		{"not told apart", nil, 5, -20, 30, 100, "c.json and the embedded `default` are not told apart, +5.0 Elo [-20.0, +30.0] in 200 games, an interval that holds 0: `tune match c.json default --pairs 1000` asks"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runResult{Out: test.out, Candidate: "c.json", embedded: "default", record: run.Record{Spec: run.Spec{Rule: "freestyle", Size: 15}}}
			r.shipped = &match.Report{B: "default", Elo: test.elo, EloLow: test.low, EloHigh: test.high, Pairs: test.pairs, Games: 2 * test.pairs}
			if got := r.comparison(); !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A gain over the embedded weights that more nodes do not show is told as that.
func TestAGainThatIsNotShownAtMoreNodes(t *testing.T) {
	for _, test := range []struct {
		elo, low, high float64
		pairs          int64
		b, want        string
	}{
		{2, -11, 15, 1000, "default", "At 4,000 nodes a move no gain is shown: +2.0 Elo [-11.0, +15.0].\n"},
		{-16, -30, -2, 1000, "default", "At 4,000 nodes a move it is weaker: -16.0 Elo [-30.0, -2.0].\n"},
		{16, 2, 30, 1000, "default", ""},
		{-16, -30, -2, 1000, "huang", ""},
		{0, 0, 0, 0, "default", ""},
	} {
		t.Run(fmt.Sprintf("%v against %s", test.elo, test.b), func(t *testing.T) {
			r := runResult{Candidate: "c.json", record: run.Record{Spec: run.Spec{Rule: "freestyle", Size: 15}}}
			r.shipped = &match.Report{B: "default", Nodes: 1000, Elo: 20, EloLow: 10, EloHigh: 30, Pairs: 2000, Games: 4000}
			r.Further = []match.Report{*r.shipped, {B: test.b, Nodes: 4000, Elo: test.elo, EloLow: test.low, EloHigh: test.high, Pairs: test.pairs, Games: 2 * test.pairs}}
			want := "c.json is 20 Elo [10, 30] stronger than the embedded `default`: play with --weights c.json.\n" + test.want
			if got := r.comparison(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// A run whose candidate is its start says that nothing better was found, not that more games would tell.
func TestARunThatEndsAtItsStart(t *testing.T) {
	r := runResult{Candidate: "c.json", runs: &runsOption{Runs: defaultRuns}, record: run.Record{Spec: run.Spec{StartName: "default", Rule: "freestyle", Size: 15}}}
	r.shipped = &match.Report{B: "default"}
	r.Gate = judged(&match.GateReport{Verdict: stats.AcceptH0.String()})
	if got, want := r.comparison(), "c.json holds the weights of the embedded `default`, with which the run began: nothing better was found.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := r.text(); !strings.Contains(got, "gate: not passed without a game: the values are the same\n") {
		t.Errorf("got %q", got)
	}
	r.Validation, r.Further = &match.Report{B: "default", Nodes: 1000}, []match.Report{{B: "default", Nodes: 4000}}
	if got := r.text(); !strings.Contains(got, "validation: none against default at 1,000 nodes a move, the values are the same\n"+
		"further: none against default at 4,000 nodes a move, the values are the same\n") {
		t.Errorf("got %q", got)
	}
	r.record.Spec.StartName = "copy.json"
	if got, want := r.comparison(), "c.json holds the weights of the embedded `default`.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
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

// A result under a name that is not that of a weights file is of no use to other commands, so a run warns of it when it begins.
func TestOutNamesAPlayer(t *testing.T) {
	inFolder(t)
	for out, want := range map[string]bool{"w.json": false, "w.txt": true, os.DevNull: false} {
		t.Run(out, func(t *testing.T) {
			_, log, status := tune(t, append(quick("run", "--budget", "100games", "--no-gate"), "--out", out)...)
			if status != config.ExitDone || strings.Contains(log, "does not end in .json") != want {
				t.Errorf("status %d, warned: %v, want %v: %s", status, !want, want, log)
			}
		})
	}
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

// No command writes a file that is named like stdout.
func TestOutputToAFileNamedDash(t *testing.T) {
	inFolder(t)
	for _, args := range [][]string{
		{"run", "--out", "-"},
		{"export", "huang", "--output", "-"},
		{"report", "--output", "-"},
		{"openings", "--out", "-"},
		{"puzzles", "games.jsonl", "--out", "-"},
		{"import", "weights.csv", "--output", "-"},
	} {
		t.Run(args[0], func(t *testing.T) {
			if err := os.WriteFile("weights.csv", []byte(done(t, "export", "huang", "--format", "csv")), 0o600); err != nil {
				t.Fatal(err)
			}
			want := strings.TrimPrefix(args[len(args)-2], "--") + ": - does not stand for stdout"
			if _, log, status := tune(t, args...); status != config.ExitUsage || !strings.Contains(log, want) {
				t.Errorf("status %d: %s", status, log)
			}
		})
	}
}

// The values in the engine's own form replace no file of the engine. That they can be written is checked before the games.
func TestTheEngineKeepsItsFiles(t *testing.T) {
	const parameters = "parameters:\n  - {name: search.lmr_base, kind: int, start: 256, min: 0, max: 512}\n"
	for _, test := range []struct{ name, file, text, out, want string }{
		{"the engine file as --out", "e.json", "pass: info\n", "e.json", "would write e.json, which is the engine's e.json"},
		{"the engine file", "p.yaml", "pass: template\ntemplate: t.yaml.in\n", "p.json", "would write p.yaml, which is the engine's p.yaml"},
		{"the program", "p.yaml", "pass: template\ntemplate: t.yaml.in\nfile: config\n", "brain.json", "/brain: choose another --out"},
		{"the template", "p.yaml", "pass: template\ntemplate: best.txt\n", "best.json", "/best.txt: choose another --out"},
		{"the weights", "p.yaml", "pass: weights\nweights: start.weights.json\n", "start.json", "/start.weights.json: choose another --out"},
		{"a folder", "p.yaml", "pass: template\ntemplate: t.yaml.in\nfile: a.folder\n", "a.json", "own form, beside a.json: out: a.folder is a folder"},
		{"a database", "p.yaml", "pass: template\ntemplate: t.yaml.in\nfile: a.db\n", "quintune.json", "own form, beside quintune.json: out: quintune.db has the name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inFolder(t)
			done(t, "export", "huang", "-o", "start.weights.json")
			err := os.Mkdir("a.folder", 0o700)
			for name, text := range map[string]string{
				test.file: "command: ./brain\n" + test.text + parameters, "brain": "#!/bin/sh\nexit 3\n",
				"t.yaml.in": "{{search.lmr_base}}", "best.txt": "{{search.lmr_base}}",
			} {
				err = errors.Join(err, os.WriteFile(name, []byte(text), 0o700)) //nolint:gosec // one has to run
			}
			if err != nil {
				t.Fatal(err)
			}
			_, log, status := tune(t, quick("run", "--engine", test.file, "--budget", "100games", "--out", test.out)...)
			if status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("status %d: %s, want %q", status, log, test.want)
			}
		})
	}
}
