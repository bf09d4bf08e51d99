//go:build unix

package brain

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"quintune/pattern"
)

// INFO weights names files alone: to open a pipe nobody writes to would hold the engine for ever.
func TestWeightsOfAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.json")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	b := new(Brain)
	b.LoadWeights(pipe)
	if err := b.NewGame(15, pattern.Freestyle); err == nil || !strings.Contains(err.Error(), "pipe.json is not a regular file") {
		t.Errorf("error %v", err)
	}
}
