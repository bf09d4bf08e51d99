package ladder

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"quintune/internal/filelock"
	"quintune/internal/strictjson"
	"quintune/selfplay"
	"quintune/weights"
)

// Format is that of a journal. Its first line is the head, each other one a finished pair.
const Format = "quintune.ladder/1"

// head is the first line of a journal.
type head struct {
	Format string `json:"format"`
	Commit string `json:"commit"` // of the program that began it
	Schema string `json:"schema"` // fingerprint of the declared weights
	Spec   Spec   `json:"spec"`
}

// syncInterval is how much of the work a machine that stops may lose at most; a process that ends loses
// nothing.
const syncInterval = time.Second

// Journal is the file of the finished pairs of one ladder. Lines are appended; one that a crash has left
// half written is cut off when the file is opened again. One process at a time may have it open.
type Journal struct {
	file   *os.File
	path   string
	synced time.Time
}

// Open opens the journal at path, creating it with its folders where there is none, and gives the ladder the
// pairs that it holds. It is an error that names the difference when it belongs to another ladder, and
// one that names the line when it is damaged. A file that is no journal is left as it is.
func (l *Ladder) Open(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("ladder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("ladder: %w", err)
	}
	j := &Journal{file: f, path: path}
	err = filelock.Hold(f)
	if err == nil {
		err = j.load(l)
	}
	if errors.Is(err, filelock.ErrHeld) {
		err = errors.New("it is being played by another process")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("ladder: %s: %w", path, err), f.Close())
	}
	return j, nil
}

// load reads the pairs into the ladder, or writes the head of a new journal.
func (j *Journal) load(l *Ladder) error {
	data, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	spec := l.config.Spec()
	if len(data) == 0 {
		return j.write(head{Format, l.config.Commit, weights.Fingerprint(), spec})
	}
	lines, whole, err := readLines(data)
	if err != nil {
		return err
	}
	if err := checkHead(lines, &spec); err != nil {
		return err
	}
	played := map[place]*selfplay.Result{}
	for i, line := range lines[1:] {
		if err := l.take(line, played); err != nil {
			return fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	l.played = played
	if err := j.file.Truncate(int64(whole)); err != nil {
		return err
	}
	_, err = j.file.Seek(int64(whole), io.SeekStart)
	return err
}

// checkHead says whether the journal is one, and that of the ladder.
func checkHead(lines [][]byte, wanted *Spec) error {
	var h head
	if len(lines) == 0 || strictjson.Decode(lines[0], &h) != nil || h.Format != Format {
		return fmt.Errorf("it is no journal of a ladder (%s)", Format)
	}
	if d := h.Spec.differs(wanted); d != "" {
		return fmt.Errorf("it was begun with %s: name another file to begin another ladder", d)
	}
	return nil
}

// take reads the line of a pair.
func (l *Ladder) take(line []byte, played map[place]*selfplay.Result) error {
	var e entry
	if err := strictjson.Decode(line, &e); err != nil {
		return err
	}
	if e.Pairing < 0 || e.Pairing >= len(l.pairings) || e.Pair < 0 {
		return fmt.Errorf("pair %d of pairing %d, of which there are %d", e.Pair, e.Pairing, len(l.pairings))
	}
	at := place{e.Pairing, e.Pair}
	if played[at] != nil {
		return fmt.Errorf("pair %d of pairing %d comes twice", e.Pair, e.Pairing)
	}
	r, err := e.result()
	played[at] = r
	return err
}

// add appends a finished pair.
func (j *Journal) add(at place, r *selfplay.Result) error {
	if err := j.write(entryOf(at, r)); err != nil {
		return fmt.Errorf("ladder: %s: %w", j.path, err)
	}
	return nil
}

// write appends a line, in one call, so that a process that is killed leaves at most one torn line.
func (j *Journal) write(object any) error {
	line, err := formatLine(object)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	if time.Since(j.synced) < syncInterval {
		return nil
	}
	j.synced = time.Now()
	return j.file.Sync()
}

// Path returns where the journal lies.
func (j *Journal) Path() string { return j.path }

// Close makes all lines last, and lets other processes have the file.
func (j *Journal) Close() error {
	if err := errors.Join(j.file.Sync(), j.file.Close()); err != nil {
		return fmt.Errorf("ladder: %s: %w", j.path, err)
	}
	return nil
}
