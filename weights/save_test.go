package weights

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.json")
	steps := []struct {
		set    *Set
		backup bool
		bak    string // name in the backup afterwards, "" for none
	}{
		{mustPreset(t, "huang"), true, ""},
		{mustPreset(t, "zhang"), true, "huang"},
		{mustPreset(t, "sjtu"), false, "huang"},
		{proven(t), true, "sjtu"},
	}
	for i, step := range steps {
		if err := Save(path, step.set, step.backup); err != nil {
			t.Fatal(err)
		}
		back, err := Load(path)
		if err != nil || !back.Equal(step.set) {
			t.Fatalf("step %d: loaded %v, %v", i, back, err)
		}
		got := ""
		if bak, err := Load(path + ".bak"); err == nil {
			got = bak.Name
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if got != step.bak {
			t.Errorf("step %d: the backup is %q, want %q", i, got, step.bak)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("temporary files stay: %v, %v", entries, err)
	}
}

func TestSaveOverwritesNothingWhenItFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.json")
	good := mustPreset(t, "huang")
	if err := Save(path, good, false); err != nil {
		t.Fatal(err)
	}
	bad := good.Clone()
	bad.Values[0] = -1
	if err := Save(path, bad, true); err == nil {
		t.Error("a set out of bounds was saved")
	}
	if back, err := Load(path); err != nil || !back.Equal(good) {
		t.Errorf("the old file is %v, %v", back, err)
	}
	if _, err := os.Stat(path + ".bak"); !os.IsNotExist(err) {
		t.Errorf("a backup was made: %v", err)
	}
	if err := Save(filepath.Join(path, "x.json"), good, false); err == nil {
		t.Error("saved below a file")
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(path, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + ".none"} {
		if _, err := Load(p); err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: %v", p, err)
		}
	}
}
