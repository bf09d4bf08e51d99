package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// filesIn returns the names of all files in a folder and its folders.
func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestWriter(t *testing.T) {
	games := []Game{full(t), gameOf(t, "h8i9")}
	for _, name := range []string{"games.sgf", "games.jsonl", "games"} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, name)
			w, err := Create(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range games {
				if err := w.Add(&games[i]); err != nil {
					t.Fatal(err)
				}
			}
			if names := filesIn(t, folder); slices.ContainsFunc(names, func(name string) bool { return !strings.Contains("/"+name, "/.") }) {
				t.Errorf("before Commit there are %v", names)
			}
			if err := w.Commit(); err != nil {
				t.Fatal(err)
			}
			if f, ok := FormatOf(name); ok {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if got := mustParse(t, string(text), f); !reflect.DeepEqual(got, games) {
					t.Errorf("%s: %+v", name, got)
				}
				return
			}
			want := []string{"games/00001_standard.psq", "games/00002_freestyle.psq"}
			if names := filesIn(t, folder); !reflect.DeepEqual(names, want) {
				t.Errorf("the folder holds %v, want %v", names, want)
			}
		})
	}
}

// What is discarded, or left by a killed program, does not stand in the way of the same path.
func TestRecordsThatAreNotWritten(t *testing.T) {
	for _, name := range []string{"games.sgf", "games"} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, name)
			game := gameOf(t, "h8i9")
			killed := func(w *Writer) error {
				if w.file != nil {
					return w.file.Close()
				}
				return nil
			}
			for _, end := range []func(*Writer) error{(*Writer).Discard, killed, (*Writer).Commit} {
				w, err := Create(path)
				if err == nil {
					err = w.Add(&game)
				}
				if err == nil {
					err = end(w)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Create(path); err == nil {
				t.Errorf("%s is written over", name)
			}
		})
	}
}

// A file that appears meanwhile is not written over.
func TestCommitKeepsWhatIsThere(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "games.sgf")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("another"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(path); string(text) != "another" || len(filesIn(t, folder)) != 1 {
		t.Errorf("the file has %q (%v), its folder %v", text, err, filesIn(t, folder))
	}
}

// A nil writer keeps nothing.
func TestNoRecords(t *testing.T) {
	w, err := Create("")
	game := gameOf(t, "h8i9")
	if err := errors.Join(err, w.Add(&game), w.Discard(), w.Commit()); w != nil || err != nil {
		t.Errorf("writer %v, error %v", w, err)
	}
}

func TestCreateRefusals(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("x", 60))
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(folder, "there.sgf")
	if err := os.WriteFile(there, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		there: "exist", folder: "not empty", filepath.Join(folder, "x.psq"): "neither", filepath.Join(folder, "x.pgn"): "neither",
		filepath.Join(folder, "none", "x.sgf"): "none",
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := Create(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Base(path)) {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
}
