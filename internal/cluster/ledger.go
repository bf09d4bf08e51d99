package cluster

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"quintune/internal/atomicfile"
)

// ledger remembers for a whole run who played which pair of which batch, and what the result was, so that
// all that a suspect has sent can be played again. With a folder it outlives the process.
//
// NNNNNN.batch holds a batch, NNNNNN.authors who played it, NNNNNN.state the state of the run before it.
type ledger struct {
	dir     string // "": memory alone
	batches []*entry
	marks   map[int][]byte // states by the number of batches before them, without a folder

	quarantined []Refusal // the workers that were quarantined
}

// entry is one batch of the ledger.
type entry struct {
	kept      *keptBatch // nil: in the folder
	author    []string   // by pair; "" for none, or for the coordinator
	digest    []digest
	confirmed []bool
	authors   *os.File // open while the batch is played
}

// keptBatch is a batch with the weights of its players.
type keptBatch struct {
	Task task                       `json:"task"`
	Sets map[string]json.RawMessage `json:"sets"`
}

// line is one line of NNNNNN.authors: pairs of an author with their digests, or pairs that were confirmed.
type line struct {
	Author    string   `json:"w,omitempty"`
	Pairs     []int    `json:"i,omitempty"`
	Digests   []digest `json:"d,omitempty"`
	Confirmed []int    `json:"c,omitempty"`
}

// openLedger reads what a folder holds, which is made where it is not there.
func openLedger(dir string) (*ledger, error) {
	l := &ledger{dir: dir, marks: map[int][]byte{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cluster: ledger: %w", err)
	}
	if err := l.readQuarantine(); err != nil {
		return nil, err
	}
	for {
		kept, err := l.read(len(l.batches))
		if errors.Is(err, fs.ErrNotExist) {
			return l, nil
		}
		if err != nil {
			return nil, err
		}
		e := newEntry(len(kept.Task.Pairs))
		if err := e.readAuthors(l.path(len(l.batches), "authors")); err != nil {
			return nil, err
		}
		l.batches = append(l.batches, e)
	}
}

func newEntry(pairs int) *entry {
	return &entry{author: make([]string, pairs), digest: make([]digest, pairs), confirmed: make([]bool, pairs)}
}

func (l *ledger) path(batch int, ending string) string {
	return filepath.Join(l.dir, fmt.Sprintf("%06d.%s", batch, ending))
}

// begin writes a batch down before its first pair is played, and returns its number.
func (l *ledger) begin(kept *keptBatch) (int, error) {
	number := len(l.batches)
	e := newEntry(len(kept.Task.Pairs))
	if l.dir == "" {
		e.kept = kept
		l.batches = append(l.batches, e)
		return number, nil
	}
	data, err := pack(kept)
	if err != nil {
		return 0, err
	}
	if err := atomicfile.Write(l.path(number, "batch"), data); err != nil {
		return 0, fmt.Errorf("cluster: ledger: %w", err)
	}
	if e.authors, err = os.Create(l.path(number, "authors")); err != nil {
		return 0, fmt.Errorf("cluster: ledger: %w", err)
	}
	l.batches = append(l.batches, e)
	return number, nil
}

// write notes a line in memory and in the file.
func (e *entry) write(n line) error {
	if err := e.note(&n); err != nil || e.authors == nil {
		return err
	}
	data, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("cluster: ledger: %w", err)
	}
	if _, err := e.authors.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("cluster: ledger: %w", err)
	}
	return nil
}

// note notes a line in memory.
func (e *entry) note(n *line) error {
	for k, i := range n.Pairs {
		if i < 0 || i >= len(e.author) || k >= len(n.Digests) {
			return fmt.Errorf("cluster: ledger: pair %d of %d", i, len(e.author))
		}
		e.author[i], e.digest[i], e.confirmed[i] = n.Author, n.Digests[k], false
	}
	for _, i := range n.Confirmed {
		if i < 0 || i >= len(e.confirmed) {
			return fmt.Errorf("cluster: ledger: pair %d of %d", i, len(e.confirmed))
		}
		e.confirmed[i] = true
	}
	return nil
}

// close ends the writing of a batch.
func (e *entry) close() error {
	if e.authors == nil {
		return nil
	}
	err := errors.Join(e.authors.Sync(), e.authors.Close())
	e.authors = nil
	return err
}

