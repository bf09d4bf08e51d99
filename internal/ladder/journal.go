package ladder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"quintune/internal/filelock"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/internal/strictjson"
	"quintune/selfplay"
	"quintune/weights"
)

// Journal keeps the finished pairs of one ladder in a database, as rows of a run of the kind "ladder". One process at a
// time may have it open.
type Journal struct {
	path    string
	lock    *os.File
	db      *store.DB
	session *store.Session
	batch   *store.Batch
}

// Open opens the ladder's journal in the database of all runs in a folder, and gives the ladder the pairs that it
// holds. Folder and database are made where they are not there.
func (l *Ladder) Open(runs string) (*Journal, error) {
	spec := l.config.Spec()
	id, err := spec.ID()
	if err != nil {
		return nil, err
	}
	name := "ladder-" + id
	if old := filepath.Join(runs, name+".jsonl"); exists(old) {
		return nil, oldJournal(old)
	}
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return nil, fmt.Errorf("ladder: %w", err)
	}
	return l.open(filepath.Join(runs, store.FileName), name, filepath.Join(runs, name+".lock"))
}

// OpenFile opens a journal in a database of its own. It is an error that names the difference when it belongs to another
// ladder. A file that is not a database is left as it is.
func (l *Ladder) OpenFile(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("ladder: %w", err)
	}
	if err := checkFile(path); err != nil {
		return nil, err
	}
	return l.open(path, "ladder", path+".lock")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// oldJournal is the error for a journal of the format before the database.
func oldJournal(path string) error {
	return fmt.Errorf("ladder: %s is the journal of an older version, in lines of text: move it away and play the ladder anew, or end it with that version", path)
}

// checkFile refuses a file that is there and is not a database.
func checkFile(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ladder: %w", err)
	}
	defer f.Close()
	start := make([]byte, 32)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("ladder: %s: %w", path, err)
	}
	switch start = start[:n]; {
	case n == 0, bytes.HasPrefix(start, []byte("SQLite format 3\x00")):
		return nil
	case n > 10 && string(start[8:10]) == " {":
		return oldJournal(path)
	}
	return fmt.Errorf("ladder: %s is not a database of a ladder", path)
}

// open takes the lock, then the rows of the ladder with the name.
func (l *Ladder) open(path, name, lock string) (*Journal, error) {
	held, err := os.OpenFile(lock, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("ladder: %w", err)
	}
	j := &Journal{path: path, lock: held}
	err = filelock.Hold(held)
	if errors.Is(err, filelock.ErrHeld) {
		err = errors.New("it is being played by another process")
	}
	if err == nil {
		j.db, err = store.OpenFile(path)
	}
	if err == nil {
		err = j.load(l, name)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("ladder: %s: %w", path, err), j.Close())
	}
	return j, nil
}

// load reads the pairs into the ladder, or begins a new one.
func (j *Journal) load(l *Ladder, name string) error {
	spec := l.config.Spec()
	id, err := spec.ID()
	if err != nil {
		return err
	}
	record, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	row, err := j.db.RunOf(store.KindLadder, name)
	switch {
	case errors.Is(err, store.ErrNoRun):
		j.session, err = j.db.BeginOf(store.KindLadder, l.config.row(name, id), record)
	case err == nil:
		if err = j.check(row, &spec); err == nil {
			row.Budget = l.config.row(name, id).Budget
			j.session, err = j.db.Resume(row, record)
		}
	}
	if err != nil {
		return err
	}
	batch, places := l.all()
	var results []selfplay.Result
	var known []bool
	if j.batch, results, known, err = j.session.OpenBatch(batch, id); err != nil {
		return err
	}
	for i, at := range places {
		if known[i] {
			l.played[at] = &results[i]
		}
	}
	return nil
}

// check refuses a stored ladder that is another one.
func (j *Journal) check(row store.Run, wanted *Spec) error {
	stored, err := j.db.Record(row)
	if err != nil {
		return err
	}
	var was Spec
	if err := strictjson.Decode(stored, &was); err != nil {
		return err
	}
	if d := was.differs(wanted); d != "" {
		return fmt.Errorf("it was begun with %s: name another file to begin another ladder", d)
	}
	return nil
}

// row returns what lists and queries need of the ladder.
func (c *Config) row(name, id string) run.Summary {
	return run.Summary{
		Name: name, Hash: id, Engine: c.Engine, Schema: weights.Fingerprint(), Commit: c.Commit,
		GoArch: runtime.GOARCH, Start: c.Players[0].Argument, Rule: c.Rule.String(), Size: c.Size, Nodes: c.Nodes, Seed: c.Seed,
		Budget: 2 * c.Pairs * len(c.pairings()), Begun: time.Now(),
	}
}

// add keeps a finished pair.
func (j *Journal) add(index int, p selfplay.Pairing, r *selfplay.Result) error {
	if err := j.batch.Add(index, p, r); err != nil {
		return fmt.Errorf("ladder: %s: %w", j.path, err)
	}
	return nil
}

// Path returns where the database lies.
func (j *Journal) Path() string { return j.path }

// Close makes all pairs last, and lets other processes play the ladder.
func (j *Journal) Close() error {
	var err error
	if j.session != nil {
		err = j.session.Flush()
	}
	if j.db != nil {
		err = errors.Join(err, j.db.Close())
	}
	if err = errors.Join(err, j.lock.Close()); err != nil {
		return fmt.Errorf("ladder: %s: %w", j.path, err)
	}
	return nil
}
