package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// FileName is the name of the database in the folder of all runs.
const FileName = "quintune.db"

// busyTimeout is the time, in ms, that a process waits for others that write. Compacting a large database takes
// less.
const busyTimeout = 120_000

// checkpointPages is the number of pages after which the write-ahead log is copied to the database. With fewer,
// the syncs would cost more time than writing the games.
const checkpointPages = 4000

// DB is the database of a folder of runs. It is safe for concurrent use; all writes share one connection.
type DB struct {
	path    string
	sql     *sql.DB
	writing sync.Mutex // held while a transaction is open
}

// Open opens the database of a folder for writing. It creates the folder and the database where they do not
// exist. It migrates a database of an older version and refuses one of a newer version.
func Open(dir string) (*DB, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := checkEmptied(dir); err != nil {
		return nil, err
	}
	return OpenFile(filepath.Join(dir, FileName))
}

// OpenFile is Open for a database file in an existing folder.
func OpenFile(path string) (*DB, error) {
	db, err := open(path, "rwc", "journal_mode(wal)", fmt.Sprintf("wal_autocheckpoint(%d)", checkpointPages))
	if err != nil {
		return nil, err
	}
	if err := db.migrate(migrations()); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// OpenToRead opens the database of a folder for reading. It changes nothing, except that it may migrate an older
// version. Where there is no database, the error wraps fs.ErrNotExist.
func OpenToRead(dir string) (*DB, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := checkEmptied(dir); err != nil {
		return nil, err
	}
	db, err := openAnyhow(path)
	if err != nil {
		return nil, err
	}
	version, err := db.version()
	if err == nil && version < len(migrations()) {
		if err := db.Close(); err != nil {
			return nil, err
		}
		return Open(dir)
	}
	if err == nil {
		err = db.checkVersion(version, len(migrations()))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// checkEmptied refuses an empty database file where there are folders of runs. SQLite would take it for a new
// database.
func checkEmptied(dir string) error {
	info, err := os.Stat(filepath.Join(dir, FileName))
	if err != nil || info.Size() > 0 {
		return nil // an unreadable folder is reported when the database is opened
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() {
			return fmt.Errorf("store: %s: %w: it is empty, but there are runs beside it", filepath.Join(dir, FileName), ErrDamaged)
		}
	}
	return nil
}

// openAnyhow opens a database whose folder may be read-only. There SQLite cannot create the index of the
// write-ahead log. If no log exists, the database can be opened as immutable without missing anything.
func openAnyhow(path string) (*DB, error) {
	db, err := open(path, "rw", "query_only(1)")
	if err == nil || !errors.Is(err, errReadOnly) && !errors.Is(err, errOpening) {
		return db, err
	}
	if db, retry := open(path, "ro"); retry == nil {
		return db, nil
	}
	log, statting := os.Stat(path + "-wal")
	if errors.Is(statting, fs.ErrNotExist) || statting == nil && log.Size() == 0 {
		return open(path, "ro&immutable=1")
	}
	return nil, err
}

// open opens a database file in a mode of SQLite's URIs and reads its header.
func open(path, mode string, pragmas ...string) (*DB, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("store: %s is not a regular file", path)
	}
	pragmas = append([]string{fmt.Sprintf("busy_timeout(%d)", busyTimeout), "foreign_keys(1)", "synchronous(normal)"}, pragmas...)
	query := "_txlock=immediate&mode=" + mode
	for _, p := range pragmas {
		query += "&_pragma=" + url.QueryEscape(p)
	}
	handle, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	handle.SetMaxOpenConns(1) // settings apply to a single connection
	db := &DB{path: path, sql: handle}
	if _, err := db.version(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Path returns the path of the file.
func (db *DB) Path() string { return db.path }

// Close closes the database.
func (db *DB) Close() error { return db.fault("closing", db.sql.Close()) }

// Check checks the whole database for damage.
func (db *DB) Check() error {
	var found string
	if err := db.sql.QueryRow("PRAGMA quick_check(1)").Scan(&found); err != nil {
		return db.fault("checking", err)
	}
	if found != "ok" {
		return fmt.Errorf("store: %s: %w: %s", db.path, ErrDamaged, found)
	}
	return nil
}

// write runs do in one transaction.
func (db *DB) write(doing string, do func(tx *sql.Tx) error) error {
	db.writing.Lock()
	defer db.writing.Unlock()
	return db.fault(doing, db.transaction(do))
}

func (db *DB) transaction(do func(tx *sql.Tx) error) error {
	tx, err := db.sql.Begin()
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// writeSynced is write, and syncs to the disk before it returns, including earlier commits.
func (db *DB) writeSynced(doing string, do func(tx *sql.Tx) error) (err error) {
	db.writing.Lock()
	defer db.writing.Unlock()
	if _, err := db.sql.Exec("PRAGMA synchronous=full"); err != nil {
		return db.fault(doing, err)
	}
	defer func() {
		_, back := db.sql.Exec("PRAGMA synchronous=normal")
		err = errors.Join(err, db.fault(doing, back))
	}()
	return db.fault(doing, db.transaction(do))
}
