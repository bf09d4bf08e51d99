package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDamaged is wrapped by errors of a damaged database and of what is not as it was stored.
var ErrDamaged = errors.New("it is damaged")

// Other kinds of fault. Everything that was committed is still there.
var (
	errFull     = errors.New("the disk is full")
	errReadOnly = errors.New("it cannot be written: read-only, or not permitted")
	errOpening  = errors.New("it cannot be opened: not permitted, or the disk is read-only")
	errFiles    = errors.New("this process has as many open files as it may: raise `ulimit -n`")
	errLarge    = errors.New("its files are as large as this process may make one: raise `ulimit -f`")
	errBusy     = errors.New("another process holds it")
	errNewer    = errors.New("it was written by a newer version of this program")
	errForeign  = errors.New("it is not a database of Quintune")
)

// leastFree is the free space, in bytes, from which on a failed write has other reasons than a full disk.
const leastFree = 1 << 20

// fault adds the file's name and the kind of fault to the error of an operation; nil stays nil.
func (db *DB) fault(doing string, err error) error {
	if err == nil {
		return nil
	}
	if kind := db.kind(err); kind != nil {
		return fmt.Errorf("store: %s: %s: %w (%w)", db.path, doing, kind, err)
	}
	return fmt.Errorf("store: %s: %s: %w", db.path, doing, err)
}

// kind returns the kind of fault, nil where it is not known.
func (db *DB) kind(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return errFull
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return errFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return errReadOnly
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrDamaged
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return errBusy
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		if free, err := Free(db.path); err == nil && free < leastFree {
			return errFull
		}
		if e.Code()&0xff == sqlite3.SQLITE_CANTOPEN {
			return whyNotOpened()
		}
		return db.whyNotWritten()
	}
	return nil
}

// leastSize is the size in bytes that SQLite gives to the index of its log.
const leastSize = 32 << 10

// whyNotWritten returns the kind of fault of files that SQLite can open but not write, nil where it is not known. It tries with a
// file of its own, because the bound of a process is that of each file.
func (db *DB) whyNotWritten() error {
	size := int64(leastSize)
	for _, path := range []string{db.path, db.path + "-wal"} {
		if info, err := os.Stat(path); err == nil {
			size = max(size, info.Size())
		}
	}
	f, err := os.CreateTemp(filepath.Dir(db.path), ".size-*")
	if err != nil {
		return nil
	}
	_, written := f.WriteAt([]byte{0}, size)
	if err := errors.Join(f.Close(), os.Remove(f.Name())); err == nil && errors.Is(written, syscall.EFBIG) {
		return errLarge
	}
	return nil
}

// whyNotOpened returns the kind of fault of a file that SQLite cannot open, for which it tells no reason. The database itself is not
// opened: closing it would release the locks that this process has on it.
func whyNotOpened() error {
	for range 4 { // SQLite needs the database, its log and the index of that; it closes those that it had when one fails
		other, err := os.Open(os.DevNull)
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			return errFiles
		}
		if err == nil {
			defer other.Close()
		}
	}
	return errOpening
}
