package runfolder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRunIsPlayedByOneProcessAtATime(t *testing.T) {
	runs := t.TempDir()
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			if err := os.Mkdir(filepath.Join(runs, name), 0o777); err != nil {
				t.Fatal(err)
			}
		})
	}
	first, err := LockRun(runs, "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LockRun(runs, "one"); err == nil || !strings.Contains(err.Error(), "run one is being played") {
		t.Errorf("a second lock: error %v, want one that names the run", err)
	}
	other, err := LockRun(runs, "two")
	if err != nil {
		t.Fatalf("another run: %v", err)
	}
	if err := other.Release(); err != nil {
		t.Error(err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := LockRun(runs, "one")
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"three", "../one", ""} {
		t.Run(bad, func(t *testing.T) {
			if _, err := LockRun(runs, bad); err == nil {
				t.Errorf("run %q is locked", bad)
			}
		})
	}
}
