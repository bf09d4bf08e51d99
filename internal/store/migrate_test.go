package store

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/internal/run"
)

var update = flag.Bool("update", false, "write the golden files anew")

// dump returns the schema of a database as text.
func dump(t *testing.T, db *DB) string {
	t.Helper()
	var b strings.Builder
	err := db.each("dumping", func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		fmt.Fprintf(&b, "%s;\n\n", text)
		return err
	}, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// oldDatabase makes a database of an earlier version from a dump.
func oldDatabase(t *testing.T, script string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	text, err := os.ReadFile(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestDatabasesOfEveryVersionAreMigrated(t *testing.T) {
	fresh := dump(t, newDB(t))
	golden := filepath.Join("testdata", "schema.sql")
	if *update {
		if err := os.WriteFile(golden, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if fresh != string(want) {
		t.Errorf("a new database has another schema than %s", golden)
	}
	for version := 1; version <= len(migrations()); version++ {
		t.Run(fmt.Sprintf("version %d", version), func(t *testing.T) {
			db := openDB(t, oldDatabase(t, fmt.Sprintf("version%d.sql", version)))
			if got := dump(t, db); got != string(want) {
				t.Errorf("version %d is migrated to another schema:\n%s", version, got)
			}
			if now, err := db.version(); err != nil || now != len(migrations()) {
				t.Errorf("version %d is migrated to version %d, error %v", version, now, err)
			}
			checkGoldenRun(t, db)
		})
	}
}

// checkGoldenRun checks that the database has the run of the dumps.
func checkGoldenRun(t *testing.T, db *DB) {
	t.Helper()
	r, err := db.Run("golden")
	if err != nil {
		t.Fatal(err)
	}
	want := sampleRun("golden")
	want.Progress = run.Progress{Steps: 1, Games: 20, Generations: 1, Open: 4}
	if r.Summary != want {
		t.Errorf("run %+v, want %+v", r.Summary, want)
	}
	if state, err := db.State(r); err != nil || string(state) != `{"a":1}` {
		t.Errorf("state %s, error %v", state, err)
	}
	generations, err := db.Generations(r)
	if err != nil || len(generations) != 1 || generations[0].Best != 30 || len(generations[0].Values) != 2 {
		t.Errorf("generations %+v, error %v", generations, err)
	}
	games := 0
	err = db.Games(r, func(g *Game) error {
		games++
		if len(g.Moves) < 20 || g.Players[0] == "" {
			t.Errorf("game %+v, want 20 moves or more and a named player", g)
		}
		return nil
	})
	if err != nil || games != 12 {
		t.Errorf("%d games, error %v", games, err)
	}
	if err := db.Check(); err != nil {
		t.Error(err)
	}
}

func TestMigrationsAreWholeOrNotAtAll(t *testing.T) {
	dir := oldDatabase(t, "version1.sql")
	db, err := open(filepath.Join(dir, FileName), "rw")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	next := append(migrations(), "ALTER TABLE runs ADD COLUMN note TEXT")
	failing := append(next[:len(next):len(next)], "CREATE TABLE notes (note TEXT); INSERT INTO nowhere VALUES (1)")
	if err := db.migrate(failing); err == nil {
		t.Fatal("a failing migration succeeds")
	}
	if version, err := db.version(); err != nil || version != len(next) {
		t.Errorf("version %d after the migration that failed, want %d; error %v", version, len(next), err)
	}
	if strings.Contains(dump(t, db), "notes") {
		t.Error("half a migration was done")
	}
	if err := db.migrate(next); err != nil {
		t.Error(err)
	}
	var versions int
	if err := db.sql.QueryRow("SELECT count(*) FROM migrations").Scan(&versions); err != nil || versions != len(next) {
		t.Errorf("%d rows of migrations, error %v", versions, err)
	}
	checkGoldenRun(t, db)
	if _, err := Open(dir); !errors.Is(err, errNewer) {
		t.Errorf("a newer version is opened: %v", err)
	}
}

func TestProcessesMigrateTogether(t *testing.T) {
	dir := oldDatabase(t, "version1.sql")
	next := append(migrations(), "ALTER TABLE runs ADD COLUMN note TEXT")
	done := make(chan error)
	for range 4 {
		go func() {
			db, err := open(filepath.Join(dir, FileName), "rw")
			if err == nil {
				err = errors.Join(db.migrate(next), db.Close())
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
