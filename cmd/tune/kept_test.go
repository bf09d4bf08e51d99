package main

import (
	"database/sql"
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
			_, log, status := runUntil(t, records, test.args)
			kept := filepath.Join("runs", store.FileName)
			if status != config.ExitInterrupted || !strings.Contains(log, "of 60 pairs, which are kept in "+kept+": the same command goes on") {
				t.Fatalf("status %d: %s", status, log)
			}
			out, log, status := tune(t, append(slices.Clone(test.args), "--records", records)...)
			if status != config.ExitDone || out != want {
				t.Errorf("status %d: %s; want %s; %s", status, out, want, log)
			}
			if at := continues.FindStringSubmatch(log); at == nil || at[1] == "1" {
				t.Errorf("it does not tell from where it goes on: %s", log)
			}
			if games := gamesIn(t, records); len(games) != 120 {
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
	_, log, status := runUntil(t, "m.jsonl", args)
	if status != config.ExitInterrupted {
		t.Fatalf("status %d: %s", status, log)
	}
	first := storedGames(t)
	out, log, status := tune(t, append(slices.Clone(args), "--records", "m.jsonl")...)
	if o := object(t, out); status != config.ExitDone || o["games"] != 24.0 || !strings.Contains(log, " of 12") {
		t.Fatalf("status %d: %v: %s", status, o, log)
	}
	if all := storedGames(t); len(first) == 0 || len(all) != 24 || !slices.Equal(all[:len(first)], first) {
		t.Errorf("stored were the games %v, then %v", first, all)
	}
	if games := gamesIn(t, "m.jsonl"); len(games) != 24 {
		t.Errorf("%d games are in the records, want 24", len(games))
	}
}

// storedGames returns the games of the only match in the database, each with its moves as stored.
func storedGames(t *testing.T) (games []string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join("runs", store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT pair || '.' || game || ' ' || hex(moves) FROM games ORDER BY pair, game`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var game string
		if err := rows.Scan(&game); err != nil {
			t.Fatal(err)
		}
		games = append(games, game)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return games
}

// A match that fails leaves no records, and the same command fails in the same way.
func TestFailedMatchLeavesNoRecords(t *testing.T) {
	inFolder(t)
	for _, path := range []string{"games.sgf", "games"} {
		t.Run(path, func(t *testing.T) {
			for range 2 {
				_, log, status := tune(t, quick("match", "huang", "gomocup:./absent", "--pairs", "2", "--records", path)...)
				if status != config.ExitFailed || !strings.Contains(log, "absent") {
					t.Errorf("status %d: %s", status, log)
				}
			}
			if left, err := filepath.Glob(path + "*/*"); err != nil || len(left) > 0 || hiddenRecords(path) != "" {
				t.Errorf("left is %v%s (%v)", left, hiddenRecords(path), err)
			}
		})
	}
	if _, err := os.Stat("games.sgf"); err == nil {
		t.Error("left is games.sgf")
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
