package runfolder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestRunsByName(t *testing.T) {
	dir := t.TempDir()
	runs := openRuns(t, dir)
	f, record := newFolder(t, runs, "taken", newConfig(t, 400))
	for _, name := range []string{"", ".", "..", "../up", "a/b", "-x", "é", strings.Repeat("a", 101), "quintune.db-wal"} {
		t.Run(name, func(t *testing.T) {
			if _, err := runs.Create(name, record); err == nil {
				t.Errorf("a run %q was made", name)
			}
			if _, err := runs.Load(name); err == nil {
				t.Errorf("a run %q was loaded", name)
			}
		})
	}
	if list, err := runs.List(); err != nil || len(list) != 1 || list[0].Status != StatusPlaying {
		t.Errorf("list %+v, error %v", list, err)
	}
	if name, err := runs.Latest(true); err != nil || name != "taken" {
		t.Errorf("latest unfinished run %q, error %v", name, err)
	}
	if _, _, err := runs.Hold("taken"); err == nil || !strings.Contains(err.Error(), "run taken is being played by another process") {
		t.Errorf("error %v", err)
	}
	if err := runs.remove("taken"); err == nil {
		t.Error("a run that is being played was removed")
	}
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Create("taken", record); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if _, err := runs.Load("absent"); err == nil || !strings.Contains(err.Error(), "no run absent") {
		t.Errorf("error %v", err)
	}
	if name, err := runs.FreeName("taken"); err != nil || name != "taken-2" {
		t.Errorf("free name %q, error %v", name, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "old"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old", "run.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Load("old"); err == nil || !strings.Contains(err.Error(), "older program") {
		t.Errorf("error %v", err)
	}
	if list, err := runs.List(); err != nil || len(list) != 2 || list[1].Status != oldFormat || list[0].Status != StatusOpen {
		t.Errorf("list %+v, error %v", list, err)
	}
	if err := runs.remove("taken"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(runs.Folder("taken")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the removed run: %v", err)
	}
	again, _ := newFolder(t, runs, "taken", newConfig(t, 400))
	if err := os.MkdirAll(filepath.Join(again.Path(), "cluster"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
	if err := runs.remove("taken"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(again.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the removed run: %v", err)
	}
	none, err := OpenToRead(filepath.Join(dir, "absent"))
	if err != nil {
		t.Fatal(err)
	}
	if list, err := none.List(); err != nil || len(list) != 0 {
		t.Errorf("list %v, error %v", list, err)
	}
	if _, err := none.Latest(false); err == nil || !strings.Contains(err.Error(), "no run in") {
		t.Errorf("error %v", err)
	}
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// While a run is deleted, another process may begin one of its name: that one keeps its folder and its lock.
func TestRemoveTakesNoOtherRun(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	config := newConfig(t, 400)
	first, record := newFolder(t, runs, "r", config)
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		for i := range 50 { // takes a moment to delete
			if err := os.MkdirAll(filepath.Join(runs.Folder("r"), strconv.Itoa(i)), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		removed := make(chan error, 1)
		go func() {
			err := runs.remove("r")
			for err != nil && strings.Contains(err.Error(), "run r is being played") { // the other one has looked whether the name is free
				err = runs.remove("r")
			}
			removed <- err
		}()
		var other *Folder
		for other == nil {
			time.Sleep(time.Millisecond)
			other, _ = runs.Create("r", record) // fails while the old one is there
			select {
			case err := <-removed:
				if err != nil {
					t.Fatal(err)
				}
				removed <- nil
			default:
			}
		}
		if err := <-removed; err != nil {
			t.Fatal(err)
		}
		if !runs.locked("r") {
			t.Fatal("the other run has lost its lock")
		}
		if err := other.Release(); err != nil {
			t.Fatal(err)
		}
	}
}
