package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/record"
	"quintune/internal/run"
	"quintune/internal/runfolder"
)

func TestRunsAreExported(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "r", "--quiet")...)
	candidate := read(t, filepath.Join("runs", "r", "candidate.json"))
	done(t, "export", "r", "--format", "csv", "-o", "r.csv")
	done(t, "import", "r.csv", "-o", "again.json", "--size", "9")
	if text := done(t, "diff", "again.json", "r"); !strings.HasPrefix(text, "again.json and r have the same weights.\nNext: `tune export again.json --format markdown` ") {
		t.Errorf("imported weights differ: %s", text)
	}
	for _, args := range [][]string{
		{"export", "r", "--games", "sgf", "-o", "games.sgf"},
		{"export", "r", "--games", "jsonl", "-o", "games.jsonl"},
		{"export", "r", "--games", "psq", "-o", "games"},
	} {
		t.Run(args[3], func(t *testing.T) {
			o := object(t, done(t, append(args, "--json")...))
			if o["games"].(float64) < 90 {
				t.Errorf("%v: %v", args, o)
			}
		})
	}
	if text := done(t, "export", "r", "--games", "sgf"); text != string(read(t, "games.sgf")) {
		t.Error("on stdout other games than in the file")
	}
	for _, file := range []string{"games.sgf", "games.jsonl"} {
		t.Run(file, func(t *testing.T) {
			format, _ := record.FormatOf(file)
			games, err := record.Parse(read(t, file), format, record.DefaultConditions())
			if err != nil || len(games) < 90 || games[0].Size != 9 || games[0].Players[1] == "" || games[0].Event == "" {
				t.Errorf("%s: %d games, error %v", file, len(games), err)
			}
		})
	}
	entries, err := os.ReadDir("games")
	if err != nil || len(entries) < 90 {
		t.Fatalf("%d files, error %v", len(entries), err)
	}
	if games, err := record.Parse(read(t, filepath.Join("games", entries[0].Name())), record.PSQ, record.DefaultConditions()); err != nil || games[0].Size != 9 {
		t.Errorf("%s: %v", entries[0].Name(), err)
	}
	done(t, "export", "huang", "-o", "again.json")
	if kept := read(t, "again.json.bak"); !strings.Contains(string(kept), `"imported"`) {
		t.Errorf("the file that was replaced is not kept: %.200s", kept)
	}
	if _, log, status := tune(t, "export", "r", "--games", "psq", "-o", "games"); status != config.ExitUsage || !strings.Contains(log, "is not empty") {
		t.Errorf("into the same folder again: status %d: %s", status, log)
	}
	for _, test := range []struct{ format, file, want string }{
		{"sgf", "g.jsonl", "output: the ending of g.jsonl is that of jsonl, and --games is sgf"},
		{"jsonl", "g.TXT", "output: the ending of g.TXT is that of moves, and --games is jsonl"},
		{"psq", "g.sgf", "output: g.sgf has the ending of a file, and psq games go to a folder"},
		{"psq", "g.psq", "output: g.psq has the ending of a file, and psq games go to a folder"},
	} {
		t.Run(test.format+" to "+test.file, func(t *testing.T) {
			if _, log, status := tune(t, "export", "r", "--games", test.format, "-o", test.file); status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("status %d: %s, want %q", status, log, test.want)
			}
			if _, err := os.Lstat(test.file); err == nil {
				t.Errorf("%s was made", test.file)
			}
		})
	}
	reported := func(args ...string) []string {
		t.Helper()
		done(t, append(args, "-o", "report.html")...)
		return regexp.MustCompile(`of them in \d+ generations?|\d+ of \d+ weights differ`).FindAllString(string(read(t, "report.html")), -1)
	}
	told := reported("report", "r")
	for _, checkpoint := range []string{"checkpoint.json", "checkpoint"} {
		done(t, "export", "r", "--format", "json", "-o", checkpoint)
		elsewhere := "runs of " + checkpoint
		done(t, "resume", checkpoint, "--runs", elsewhere, "--out", "w.json", "--quiet")
		if !bytes.Equal(read(t, filepath.Join(elsewhere, "r", "candidate.json")), candidate) {
			t.Errorf("%s gives another candidate", checkpoint)
		}
		if got := reported("report", "r", "--runs", elsewhere); len(got) != 2 || !slices.Equal(got, told) {
			t.Errorf("the report of %s has %q, want %q", checkpoint, got, told)
		}
	}
}

