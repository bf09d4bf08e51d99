package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
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
