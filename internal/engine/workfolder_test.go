package engine

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A folder of a process that was killed goes at the next start; one in use and a new one stay.
func TestStaleWorkFoldersAreRemoved(t *testing.T) {
	temporary := t.TempDir()
	held, err := newWorkFolder(temporary)
	if err != nil {
		t.Fatal(err)
	}
	left, err := newWorkFolder(temporary)
	if err != nil {
		t.Fatal(err)
	}
	left.lock.Close() // as the end of a process does
	fresh, err := newWorkFolder(temporary)
	if err != nil {
		t.Fatal(err)
	}
	fresh.lock.Close()
	longAgo := time.Now().Add(-time.Hour)
	for _, w := range []*workFolder{held, left} {
		if err := os.Chtimes(filepath.Join(w.path, lockName), longAgo, longAgo); err != nil {
			t.Fatal(err)
		}
	}
	last, err := newWorkFolder(temporary)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*workFolder{held, fresh, last} {
		if _, err := os.Stat(w.path); err != nil {
			t.Errorf("a folder in use is gone: %v", err)
		}
	}
	if _, err := os.Stat(left.path); !os.IsNotExist(err) {
		t.Errorf("the folder of an ended process is still there: %v", err)
	}
	for _, w := range []*workFolder{held, last} {
		if err := w.remove(); err != nil {
			t.Error(err)
		}
	}
}
