package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/store"
)

// An interrupted match prints how to continue. The same command continues it from where it was, and once more
// shows the result again.
func TestMatchesGoOn(t *testing.T) {
	inFolder(t)
	short := func(args ...string) []string {
		return append(args, "--size", "9", "--nodes", "200", "--openings", "openings.txt", "--workers", "1", "--json")
	}
	continues := regexp.MustCompile(`continues at pair (\d+) of 60`)
	for _, test := range []struct {
		name string
		args []string
	}{
		{"match", short("match", "huang", "flat", "--pairs", "60")},
		{"match with a test", short("match", "huang", "zhang", "--pairs", "60", "--sprt", "0,1")},
		{"gate", short("gate", "huang", "zhang", "--pairs", "60")},
		{"validate", short("validate", "huang", "--against", "flat", "--pairs", "60")},
		{"sprt", short("sprt", "huang", "zhang", "--pairs", "60", "--nelo", "0,1")},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := done(t, append(slices.Clone(test.args), "--runs", "whole")...)
			records := strings.ReplaceAll(test.name, " ", "-") + ".jsonl"
			_, log, status := runUntil(t, records, append(slices.Clone(test.args), "--records", records))
			kept := filepath.Join("runs", store.FileName)
			if status != config.ExitInterrupted || !strings.Contains(log, "of 60 pairs, which are kept in "+kept+": the same command goes on") {
				t.Fatalf("status %d: %s", status, log)
			}
			out, log, status := tune(t, append(slices.Clone(test.args), "--records", "all-"+records)...)
			if status != config.ExitDone || out != want {
				t.Errorf("status %d: %s; want %s; %s", status, out, want, log)
			}
			if at := continues.FindStringSubmatch(log); at == nil || at[1] == "1" {
				t.Errorf("it does not tell from where it goes on: %s", log)
			}
			if games := gamesIn(t, "all-"+records); len(games) != 120 {
				t.Errorf("%d games are in the records, want 120", len(games))
			}
			out, log, status = tune(t, test.args...)
			if status != config.ExitDone || out != want || !strings.Contains(log, "no game is played") || continues.MatchString(log) {
				t.Errorf("once more: status %d: %s; want %s; %s", status, out, want, log)
			}
		})
	}
}

// A match with a time limit can be continued too, and no finished pair is played again.
func TestTimedMatchGoesOn(t *testing.T) {
	inFolder(t)
	args := []string{"match", "huang", "flat", "--pairs", "12", "--size", "9", "--time", "3ms", "--openings", "openings.txt", "--workers", "1", "--json"}
	_, log, status := runUntil(t, "m.jsonl", append(slices.Clone(args), "--records", "m.jsonl"))
	if status != config.ExitInterrupted {
		t.Fatalf("status %d: %s", status, log)
	}
	out, log, status := tune(t, append(slices.Clone(args), "--records", "all.jsonl")...)
	if o := object(t, out); status != config.ExitDone || o["games"] != 24.0 || !strings.Contains(log, " of 12") {
		t.Fatalf("status %d: %v: %s", status, o, log)
	}
	first, all := gamesIn(t, "m.jsonl"), gamesIn(t, "all.jsonl")
	if len(first) == 0 || len(all) != 24 {
		t.Fatalf("%d games, then %d", len(first), len(all))
	}
	for i, g := range first {
		if len(g.Moves) != len(all[i].Moves) || g.Outcome != all[i].Outcome {
			t.Errorf("game %d was played again", i+1)
		}
	}
}

// If the weights in a file change, the match is another one.
func TestAChangedPlayerPlaysAnotherMatch(t *testing.T) {
	inFolder(t)
	again := func() (log string) {
		t.Helper()
		_, log, status := tune(t, quick("match", "w.json", "flat", "--pairs", "2")...)
		if status != config.ExitDone {
			t.Fatal(log)
		}
		return log
	}
	done(t, "export", "huang", "-o", "w.json")
	again()
	if log := again(); !strings.Contains(log, "no game is played") {
		t.Errorf("the same weights: %s", log)
	}
	done(t, "export", "zhang", "-o", "w.json")
	if log := again(); strings.Contains(log, "no game is played") {
		t.Errorf("other weights: %s", log)
	}
}

// Stored pairs that cannot be read are refused with the name of the file.
func TestDamagedPairsOfAMatch(t *testing.T) {
	inFolder(t)
	if err := os.Mkdir("runs", 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("runs", store.FileName)
	if err := os.WriteFile(path, []byte(strings.Repeat("not a database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, log, status := tune(t, quick("match", "huang", "flat", "--pairs", "2")...); status != config.ExitFailed || !strings.Contains(log, path) {
		t.Errorf("status %d: %s", status, log)
	}
}
