package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/puzzle"
)

// inFolderWithRecords is inFolder with a file of games that hold puzzles.
func inFolderWithRecords(t *testing.T) {
	t.Helper()
	games := read(t, filepath.Join("..", "..", "internal", "puzzle", "testdata", "games.jsonl"))
	inFolder(t)
	if err := os.WriteFile("games.jsonl", games, 0o666); err != nil {
		t.Fatal(err)
	}
}

func puzzlesIn(t *testing.T, path string) []puzzle.Puzzle {
	t.Helper()
	puzzles, err := puzzle.Read(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return puzzles
}

func TestPuzzlesOfAFile(t *testing.T) {
	inFolderWithRecords(t)
	out := done(t, "puzzles", "games.jsonl", "--count", "3", "--workers", "2", "--out", "p.jsonl")
	if n := len(puzzlesIn(t, "p.jsonl")); n != 3 || !strings.HasPrefix(out, "3 puzzles in ") || !strings.Contains(out, "p.jsonl") {
		t.Errorf("%d puzzles, and the command says %q", n, out)
	}
	if text := done(t, "puzzles", "games.jsonl", "--count", "3", "--workers", "1"); text != string(read(t, "p.jsonl")) {
		t.Errorf("one worker writes %s", text)
	}
	o := object(t, done(t, "puzzles", "games.jsonl", "--count", "2", "--json"))
	if list, _ := o["puzzles"].([]any); o["count"] != 2.0 || len(list) != 2 {
		t.Errorf("%v", o)
	}
	if out := done(t, "puzzles", "games.jsonl", "--count", "1000", "--out", "all.jsonl"); !strings.Contains(out, "1000 were wanted") {
		t.Errorf("the command says %q", out)
	}
}

func TestPuzzlesOfARun(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--seed", "7", "--name", "r")...)
	done(t, "puzzles", "r", "--count", "2", "--nodes", "2000", "--out", "p.jsonl")
	if _, log, status := tune(t, "puzzles", "r", "--size", "15"); status != config.ExitUsage || !strings.Contains(log, "tune puzzles: r: the size is 9, not 15 as --size says") {
		t.Errorf("another size than the run's: status %d: %s", status, log)
	}
	of := read(t, "p.jsonl")
	t.Chdir("runs") // where the run's folder has its name
	if text := done(t, "puzzles", "r", "--count", "2", "--nodes", "2000", "--runs", "."); text != string(of) {
		t.Errorf("beside the run's folder: %s", text)
	}
	t.Chdir("..")
	for _, p := range puzzlesIn(t, "p.jsonl") {
		if p.Size != 9 || p.Rule != "freestyle" {
			t.Errorf("%+v", p)
		}
	}
}

// The result does not replace the games, by whatever name, and where there are no puzzles there is nothing to open.
func TestPuzzlesKeepTheirRecords(t *testing.T) {
	inFolderWithRecords(t)
	if err := os.Symlink("games.jsonl", "linked.jsonl"); err != nil {
		t.Skip(err)
	}
	games := read(t, "games.jsonl")
	for _, out := range []string{"games.jsonl", "./games.jsonl", "linked.jsonl"} {
		t.Run(out, func(t *testing.T) {
			_, log, status := tune(t, "puzzles", "games.jsonl", "--count", "1", "--out", out)
			if want := out + " is the file of records itself, which would be lost"; status != config.ExitUsage || !strings.Contains(log, want) {
				t.Errorf("status %d: %s, want %q", status, log, want)
			}
			if !bytes.Equal(read(t, "games.jsonl"), games) {
				t.Error("the records are gone")
			}
		})
	}
	for nodes, want := range map[string]bool{"1": false, puzzleNodes: true} {
		args := []string{"puzzles", "games.jsonl", "--count", "1", "--nodes", nodes}
		out, log, status := tune(t, args...)
		if none := strings.Contains(log, "no puzzle was found in 12 games"); status != config.ExitDone || none == want || (out != "") != want {
			t.Errorf("%s nodes, want puzzles: %v, status %d: %s\n%s", nodes, want, status, out, log)
		}
		out = done(t, append(args, "--out", "p.jsonl")...)
		if none := strings.Contains(out, "No puzzle was found in 12 games, and p.jsonl is empty"); none == want || strings.Contains(out, "Next: ") != want {
			t.Errorf("%s nodes, want a next command: %v\n%s", nodes, want, out)
		}
	}
	done(t, "export", "huang", "-o", "w.json")
	if out := done(t, "puzzles", "games.jsonl", "--count", "1", "--out", "w.json"); !strings.Contains(out, "written to w.json; the file before it is now ") {
		t.Errorf("over a weights file: %s", out)
	}
}

// A run may have a dot in its name.
func TestRecordsAndRunsAreToldApart(t *testing.T) {
	inFolderWithRecords(t)
	for argument, want := range map[string]bool{"games.jsonl": true, "missing.psq": true, "folder/games": true, `folder\games`: true, "night": false, "night.2": false} {
		if got := isRecords(argument); got != want {
			t.Errorf("%s is a file of records: %v, want %v", argument, got, want)
		}
	}
}

func TestPuzzlesUsage(t *testing.T) {
	inFolderWithRecords(t)
	if err := os.WriteFile("empty.json", []byte(" \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		args   []string
		want   string
		status int
	}{
		{"no argument", []string{"puzzles"}, "accepts 1 arg", config.ExitUsage},
		{"none wanted", []string{"puzzles", "games.jsonl", "--count", "0"}, "count is 0, not in [1, 100000]", config.ExitUsage},
		{"no nodes", []string{"puzzles", "games.jsonl", "--nodes", "0"}, "nodes is 0, not in [1", config.ExitUsage},
		{"the flag of export", []string{"puzzles", "games.jsonl", "-o", "p.jsonl"}, `'o' in -o: did you mean "--out"?`, config.ExitUsage},
		{"the flag of puzzles", []string{"export", "huang", "--out", "h.json"}, `unknown flag: --out: did you mean "--output"?`, config.ExitUsage},
		{"no such run", []string{"puzzles", "nobody"}, "there is no run nobody", config.ExitFailed},
		{"no such file", []string{"puzzles", "nothing.psq"}, "nothing.psq", config.ExitFailed},
		{"an empty file", []string{"puzzles", "empty.json"}, "empty.json is empty: it holds no game", config.ExitFailed},
		{"a folder", []string{"puzzles", "."}, ". is a folder: name one of its files", config.ExitFailed},
		{"no folder for the result", []string{"puzzles", "games.jsonl", "--out", "nowhere/p.jsonl"}, "out: there is no folder nowhere", config.ExitUsage},
		{"no folder for openings", []string{"openings", "--out", "nowhere/o.txt"}, "out: there is no folder nowhere", config.ExitUsage},
		{"another size", []string{"puzzles", "games.jsonl", "--size", "19"}, "games.jsonl: the size is 15, not 19 as --size says", config.ExitUsage},
		{"another rule", []string{"puzzles", "games.jsonl", "--rule", "renju"}, "games.jsonl: the rule is freestyle, not renju as --rule says", config.ExitUsage},
		{"no records", []string{"puzzles", "./openings.txt", "--size", "5"}, "openings.txt: ", config.ExitFailed},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, log, status := tune(t, test.args...); status != test.status || !strings.Contains(log, test.want) {
				t.Errorf("status %d, want %d: %s", status, test.status, log)
			}
		})
	}
}
