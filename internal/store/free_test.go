package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFreeIsKnownOfPathsThatAreNotThereYet(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, FileName)
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{dir: dir, file: dir, filepath.Join(dir, "runs", "one"): dir} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if got := NearestFolder(path); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
			if free, err := Free(path); err == nil && free <= 0 || err != nil && !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%s: %d bytes, error %v", path, free, err)
			}
		})
	}
}
