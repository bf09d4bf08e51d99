package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A lock file is held by one at a time. Who looks for a moment whether it is held keeps nobody from it.
func TestTake(t *testing.T) {
	if !Supported {
		t.Skip("the system has no such locks")
	}
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Take(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Take(path); !errors.Is(err, ErrHeld) {
		t.Errorf("while it is held: %v", err)
	}
	time.AfterFunc(pause, func() { _ = first.Close() })
	second, err := Take(path)
	if err != nil {
		t.Fatalf("after a moment: %v", err)
	}
	if err := Delete(second); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the lock file was not deleted")
	}
}

// A file that was opened before its holder deleted it is not the lock: others would make another.
func TestADeletedLockIsNotHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f, err := Take(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !isAt(f, path) {
		t.Error("the file is not at its path")
	}
	if err := os.Remove(path); err != nil {
		t.Skip("the system deletes no open file")
	}
	if isAt(f, path) {
		t.Error("a deleted file is at its path")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if isAt(f, path) {
		t.Error("a deleted file is the new one at its path")
	}
}
