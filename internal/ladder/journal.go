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

	"quintune/internal/journal"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/internal/strictjson"
	"quintune/selfplay"
)

// Journal keeps the finished pairs of one ladder. One process at a time may have it open.
type Journal struct {
	*journal.Journal
	batch *store.Batch
}

// Open opens the ladder's journal in the database of all runs in a folder, and gives the ladder the pairs that it
// holds. Folder and database are made where they are not there.
func (l *Ladder) Open(runs string) (*Journal, error) {
	e, err := l.config.entry()
	if err != nil {
		return nil, err
	}
	e.Row.Name = "ladder-" + journal.ID(e.Record)
	old := filepath.Join(runs, e.Row.Name+".jsonl")
	if _, err := os.Stat(old); err == nil {
		return nil, oldJournal(old)
	}
	j, err := journal.Open(runs, e)
	if err != nil {
		return nil, err
	}
	return l.load(j)
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
	e, err := l.config.entry()
	if err != nil {
		return nil, err
	}
	e.Row.Name = "ladder"
	j, err := journal.OpenFile(path, path+".lock", e)
	if err != nil {
		return nil, err
	}
	return l.load(j)
}

// oldJournal is the error for a journal of the format before the database.
func oldJournal(path string) error {
	return fmt.Errorf("ladder: %s is the journal of an older version, in lines of text: move it away and play the ladder anew, or end it with that version", path)
}

// checkFile refuses an existing file that is not a database.
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

// load reads the pairs of the journal into the ladder.
func (l *Ladder) load(j *journal.Journal) (*Journal, error) {
	all, places := l.all()
	batch, results, known, err := j.Session().OpenBatch(all, j.Session().Run().Hash)
	if err != nil {
		return nil, errors.Join(j.Fault(err), j.Close())
	}
	for i, at := range places {
		if known[i] {
			l.played[at] = &results[i]
		}
	}
	return &Journal{j, batch}, nil
}

// entry returns the ladder as it is stored, without a name.
func (c *Config) entry() (*journal.Entry, error) {
	spec := c.Spec()
	record, err := json.Marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("ladder: %w", err)
	}
	return &journal.Entry{
		Kind: store.KindLadder, Record: record,
		Row: run.Summary{
			Engine: c.Engine, Commit: c.Commit, Start: c.Players[0].Argument, Rule: c.Rule.String(), Size: c.Size, Nodes: c.Nodes, Seed: c.Seed,
			Budget: 2 * c.Pairs * len(c.pairings()),
		},
		Check: spec.check,
	}, nil
}

// check refuses a stored ladder that is another one.
func (s *Spec) check(stored []byte) error {
	var was Spec
	if err := strictjson.Decode(stored, &was); err != nil {
		return err
	}
	if d := was.differs(s); d != "" {
		return fmt.Errorf("it was begun with %s: name another file to begin another ladder", d)
	}
	return nil
}

// add keeps a finished pair.
func (j *Journal) add(index int, p selfplay.Pairing, r *selfplay.Result) error {
	if err := j.batch.Add(index, p, r); err != nil {
		return j.Fault(err)
	}
	return nil
}