// readAuthors reads a file of lines; a last line that a crash has cut short is left out.
func (e *entry) readAuthors(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cluster: ledger: %w", err)
	}
	for text := range bytes.Lines(data) {
		var n line
		if !bytes.HasSuffix(text, []byte("\n")) {
			return nil
		}
		if err := json.Unmarshal(text, &n); err != nil {
			return fmt.Errorf("cluster: ledger: %s: %w", path, err)
		}
		if err := e.note(&n); err != nil {
			return err
		}
	}
	return nil
}

// unaudited returns the pairs of a batch that the worker played and nobody has confirmed.
func (e *entry) unaudited(worker string) []int {
	var list []int
	for i := range e.author {
		if e.author[i] == worker && !e.confirmed[i] {
			list = append(list, i)
		}
	}
	return list
}

// confirm notes pairs of a batch that was closed.
func (l *ledger) confirm(batch int, pairs []int) (err error) {
	e := l.batches[batch]
	if l.dir != "" && e.authors == nil {
		if e.authors, err = os.OpenFile(l.path(batch, "authors"), os.O_WRONLY|os.O_APPEND, 0); err != nil {
			return fmt.Errorf("cluster: ledger: %w", err)
		}
		defer func() { err = errors.Join(err, e.close()) }()
	}
	return e.write(line{Confirmed: pairs})
}

// quarantineFile lists who was quarantined.
const quarantineFile = "quarantine.json"

// quarantine notes a worker that was quarantined.
func (l *ledger) quarantine(q Refusal) error {
	l.quarantined = append(l.quarantined, q)
	if l.dir == "" {
		return nil
	}
	data, err := json.Marshal(l.quarantined)
	if err == nil {
		err = atomicfile.Write(filepath.Join(l.dir, quarantineFile), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("cluster: ledger: %w", err)
	}
	return nil
}

// readQuarantine reads who was quarantined before.
func (l *ledger) readQuarantine() error {
	data, err := os.ReadFile(filepath.Join(l.dir, quarantineFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, &l.quarantined)
	}
	if err != nil {
		return fmt.Errorf("cluster: ledger: %w", err)
	}
	return nil
}

// read returns a batch with its weights.
func (l *ledger) read(batch int) (*keptBatch, error) {
	if l.dir == "" {
		return l.batches[batch].kept, nil
	}
	var kept keptBatch
	return &kept, unpack(l.path(batch, "batch"), &kept)
}

// mark keeps the state of the run before the next batch.
func (l *ledger) mark(state []byte) error {
	number := len(l.batches)
	if l.dir == "" {
		l.marks[number] = slices.Clone(state)
		return nil
	}
	data, err := pack(json.RawMessage(state))
	if err != nil {
		return err
	}
	if err := atomicfile.Write(l.path(number, "state"), data); err != nil {
		return fmt.Errorf("cluster: ledger: %w", err)
	}
	return nil
}

// rewind forgets the batches from the given one on, and returns the last state that was marked before it;
// nil for the beginning of the run.
func (l *ledger) rewind(batch int) (state []byte, err error) {
	number := batch
	for ; number >= 0; number-- {
		if state, err = l.marked(number); state != nil || err != nil {
			break
		}
	}
	number = max(0, number)
	for n := number; n <= len(l.batches); n++ {
		for _, ending := range []string{"batch", "authors", "state"} {
			if l.dir == "" || n == number && ending == "state" {
				continue
			}
			if err := os.Remove(l.path(n, ending)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("cluster: ledger: %w", err)
			}
		}
		if n > number {
			delete(l.marks, n)
		}
	}
	l.batches = l.batches[:min(number, len(l.batches))]
	return state, err
}

// marked returns the state before a batch, nil where none was kept.
func (l *ledger) marked(batch int) ([]byte, error) {
	if l.dir == "" {
		return l.marks[batch], nil
	}
	var state json.RawMessage
	err := unpack(l.path(batch, "state"), &state)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return state, err
}

// pack returns a value as compressed JSON.
func pack(value any) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := errors.Join(json.NewEncoder(z).Encode(value), z.Close()); err != nil {
		return nil, fmt.Errorf("cluster: ledger: %w", err)
	}
	return b.Bytes(), nil
}

// unpack reads a file of compressed JSON.
func unpack(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cluster: ledger: %w", err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(z)
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("cluster: ledger: %s: %w", path, err)
	}
	return nil
}
