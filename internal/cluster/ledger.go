package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"quintune/internal/strictjson"
)

// Journal stores a ledger in the database of the run, so that it survives the process. EachBatch calls do in the order of the
// numbers, and EachPair for pairs of these batches only.
type Journal interface {
	AddBatch(number, pairs int, batch []byte) error
	Batch(number int) ([]byte, error)
	EachBatch(do func(number, pairs int) error) error
	AddPairs(number int, author string, pairs []int, digests []uint64) error
	ConfirmPairs(number int, pairs []int) error
	EachPair(do func(number, pair int, author string, digest uint64, confirmed bool) error) error
	AddMark(number int, state []byte) error
	Mark(batch int) (number int, state []byte, err error)
	Quarantine(key, name, reason string, since time.Time) error
	EachQuarantine(do func(key, name, reason string, since time.Time) error) error
}

// ledger records the author of every pair of a run, and a digest of its result. With it, all results of a suspect
// worker can be played again. With a journal it survives the process.
type ledger struct {
	journal Journal // nil: memory only
	batches []*entry
	marks   map[int][]byte // marked states by the number of batches before each; unused with a journal

	quarantined []Refusal // the workers that were quarantined
}

// entry is one batch of the ledger.
type entry struct {
	journal   Journal // nil: memory only
	number    int
	kept      *keptBatch // nil: stored in the journal
	author    []string   // [pair]; "" for the coordinator or for no result
	digest    []digest
	confirmed []bool
}

// keptBatch is a batch with the weights of its players.
type keptBatch struct {
	Task task                       `json:"task"`
	Sets map[string]json.RawMessage `json:"sets"`
}

// line is a record of the ledger: pairs of one author with their digests, or pairs that were confirmed.
type line struct {
	Author    string
	Pairs     []int
	Digests   []digest
	Confirmed []int
}

// openLedger reads the ledger that a journal holds.
func openLedger(j Journal) (*ledger, error) {
	l := &ledger{journal: j}
	err := j.EachQuarantine(func(key, name, reason string, since time.Time) error {
		l.quarantined = append(l.quarantined, Refusal{since, name, key, reason})
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = j.EachBatch(func(number, pairs int) error {
		for len(l.batches) < number { // batches of a step that was rolled back are missing
			l.add(0)
		}
		l.add(pairs)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, j.EachPair(func(number, pair int, author string, d uint64, confirmed bool) error {
		n := line{Author: author, Pairs: []int{pair}, Digests: []digest{digest(d)}}
		if confirmed {
			n.Confirmed = n.Pairs
		}
		return l.batches[number].note(&n)
	})
}

// add appends an entry of a number of pairs.
func (l *ledger) add(pairs int) *entry {
	e := &entry{
		journal: l.journal, number: len(l.batches),
		author: make([]string, pairs), digest: make([]digest, pairs), confirmed: make([]bool, pairs),
	}
	l.batches = append(l.batches, e)
	return e
}

// begin stores a batch before its first pair is played, and returns its entry.
func (l *ledger) begin(kept *keptBatch) (*entry, error) {
	pairs := len(kept.Task.Pairs)
	if l.journal == nil {
		e := l.add(pairs)
		e.kept = kept
		return e, nil
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("cluster: ledger: %w", err)
	}
	if err := l.journal.AddBatch(len(l.batches), pairs, data); err != nil {
		return nil, err
	}
	return l.add(pairs), nil
}

// write records a line in the journal and in memory. A nil entry records nothing, see dispatcher.record.
func (e *entry) write(n line) error {
	if e == nil {
		return nil
	}
	if err := e.note(&n); err != nil || e.journal == nil {
		return err
	}
	if len(n.Pairs) > 0 {
		digests := make([]uint64, len(n.Digests))
		for k, d := range n.Digests {
			digests[k] = uint64(d)
		}
		if err := e.journal.AddPairs(e.number, n.Author, n.Pairs, digests); err != nil {
			return err
		}
	}
	if len(n.Confirmed) > 0 {
		return e.journal.ConfirmPairs(e.number, n.Confirmed)
	}
	return nil
}

// note records a line in memory.
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

// unaudited returns the pairs of the batch that the worker played and nobody else has confirmed.
func (e *entry) unaudited(worker string) []int {
	var list []int
	for i := range e.author {
		if e.author[i] == worker && !e.confirmed[i] {
			list = append(list, i)
		}
	}
	return list
}

// quarantine records a worker in quarantine.
func (l *ledger) quarantine(q Refusal) error {
	l.quarantined = append(l.quarantined, q)
	if l.journal == nil {
		return nil
	}
	return l.journal.Quarantine(q.Key, q.Name, q.Reason, q.When)
}

// read returns the entry's batch with its weights. Other batches may begin meanwhile.
func (e *entry) read() (*keptBatch, error) {
	if e.kept != nil {
		return e.kept, nil
	}
	data, err := e.journal.Batch(e.number)
	if err != nil {
		return nil, err
	}
	kept := new(keptBatch)
	if err := strictjson.Decode(data, kept); err != nil {
		return nil, fmt.Errorf("cluster: ledger: batch %d: %w", e.number, err)
	}
	if stored := len(kept.Task.Pairs); stored != len(e.author) {
		return nil, fmt.Errorf("cluster: ledger: batch %d: it has %d pairs, not %d", e.number, stored, len(e.author))
	}
	return kept, nil
}

// mark stores the state of the run before the next batch.
func (l *ledger) mark(state []byte) error {
	if l.journal != nil {
		return l.journal.AddMark(len(l.batches), state)
	}
	l.marks[len(l.batches)] = slices.Clone(state)
	return nil
}

// rewind finds the last state that was marked before the batch and forgets, in memory, all batches since. It
// returns that state, or nil for the beginning of the run. The journal forgets the batches when their steps are
// deleted.
func (l *ledger) rewind(batch int) (state []byte, err error) {
	number := 0
	if l.journal != nil {
		number, state, err = l.journal.Mark(batch)
	} else {
		for number = batch; number > 0 && l.marks[number] == nil; number-- {
		}
		state = l.marks[number]
		maps.DeleteFunc(l.marks, func(n int, _ []byte) bool { return n > number })
	}
	l.batches = l.batches[:min(number, len(l.batches))]
	return state, err
}
