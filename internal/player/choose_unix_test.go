//go:build unix

package player

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"quintune/pattern"
	"quintune/weights/weightstest"
)

// A named pipe that is found is refused, since to open one that nobody writes to takes for ever. One that the user names is read, as
// --weights <(...) is.
func TestChooseAPipe(t *testing.T) {
	folder := t.TempDir()
	file, pipe := filepath.Join(folder, "file.json"), filepath.Join(folder, WeightsFile)
	weightstest.Save(t, file, weightstest.Preset(t, "huang"))
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Choose("", folder, pattern.Freestyle, 15); err == nil || !strings.Contains(err.Error(), WeightsFile+" is not a regular file") {
		t.Errorf("found: %v", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wrote := make(chan error, 1)
	go func() { wrote <- os.WriteFile(pipe, data, 0o600) }()
	if _, err := Choose(pipe, folder, pattern.Freestyle, 15); err != nil {
		t.Fatalf("named: %v", err) // perhaps nobody reads the pipe
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
}
