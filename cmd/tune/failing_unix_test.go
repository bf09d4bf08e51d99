//go:build unix

package main

import (
	"os"
	"strings"
	"testing"

	"quintune/internal/config"
)

// An engine that does not start, and one that fails in every game, end a match of any kind with their message.
func TestFailingEnginesEndMatches(t *testing.T) {
	inFolder(t)
	const crashes = "while read -r line; do case $line in START*|RESTART*) echo OK;; BOARD*|BEGIN*|TURN*) echo no book >&2; exit 3;; END*) exit 0;; esac; done\n"
	if err := os.WriteFile("crashes.sh", []byte(crashes), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []struct{ name, player, want string }{
		{"does not start", noProgram, "no such file"},
		{"leaves at once", "gomocup:true", "it does not start: crash"},
		{"fails in every game", "gomocup:sh crashes.sh", "no book"},
	} {
		for _, command := range [][]string{
			{"match", engine.player, "huang", "--pairs", "40"},
			{"match", "huang", engine.player, "--pairs", "2"},
			{"match", "huang", engine.player, "--sprt", "0,10", "--pairs", "40"},
			{"gate", engine.player, "huang", "--pairs", "40"},
			{"sprt", engine.player, "huang", "--pairs", "40"},
			{"ladder", "huang", "zhang", engine.player, "--pairs", "40"},
			{"validate", "w.json", "--against", engine.player, "--pairs", "4"},
		} {
			t.Run(command[0]+" "+engine.name, func(t *testing.T) {
				if command[0] == "validate" {
					done(t, "export", "huang", "-o", "w.json")
				}
				_, log, status := tune(t, quick(command...)...)
				if status != config.ExitFailed || !strings.Contains(log, engine.want) || !strings.Contains(log, "cannot play") {
					t.Errorf("tune %q: status %d, want %d and %q: %s", command, status, config.ExitFailed, engine.want, log)
				}
			})
		}
	}
}
