package record

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestWriter(t *testing.T) {
	folder := t.TempDir()
	games := []Game{full(t), gameOf(t, "h8i9")}
	for _, name := range []string{"games.sgf", "games.jsonl", "games"} {
		t.Run(name, func(t *testing.T) {
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
			if err := w.Close(); err != nil {
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
			names, err := filepath.Glob(filepath.Join(path, "*"))
			want := []string{filepath.Join(path, "00001_standard.psq"), filepath.Join(path, "00002_freestyle.psq")}
			if err != nil || !reflect.DeepEqual(names, want) {
				t.Errorf("the folder holds %v (%v)", names, err)
			}
		})
	}
}

func TestCreateRefusals(t *testing.T) {
	folder := t.TempDir()
	there := filepath.Join(folder, "there.sgf")
	if err := os.WriteFile(there, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		there: "exist", folder: "not empty", filepath.Join(folder, "x.psq"): "neither", filepath.Join(folder, "x.pgn"): "neither",
		filepath.Join(folder, "none", "x.sgf"): "none",
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := Create(path); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
}
