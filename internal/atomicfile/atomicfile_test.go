package atomicfile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestWriteReplacesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"first", "", "third"} {
		t.Run(text, func(t *testing.T) {
			if err := Write(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("read %q (%v), want %q", got, err, text)
			}
		})
	}
	onlyFile(t, dir, "file")
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	path := filepath.Join(dir, "none", "file")
	for name, err := range map[string]error{"Write": Write(path, nil), "Check": Check(path)} {
		if err == nil || !strings.Contains(err.Error(), path+" ") {
			t.Errorf("%s in a folder that is not there: %v, want an error that names %s", name, err, path)
		}
	}
	if err := Check(filepath.Join(dir, "new")); err != nil {
		t.Error(err)
	}
	onlyFile(t, dir, "taken")
}

// TestLongNames writes names as long as file systems allow, and one that leaves no room for .bak.
func TestLongNames(t *testing.T) {
	const longest = 255 // of Linux, macOS and Windows
	for _, c := range []struct {
		name string
		fits bool
	}{
		{strings.Repeat("n", longest-len(".bak")-len(".json")) + ".json", true},
		{strings.Repeat("é", (longest-len(".bak")-len(".json"))/2) + ".json", true},
		{strings.Repeat("n", longest-len(".bak")-len(".json")+1) + ".json", false},
	} {
		t.Run(strconv.Itoa(len(c.name)), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.name)
			if err := Check(path); (err == nil) != c.fits {
				t.Fatalf("Check: %v, want success: %t", err, c.fits)
			}
			for _, text := range []string{"first", "second"} {
				if err := Replace(path, []byte(text)); err != nil && c.fits {
					t.Fatal(err)
				}
			}
			if kept, err := os.ReadFile(path + ".bak"); c.fits && (err != nil || string(kept) != "first") {
				t.Errorf("the .bak holds %q (%v), want %q", kept, err, "first")
			}
		})
	}
}

// onlyFile checks that the folder holds the name alone.
func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("the folder holds %v, want %s alone", entries, name)
	}
}
