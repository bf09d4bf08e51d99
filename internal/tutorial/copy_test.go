package tutorial

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// copyTree copies the source tree to a folder, which is emptied before: what a fresh clone has, with the changes that
// are not committed yet. Generated folders and files at the top, which .gitignore names, stay behind.
func copyTree(t *testing.T, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	ignore, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	behind := ignored(string(ignore))
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case slices.Contains(behind, name) && entry.IsDir():
			return fs.SkipDir
		case slices.Contains(behind, name):
			return nil
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		return copyFile(path, filepath.Join(to, name))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// ignored returns the names at the top that a .gitignore file leaves out, and that of the version control itself.
func ignored(text string) []string {
	names := []string{".git"}
	for line := range strings.Lines(text) {
		if name, top := strings.CutPrefix(strings.TrimSpace(line), "/"); top {
			names = append(names, strings.TrimSuffix(name, "/"))
		}
	}
	return names
}

// copyFile copies a file with its rights: some are programs.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

func TestCopyTree(t *testing.T) {
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.MkdirAll(filepath.Join(to, "runs"), 0o755); err != nil {
		t.Fatal(err)
	}
	copyTree(t, to)
	for name, there := range map[string]bool{
		"go.mod": true, "internal/tutorial/doc.go": true, "docs/weights.md": true, ".ci/run": true,
		".git": false, "runs": false, "bin": false, "weights.json": false,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(to, filepath.FromSlash(name))); (err == nil) != there {
				t.Errorf("%s: %v, want it there: %v", name, err, there)
			}
		})
	}
	if info, err := os.Stat(filepath.Join(to, ".ci", "run")); err != nil || info.Mode() != mode(t, filepath.Join(root, ".ci", "run")) {
		t.Errorf("%v: %v", info, err)
	}
	if got := ignored("/runs/\n/a.json\n*.out\n"); !slices.Equal(got, []string{".git", "runs", "a.json"}) {
		t.Errorf("left behind are %v", got)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}
