package runfolder

import (
	"strings"
	"testing"
)

func TestRunIsPlayedByOneProcessAtATime(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	first, err := runs.lock("one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runs.lock("one"); err == nil || !strings.Contains(err.Error(), "run one is being played") {
		t.Errorf("a second lock: error %v, want one that names the run", err)
	}
	other, err := runs.lock("two")
	if err != nil {
		t.Fatalf("another run: %v", err)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := runs.lock("one")
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"../one", ""} {
		t.Run(bad, func(t *testing.T) {
			if _, err := runs.lock(bad); err == nil {
				t.Errorf("run %q is locked", bad)
			}
		})
	}
}
