package store

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"
)

// Bounds of a ledger, far above those of any run. The coordinator holds all of it in memory.
const (
	mostBatches  = 1 << 20   // batches of a run
	mostPairs    = 1 << 20   // pairs of a batch
	mostUnpacked = 256 << 20 // bytes of a batch with its weights, or of a state
)

// Ledger stores who played which pair, for a run on a cluster. Batches are numbered from 0. Session.Rewind deletes
// the later part. Safe for concurrent use, but what EachBatch, EachPair and EachQuarantine call must not use the database.
type Ledger struct{ s *Session }

// Ledger returns the ledger of the run.
func (s *Session) Ledger() *Ledger { return &Ledger{s} }

// AddBatch adds a batch before its first pair is played.
func (l *Ledger) AddBatch(number, pairs int, batch []byte) error {
	packed, err := pack(batch)
	if err != nil {
		return err
	}
	return l.write("storing a batch of the cluster", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO tasks VALUES (?, ?, ?, ?)", l.s.run.id, number, pairs, packed)
		return err
	})
}

// Batch returns a batch.
func (l *Ledger) Batch(number int) ([]byte, error) {
	var packed []byte
	err := l.s.db.sql.QueryRow("SELECT task FROM tasks WHERE run = ? AND number = ?", l.s.run.id, number).Scan(&packed)
	if err == nil {
		packed, err = unpack(packed, mostUnpacked)
	}
	return packed, l.fault(fmt.Sprintf("reading batch %d of the cluster", number), err)
}

// EachBatch calls do with the number and the number of pairs of every batch, in order.
func (l *Ledger) EachBatch(do func(number, pairs int) error) error {
	return l.each("reading the batches of the cluster", func(rows *sql.Rows) error {
		var number, pairs int
		if err := rows.Scan(&number, &pairs); err != nil {
			return err
		}
		if number < 0 || number >= mostBatches || pairs < 0 || pairs > mostPairs {
			return fmt.Errorf("%w: batch %d with %d pairs, outside [0, %d) and [0, %d]", ErrDamaged, number, pairs, mostBatches, mostPairs)
		}
		return do(number, pairs)
	}, "SELECT number, pairs FROM tasks WHERE run = ? ORDER BY number")
}

// AddPairs adds pairs of a batch that an author has played, with digests of their results.
func (l *Ledger) AddPairs(number int, author string, pairs []int, digests []uint64) error {
	return l.write("storing authors", func(tx *sql.Tx) error {
		insert, err := tx.Prepare("INSERT OR REPLACE INTO authors VALUES (?, ?, ?, ?, ?, 0)")
		for k := 0; err == nil && k < len(pairs); k++ {
			_, err = insert.Exec(l.s.run.id, number, pairs[k], author, int64(digests[k]))
		}
		return err
	})
}

// ConfirmPairs records that another player found the same results.
func (l *Ledger) ConfirmPairs(number int, pairs []int) error {
	return l.write("confirming pairs", func(tx *sql.Tx) error {
		confirm, err := tx.Prepare("UPDATE authors SET confirmed = 1 WHERE run = ? AND number = ? AND pair = ?")
		for k := 0; err == nil && k < len(pairs); k++ {
			_, err = confirm.Exec(l.s.run.id, number, pairs[k])
		}
		return err
	})
}

// EachPair calls do with the played pairs of all batches.
func (l *Ledger) EachPair(do func(number, pair int, author string, digest uint64, confirmed bool) error) error {
	return l.each("reading the authors", func(rows *sql.Rows) error {
		var number, pair, pairs int
		var author string
		var digest int64
		var confirmed bool
		if err := rows.Scan(&number, &pair, &author, &digest, &confirmed, &pairs); err != nil {
			return err
		}
		if pair < 0 || pair >= pairs {
			return fmt.Errorf("%w: pair %d of batch %d, which has %d pairs", ErrDamaged, pair, number, pairs)
		}
		return do(number, pair, author, uint64(digest), confirmed)
	}, "SELECT number, pair, author, digest, confirmed, coalesce(pairs, 0) FROM authors LEFT JOIN tasks USING (run, number) WHERE run = ?")
}

// AddMark stores the state of the run before the batch.
func (l *Ledger) AddMark(number int, state []byte) error {
	packed, err := pack(state)
	if err != nil {
		return err
	}
	return l.write("storing a state to go back to", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", l.s.run.id, number, l.s.run.Steps, packed)
		return err
	})
}

// Mark returns the last state that was stored before a batch; nil where there is none. number is that of the first batch which
// Session.Rewind to this state deletes: a resumed run has stored its state once more, after batches of the same step.
func (l *Ledger) Mark(batch int) (number int, state []byte, err error) {
	err = l.s.db.sql.QueryRow(`SELECT (SELECT min(number) FROM marks AS same WHERE same.run = last.run AND same.step >= last.step), state
		FROM marks AS last WHERE run = ? AND number <= ? ORDER BY number DESC LIMIT 1`, l.s.run.id, batch).Scan(&number, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err == nil && number < 0 {
		err = fmt.Errorf("%w: a state before batch %d", ErrDamaged, number)
	}
	if err == nil {
		state, err = unpack(state, mostUnpacked)
	}
	return number, state, l.fault("reading a state to go back to", err)
}

// Quarantine stores a worker from which the run accepts nothing more.
func (l *Ledger) Quarantine(key, name, reason string, since time.Time) error {
	return l.write("storing a quarantine", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR IGNORE INTO quarantined VALUES (?, ?, ?, ?, ?)", l.s.run.id, key, name, reason, (*utc)(&since))
		return err
	})
}

// EachQuarantine calls do with every worker in quarantine.
func (l *Ledger) EachQuarantine(do func(key, name, reason string, since time.Time) error) error {
	return l.each("reading the quarantine", func(rows *sql.Rows) error {
		var key, name, reason string
		var since time.Time
		if err := rows.Scan(&key, &name, &reason, (*utc)(&since)); err != nil {
			return err
		}
		return do(key, name, reason, since)
	}, "SELECT key, name, reason, since FROM quarantined WHERE run = ? ORDER BY key")
}

// dropLedger goes back to a number of closed steps. It deletes the batches from the first mark of this number or a greater one
// on, and the marks of greater ones.
func dropLedger(tx *sql.Tx, run int64, steps int) error {
	_, err := tx.Exec("DELETE FROM tasks WHERE run = ? AND number >= (SELECT min(number) FROM marks WHERE marks.run = tasks.run AND step >= ?)", run, steps)
	if err != nil {
		return err
	}
	_, err = tx.Exec("DELETE FROM marks WHERE run = ? AND step > ?", run, steps)
	return err
}

func (l *Ledger) write(doing string, do func(*sql.Tx) error) error {
	return l.s.db.write(doing+" of run "+l.s.run.Name, do)
}

func (l *Ledger) fault(doing string, err error) error {
	return l.s.db.fault(doing+" of run "+l.s.run.Name, err)
}

func (l *Ledger) each(doing string, do func(*sql.Rows) error, query string) error {
	return l.s.db.each(doing+" of run "+l.s.run.Name, do, query, l.s.run.id)
}

// pack compresses data.
func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

// unpack decompresses what pack returned, at most a number of bytes.
func unpack(packed []byte, most int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	data, err := io.ReadAll(io.LimitReader(z, most+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%w: it unpacks to more than %d bytes", ErrDamaged, most)
	}
	return data, nil
}
