package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spoil changes bytes of a closed database file.
func spoil(t *testing.T, path string, change func(data []byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWhatCannotBeOpenedSaysWhy(t *testing.T) {
	change := func(script string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(script); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := func(t *testing.T, path string) {
		spoil(t, path, func([]byte) []byte { return []byte(strings.Repeat("no database ", 1000)) })
	}
	emptied := func(t *testing.T, path string) { spoil(t, path, func([]byte) []byte { return nil }) }
	for _, test := range []struct {
		name string
		harm func(t *testing.T, path string)
		want error
		says string
	}{
		{"foreign", change("DROP TABLE runs; PRAGMA application_id=7"), errForeign, "not a database of Quintune"},
		{"newer", change("PRAGMA user_version=99"), errNewer, "version 99, this program knows versions up to"},
		{"text", text, ErrDamaged, "damaged"},
		{"emptied", emptied, ErrDamaged, "empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "runs")
			db, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			begin(t, db, "r")
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "r"), 0o777); err != nil {
				t.Fatal(err)
			}
			test.harm(t, db.Path())
			for _, open := range []func(string) (*DB, error){Open, OpenToRead} {
				_, err := open(dir)
				if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), db.Path()) {
					t.Errorf("%s: error %v", test.name, err)
				}
			}
		})
	}
	if _, err := OpenToRead(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no database: error %v", err)
	}
}

func TestDamageWithinIsFound(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := begin(t, db, "r")
	if _, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 600, 15), nil); err != nil {
		t.Fatal(err)
	}
	step := sampleStep(0)
	step.State.Optimizer = json.RawMessage(strings.Repeat("1", 9000))
	if err := s.CloseStep(step); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	spoil(t, db.Path(), func(data []byte) []byte { return []byte(strings.Replace(string(data), "1111", "1112", 1)) })
	db = openDB(t, dir)
	if _, err := db.State(s.Run()); !errors.Is(err, ErrDamaged) {
		t.Errorf("a changed digit: error %v", err)
	}
	spoil(t, db.Path(), func([]byte) []byte {
		data := append([]byte{}, good...)
		for i := len(data) / 2; i < len(data); i++ {
			data[i] = 0xa5
		}
		return data
	})
	if err := openDB(t, dir).Check(); !errors.Is(err, ErrDamaged) {
		t.Errorf("pages overwritten: error %v", err)
	}
}

func TestReadingLeavesAReadOnlyDatabaseAsItIs(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	begin(t, db, "r")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func() (*DB, error){
		func() (*DB, error) { return OpenToRead(dir) },
		func() (*DB, error) { return open(filepath.Join(dir, FileName), "ro&immutable=1") }, // the mode that OpenToRead tries last
	} {
		reader, err := open()
		if err != nil {
			t.Fatal(err)
		}
		if list, err := reader.Runs(); err != nil || len(list) != 1 {
			t.Errorf("runs %+v, error %v", list, err)
		}
		if _, err := reader.Begin(KindRun, sampleRun("s"), nil, nil, nil); !errors.Is(err, errReadOnly) {
			t.Errorf("a reader writes: error %v", err)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTwoProcessesShareADatabase(t *testing.T) {
	dir := t.TempDir()
	first, second := openDB(t, dir), openDB(t, dir)
	a, b := begin(t, first, "a"), begin(t, second, "b")
	done := make(chan error)
	for _, s := range []*Session{a, b} {
		go func() {
			_, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 300, 15), nil)
			if err == nil {
				err = s.CloseStep(sampleStep(0))
			}
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	reader, err := OpenToRead(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, s := range []*Session{a, b} {
		if n := countGames(t, reader, s.Run()); n != 600 {
			t.Errorf("%d games of run %s, want 600", n, s.Run().Name)
		}
	}
}

// To a reader a database that cannot be opened is not told to be unwritable.
func TestADatabaseThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := db.Path()
	if err := errors.Join(db.Close(), os.Mkdir(path+"-wal", 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenToRead(dir); err == nil || !strings.Contains(err.Error(), "it cannot be opened") {
		t.Errorf("error %v", err)
	}
}

func TestAFolderInPlaceOfTheDatabase(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, FileName), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(string) (*DB, error){"to write": Open, "to read": OpenToRead} {
		t.Run(name, func(t *testing.T) {
			if _, err := open(dir); err == nil || !strings.HasSuffix(err.Error(), FileName+" is not a regular file") {
				t.Errorf("error %v", err)
			}
		})
	}
}