// A command that goes on with a checkpoint can be repeated when it was refused or interrupted: then the stored run goes on.
func TestACheckpointGoesOnAgain(t *testing.T) {
	inFolder(t)
	interrupted(t, "r", "--runs", "elsewhere")
	done(t, "export", "r", "--runs", "elsewhere", "-o", "c.json")
	for _, args := range [][]string{{"resume", "c.json"}, {"resume", "c.json", "--fork"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			args = append(args, "--runs", "runs "+args[len(args)-1])
			refused := map[string][]string{
				"there is no folder nodir": {"--out", "nodir/x.json"},
				"stay: there is no page":   {"--stay"},
				"needs a token":            {"--listen", "0.0.0.0:0"},
				"run r tunes weights":      {"--engine", "engine.yaml"},
			}
			if !slices.Contains(args, "--fork") {
				refused["not above the run's own"] = []string{"--budget", "100games"}
			}
			for want, more := range refused {
				if _, log, status := tune(t, append(slices.Clone(args), more...)...); status != config.ExitUsage || !strings.Contains(log, want) {
					t.Errorf("%v: status %d: %s", more, status, log)
				}
			}
			if listed := done(t, "list", "--runs", args[len(args)-1]); listed != "" {
				t.Errorf("a refused command has stored a run: %s", listed)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var log bytes.Buffer
			watch := &watcher{"msg=", 1, cancel}
			if err := execute(ctx, args, strings.NewReader(""), &bytes.Buffer{}, io.MultiWriter(watch, &log)); config.Exit(err) != config.ExitInterrupted {
				t.Fatalf("%v: %s", err, log.String())
			}
			if o := object(t, done(t, append(args, "--json")...)); o["verdict"] != verdictNone {
				t.Errorf("%v", o)
			}
		})
	}
	done(t, quick("run", "--budget", "100games", "--name", "r", "--no-gate", "--quiet")...)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"resume", "c.json"}, "choose another --name, or go on with `tune resume r --budget MORE`"},
		{[]string{"resume", "c.json", "--fork"}, "the stored run r is another than that of the checkpoint, or not as far: file already exists: choose another --runs"},
	} {
		t.Run(test.want, func(t *testing.T) {
			if _, log, status := tune(t, test.args...); status != config.ExitFailed || !strings.Contains(log, test.want) {
				t.Errorf("status %d: %s", status, log)
			}
		})
	}
}

// A checkpoint may come from anybody: it starts no program, and names no file outside the working directory.
func TestAHostileCheckpoint(t *testing.T) {
	inFolder(t)
	interrupted(t, "r", "--runs", "elsewhere")
	done(t, "export", "r", "--runs", "elsewhere", "-o", "c.json")
	checkpoint, err := runfolder.ReadCheckpoint(read(t, "c.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		change   func(*run.Record)
		want     string
		replaced bool // a fork has its own in its place
	}{
		{"another folder", func(r *run.Record) { r.Out = "../x.json" }, "name the file with --out", false},
		{"hidden", func(r *run.Record) { r.Out = ".json" }, "name the file with --out", false},
		{"no weights", func(r *run.Record) { r.Out = "Makefile" }, "name the file with --out", false},
		{"an anchor", func(r *run.Record) { r.Spec.Anchors[0] = run.Anchor{Name: "x", Player: "gomocup:x"} }, "--allow-commands", false},
		{"the shipped set", func(r *run.Record) { r.Spec.Shipped = &run.Anchor{Name: "x", Player: "gomocup:x"} }, "not weights", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed := *checkpoint
			changed.Record.Spec.Anchors = slices.Clone(changed.Record.Spec.Anchors)
			test.change(&changed.Record)
			dir := t.TempDir()
			runs, err := runfolder.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			f, s, err := runs.Import(&changed, "r")
			if err != nil {
				t.Fatal(err)
			}
			file, err := runs.Checkpoint(s)
			if err = errors.Join(err, f.Release(), runs.Close()); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("hostile.json", file, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, more := range []string{"--quiet", "--fork"} {
				_, log, status := tune(t, "resume", "hostile.json", more, "--runs", filepath.Join(dir, more))
				if more == "--fork" && test.replaced && status == config.ExitDone {
					continue
				}
				if status == config.ExitDone || !strings.Contains(log, test.want) {
					t.Errorf("%s: status %d: %s", more, status, log)
				}
			}
		})
	}
}

// Neither export nor import replaces the file that it reads by another form of it.
func TestExportAndImportKeepTheirSource(t *testing.T) {
	inFolder(t)
	done(t, "export", "huang", "--format", "json", "-o", "h.json")
	done(t, "export", "huang", "--format", "csv", "-o", "h.csv")
	for _, args := range [][]string{
		{"export", "h.json", "--format", "csv", "-o", "./h.json"},
		{"export", "h.json", "--format", "markdown", "-o", "h.json"},
		{"import", "h.csv", "-o", "./h.csv"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			before := read(t, args[1])
			if _, log, status := tune(t, args...); status != config.ExitUsage || !strings.Contains(log, args[1]) {
				t.Errorf("status %d: %s", status, log)
			}
			if !bytes.Equal(before, read(t, args[1])) {
				t.Errorf("%s was replaced", args[1])
			}
		})
	}
	done(t, "export", "h.json", "--format", "json", "-o", "h.json")
	if text := done(t, "import", "h.csv", "-o", "h.txt"); strings.Contains(text, "Next:") {
		t.Errorf("a command is named that does not take h.txt: %s", text)
	}
}
