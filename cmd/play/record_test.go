package main

import (
	"os"
	"strings"
	"testing"

	"quintune/internal/config"
)

// An existing file is never lost, and a path that cannot be written is reported.
func TestSaverKeepsFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "game-1.sgf", "precious")
	if out, log, status := play(t, "h8\nquit\n", "--nodes", "100", "--record", "game-1.sgf"); status != 0 || !strings.Contains(out, "saved as game-1-2.sgf") {
		t.Errorf("status %d: %s%s", status, out, log)
	}
	if data, err := os.ReadFile("game-1.sgf"); err != nil || string(data) != "precious" {
		t.Errorf("%q (%v)", data, err)
	}
	if _, log, status := play(t, "h8\nquit\n", "--nodes", "100", "--record", "absent/game.sgf"); status != config.ExitUsage || !strings.Contains(log, "there is no folder absent") {
		t.Errorf("status %d: %s", status, log)
	}
}

func TestRecordOfNoFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, log, status := play(t, "", "--record", "game.exe"); status != config.ExitUsage || !strings.Contains(log, "record is \"game.exe\"") {
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
	out, _, status = play(t, "h8\nswap\ni9\nquit\n", "--nodes", "1000", "--opening", "swap2")
	if status != 0 || !strings.Contains(out, "the stones of this step are to be put first") {
		t.Errorf("swapped within a step: status %d: %s", status, out)
	}
	for color, want := range map[string]string{"black": "swap2: you are the opener, ", "white": "swap2: you are the responder, "} {
		out, _, _ := play(t, "quit\n", "--nodes", "1000", "--opening", "swap2", "--color", color)
		if !strings.HasPrefix(out, want) || strings.Contains(out, "You are") {
			t.Errorf("--color %s: nobody has a colour yet: %s", color, out)
		}
	}
	if _, _, status := play(t, "", "--opening", "swap2", "--against", "baseline:zhang"); status != config.ExitUsage {
		t.Errorf("status %d for a player that cannot choose", status)
	}
}

// A record that cannot be written is an error before the game.
func TestRecordIsCheckedBeforeTheGame(t *testing.T) {
	t.Chdir(t.TempDir())
	out, log, status := play(t, "h8\nquit\n", "--record", strings.Repeat("x", 300)+".sgf", "--nodes", "100")
	if status != config.ExitFailed || !strings.Contains(log, ".sgf cannot be written") || strings.Contains(out, "plays") {
		t.Errorf("status %d, %s, %s", status, out, log)
	}
}
