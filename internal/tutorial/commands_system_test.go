//go:build system

package tutorial

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is how long the commands of a block may take on a busy machine.
const patience = 30 * time.Minute

// The commands of all pages work, block by block, from a fresh copy for each page. The copies lie in one place, so that
// the compiler need not do its work anew.
func TestCommands(t *testing.T) {
	tree := filepath.Join(t.TempDir(), "quintune")
	for _, page := range pages {
		copyTree(t, tree)
		for _, b := range blocksOf(t, page) {
			began := time.Now()
			if said, err := perform(t, tree, b.commands); err != nil {
				t.Fatalf("%s:%d: %v\n%s", page, b.line, err, said)
			}
			t.Logf("%s:%d: %.1f s", page, b.line, time.Since(began).Seconds())
		}
	}
}

// perform runs commands in a folder as bash does for a reader who stops at the first one that fails, and returns the
// commands and what they said.
func perform(t *testing.T, folder, commands string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euxo", "pipefail", "-c", commands)
	cmd.Dir, cmd.WaitDelay = folder, time.Second
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "QUINTUNE_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	// With the profiles of both programs every package would be compiled twice more.
	cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -pgo=off")
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// The first command that fails ends a block, in pipes too, and its error is shown.
func TestFailuresAreSeen(t *testing.T) {
	for _, commands := range []string{"false\ntrue\n", "false | cat\n", "echo $UNKNOWN_VARIABLE\n", "no-such-program\n"} {
		t.Run(commands, func(t *testing.T) {
			if said, err := perform(t, t.TempDir(), commands); err == nil {
				t.Errorf("%q succeeds: %s", commands, said)
			}
		})
	}
	if said, err := perform(t, t.TempDir(), "pwd >here\ntest -s here\n"); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
