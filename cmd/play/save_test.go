package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/session"
	"quintune/pattern"
)

func TestSaver(t *testing.T) {
	tests := []struct {
		name string // --record
		rule pattern.Rule
		want []string // of two games
	}{
		{"", pattern.Freestyle, []string{"game-1.sgf", "game-2.sgf"}},
		{"mine.psq", pattern.Freestyle, []string{"mine.psq", "mine-2.psq"}},
		{"mine.psq", pattern.Renju, []string{"mine_renju.psq", "mine-2_renju.psq"}},
		{"mine.txt", pattern.Standard, []string{"mine.txt", "mine-2.txt"}},
		{"none", pattern.Freestyle, []string{"", ""}},
	}
	for _, test := range tests {
		t.Chdir(t.TempDir())
		s, err := newSaver(test.name)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for id := range uint64(2) {
			g, err := session.New(id, 15, test.rule)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // a game has one file, however often it is saved
				if err := g.Play(g.Board().AllEmpty(nil)[7]); err != nil {
					t.Fatal(err)
				}
				if _, err := s.save(g); err != nil {
					t.Fatal(err)
				}
			}
			names = append(names, s.files[id])
		}
		if !slices.Equal(names, test.want) {
			t.Errorf("%q: %q, want %q", test.name, names, test.want)
		}
		files, err := filepath.Glob("*")
		if err != nil {
			t.Fatal(err)
		}
		if wrote := strings.Join(files, "") != ""; wrote != (test.want[0] != "") || len(files) > 2 {
			t.Errorf("%q wrote %q", test.name, files)
		}
	}
	for _, name := range []string{"game.exe", "game", "game.rec"} {
		if _, err := newSaver(name); config.Exit(err) != config.ExitUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was there is never lost, and an unwritable place is told.
func TestSaverKeepsFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "game-1.sgf", "precious")
	if out, log, status := play(t, "h8\nquit\n", "--nodes", "100", "--record", "game-1.sgf"); status != 0 || !strings.Contains(out, "saved as game-1-2.sgf") {
		t.Errorf("status %d: %s%s", status, out, log)
	}
	if data, err := os.ReadFile("game-1.sgf"); err != nil || string(data) != "precious" {
		t.Errorf("%q (%v)", data, err)
	}
	if _, log, status := play(t, "h8\nquit\n", "--nodes", "100", "--record", "absent/game.sgf"); status != 1 || !strings.Contains(log, "absent") {
		t.Errorf("status %d: %s", status, log)
	}
}

func TestSwap2InPipes(t *testing.T) {
	t.Chdir(t.TempDir())
	out, log, status := play(t, "h8\ni9\ng7\nquit\n", "--nodes", "20000", "--opening", "swap2", "--record", "none")
	if status != 0 || !strings.Contains(out, "swap2: put a white stone.") || strings.Count(out, "You are") < 1 {
		t.Errorf("status %d: %s%s", status, out, log)
	}
	out, _, status = play(t, "tea\nblack\nquit\n", "--nodes", "20000", "--opening", "swap2", "--color", "white")
	if status != 0 || !strings.Contains(out, "swap2: [black white two]?") || !strings.Contains(out, "You are black (X)") {
		t.Errorf("status %d: %s", status, out)
	}
	if _, _, status := play(t, "", "--opening", "swap2", "--against", "baseline:zhang"); status != config.ExitUsage {
		t.Errorf("status %d for a player that cannot choose", status)
	}
}

// A record that cannot be written is refused before the game.
func TestRecordIsCheckedBeforeTheGame(t *testing.T) {
	t.Chdir(t.TempDir())
	out, log, status := play(t, "h8\nquit\n", "--record", "none/game.sgf", "--nodes", "100")
	if status == 0 || !strings.Contains(log, "record: none/game.sgf cannot be written") || strings.Contains(out, "plays") {
		t.Errorf("status %d, %s, %s", status, out, log)
	}
}
