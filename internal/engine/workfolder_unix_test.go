//go:build unix

package engine

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Another user's named pipe in the place of a lock is not waited for.
func TestPipeInThePlaceOfALock(t *testing.T) {
	temporary := t.TempDir()
	path := filepath.Join(temporary, workPrefix+"1", lockName)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	longAgo := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		removeStale(temporary)
	}()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for a writer")
	}
	if _, err := os.Lstat(path); err != nil {
		t.Error(err)
	}
}
