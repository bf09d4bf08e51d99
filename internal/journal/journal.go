// Package journal keeps the finished pairs of ladders and matches in a database, each as a run of a kind of its own, so that
// they go on after an interruption.
package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"quintune/internal/filelock"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/weights"
)

// Journal holds the finished pairs of one ladder or match. One process at a time may have it open.
type Journal struct {
	kind    store.Kind
	path    string
	lock    *os.File
	db      *store.DB
	session *store.Session
}

// Entry describes the ladder or match of a journal.
type Entry struct {
	Kind   store.Kind
	Row    run.Summary // without what follows from Record and from this program
	Record []byte      // everything that the pairs depend on
	// Check returns an error if the stored record is that of another ladder or match; nil: every other record is.
	Check func(stored []byte) error
}

// row returns the whole row of the entry.
func (e *Entry) row() run.Summary {
	r := e.Row
	r.Hash, r.Schema, r.GoArch, r.Begun = ID(e.Record), weights.Fingerprint(), runtime.GOARCH, time.Now()
	return r
}

// check compares the entry with a stored record.
func (e *Entry) check(stored []byte) error {
	switch {
	case e.Check != nil:
		return e.Check(stored)
	case !bytes.Equal(stored, e.Record):
		return fmt.Errorf("%s holds another %s: name another folder with --runs", e.Row.Name, e.Kind)
	}
	return nil
}

// Open opens a journal in the database of all runs in a folder. Folder and database are made where they are not there.
func Open(runs string, e *Entry) (*Journal, error) {
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", e.Kind, err)
	}
	return OpenFile(filepath.Join(runs, store.FileName), lockOf(runs, e.Row.Name), e)
}

// OpenFile opens a journal in a database, under a lock file.
func OpenFile(path, lock string, e *Entry) (*Journal, error) {
	held, err := take(lock, e.Kind, e.Row.Name)
	if err != nil {
		return nil, err
	}
	j := &Journal{kind: e.Kind, path: path, lock: held}
	if j.db, err = store.OpenFile(path); err == nil {
		err = j.begin(e)
	}
	if err != nil {
		return nil, errors.Join(j.Fault(err), j.Close())
	}
	return j, nil
}

// take takes the lock file of a ladder or match.
func take(path string, kind store.Kind, name string) (*os.File, error) {
	f, err := filelock.Take(path)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, Busy(kind, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return f, nil
}

// Busy returns the error for what another process plays.
func Busy(kind store.Kind, name string) error {
	return fmt.Errorf("%s %s is being played by another process", kind, name)
}

// begin adds the row of the entry, or continues the stored one.
func (j *Journal) begin(e *Entry) error {
	row, err := j.db.RunOf(e.Kind, e.Row.Name)
	if errors.Is(err, store.ErrNoRun) {
		j.session, err = j.db.Begin(e.Kind, e.row(), e.Record, nil, nil)
		return err
	}
	if err != nil {
		return err
	}
	stored, err := j.db.Record(row)
	if err != nil {
		return err
	}
	if err := e.check(stored); err != nil {
		return err
	}
	row.Budget = max(row.Open, e.Row.Budget) // a ladder that is repeated with fewer pairs keeps those that were played
	j.session, err = j.db.Resume(row, e.Record)
	return err
}

// Session returns the run that holds the pairs.
func (j *Journal) Session() *store.Session { return j.session }

// Counted returns the number of stored pairs of a ladder or match that are not void.
func (j *Journal) Counted() (int, error) {
	points, err := j.db.Points(j.session.Run())
	maps.DeleteFunc(points, func(_, p int) bool { return p == store.Void })
	return len(points), err
}

// Fault returns an error of the journal with its kind and path.
func (j *Journal) Fault(err error) error { return fmt.Errorf("%s: %s: %w", j.kind, j.path, err) }

// Path returns the path of the database.
func (j *Journal) Path() string { return j.path }

// Discard deletes the ladder or match from the database and closes the journal: nothing is left of it.
func (j *Journal) Discard() error {
	err := j.session.Flush()
	if err == nil {
		err = j.db.DeleteRun(j.session.Run())
	}
	return errors.Join(err, j.close(filelock.Delete))
}

// End closes the journal after playing with an error, nil for none. Of a player that fails no void pair is left: once it is mended
// they are played anew. Nothing is left of a journal without pairs, unless playing was interrupted.
func (j *Journal) End(playing error) error {
	if errors.Is(playing, context.Canceled) {
		return j.Close()
	}
	err := j.session.Flush()
	if err == nil && errors.Is(playing, match.ErrFails) {
		err = j.session.ForgetVoid()
	}
	if err == nil {
		var row store.Run
		if row, err = j.db.RunOf(j.kind, j.session.Run().Name); err == nil && row.Open == 0 {
			return j.Discard()
		}
	}
	return errors.Join(err, j.Close())
}

// Close commits all pairs, and lets other processes go on with them.
func (j *Journal) Close() error { return j.close((*os.File).Close) }

// close is Close with what becomes of the lock file.
func (j *Journal) close(release func(*os.File) error) error {
	var err error
	if j.session != nil {
		err = j.session.Flush()
	}
	if j.db != nil {
		err = errors.Join(err, j.db.Close())
	}
	if err = errors.Join(err, release(j.lock)); err != nil {
		return j.Fault(err)
	}
	return nil
}

// ID returns twelve hexadecimal digits that identify a record.
func ID(record []byte) string {
	sum := sha256.Sum256(record)
	return hex.EncodeToString(sum[:6])
}

// Limits are the stored form of a time control.
type Limits struct {
	TimeMS      int64 `json:"time_ms"`      // limit a move, 0: none
	GameMS      int64 `json:"game_ms"`      // clock of a game, 0: none
	IncrementMS int64 `json:"increment_ms"` // what every move adds to it
	Threads     int   `json:"threads"`      // of every engine
}

// LimitsOf returns the stored form of a time control.
func LimitsOf(tc player.TimeControl) Limits {
	return Limits{
		TimeMS: tc.Move.Milliseconds(), GameMS: tc.Game.Milliseconds(), IncrementMS: tc.Increment.Milliseconds(), Threads: max(1, tc.Threads),
	}
}
