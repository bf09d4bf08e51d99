package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"quintune/selfplay"
)

// Runner returns a runner that plays through the session: pairs that the open step has stored are taken from
// there, the others are played by inner and stored. Its n-th batch of a step is that of the
// interrupted process; pairs of another batch than that one are dropped.
//
// When a pair cannot be stored the games are stopped and the error says why.
func (s *Session) Runner(inner selfplay.Runner) selfplay.Runner { return &runner{s, inner, inStep} }

// Ahead returns a runner of batches that belong to later steps, each under a number of its own, 0 or more. Their pairs wait until a step
// plays the same batch: they are its pairs then. What a stopped process has kept of them is not played again. Runners of
// several numbers may play at the same time, beside that of the step.
func (s *Session) Ahead(number int, inner selfplay.Runner) selfplay.Runner {
	return &runner{s, inner, number}
}

type runner struct {
	session *Session
	inner   selfplay.Runner
	number  int // of a batch of a later step, or inStep
}

// inStep marks the runner of the open step.
const inStep = -1

// aheadStep is the step of batches that wait for theirs, whose part is their number; beyond every step of a run.
const aheadStep = 1 << 30

// Run plays what is not stored of the batch; see selfplay.Runner. Stored pairs are reported first, by index.
func (r *runner) Run(ctx context.Context, batch *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	s := r.session
	row, results, known, err := s.nextBatch(batch, r.number)
	if err != nil {
		return nil, err
	}
	left := *batch
	left.Pairings = nil
	var indices []int
	for i := range results {
		switch {
		case !known[i]:
			left.Pairings = append(left.Pairings, batch.Pairings[i])
			indices = append(indices, i)
		case done != nil:
			done(i, &results[i])
		}
	}
	if err := ctx.Err(); err != nil || len(indices) == 0 {
		return results, err
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	_, err = r.inner.Run(playing, &left, func(k int, result *selfplay.Result) {
		i := indices[k]
		f := finished{row, i, batch.Pairings[i], result}
		if err := s.record(f); err != nil {
			stop(err)
			return
		}
		results[i] = *result
		if done != nil {
			done(i, &results[i])
		}
	})
	if storing := s.Flush(); storing != nil {
		return results, storing
	}
	return results, err
}

// Batch is a batch of a run whose pairs are added one by one, in any order. Safe for concurrent use.
type Batch struct {
	session *Session
	row     *batchRow
}

// OpenBatch returns the first batch of the open step, with those of its pairs that are stored. hash identifies everything that
// a pair of an index depends on. It does not include the number of pairs: a batch with more or fewer pairs has the same hash.
func (s *Session) OpenBatch(b *selfplay.Batch, hash string) (x *Batch, results []selfplay.Result, known []bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	row, results, known, err := s.openBatch(b, s.run.Steps, 0, hash, len(b.Pairings))
	if err == nil {
		err = s.db.write("opening a batch of run "+s.run.Name, func(tx *sql.Tx) error {
			_, err := tx.Exec("UPDATE batches SET pairs = max(pairs, ?) WHERE id = ?", len(b.Pairings), row.id)
			return err
		})
	}
	return &Batch{s, row}, results, known, err
}

// Add stores a finished pair.
func (x *Batch) Add(index int, p selfplay.Pairing, r *selfplay.Result) error {
	return x.session.record(finished{x.row, index, p, r})
}

// nextBatch returns the row of the step's next batch, or of one with a number for a later step, with the pairs of it that are stored.
func (s *Session) nextBatch(b *selfplay.Batch, number int) (row *batchRow, results []selfplay.Result, known []bool, err error) {
	hash := hashOf(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	if number != inStep {
		return s.openBatch(b, aheadStep, number, hash, math.MaxInt)
	}
	s.part++
	return s.openBatch(b, s.run.Steps, s.part-1, hash, math.MaxInt)
}

// openBatch returns the row of a batch, with the pairs of it below most that are stored.
func (s *Session) openBatch(b *selfplay.Batch, step, part int, hash string, most int) (row *batchRow, results []selfplay.Result, known []bool, err error) {
	if err := s.commit(); err != nil {
		return nil, nil, nil, err
	}
	results, known = make([]selfplay.Result, len(b.Pairings)), make([]bool, len(b.Pairings))
	row = &batchRow{size: b.Size, step: step, part: part}
	err = s.db.sql.QueryRow("SELECT id, purpose, nodes, players, hash FROM batches WHERE run = ? AND step = ? AND part = ?",
		s.run.id, row.step, part).Scan(&row.id, &row.purpose, &row.nodes, &row.players, &row.hash)
	switch {
	case err == nil && row.hash == hash:
		if err = s.loadPairs(row, results, known, most); err == nil {
			err = s.takeAhead(row, b, results, known)
		}
		return row, results, known, err
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return nil, nil, nil, s.db.fault("reading a batch of run "+s.run.Name, err)
	}
	names := make([]string, len(b.Contestants))
	for i, c := range b.Contestants {
		names[i] = c.Name
	}
	row.purpose, row.nodes, row.players, row.hash = b.Purpose, b.Nodes, marshal(names), hash
	err = s.db.write("adding a batch of run "+s.run.Name, func(tx *sql.Tx) error {
		if err := dropBatches(tx, s.run.id, row.step, part); err != nil {
			return err
		}
		added, err := tx.Exec("INSERT INTO batches (run, step, part, purpose, nodes, players, pairs, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			s.run.id, row.step, part, row.purpose, row.nodes, row.players, len(b.Pairings), hash)
		if err == nil {
			row.id, err = added.LastInsertId()
		}
		return err
	})
	if err == nil {
		err = s.takeAhead(row, b, results, known)
	}
	return row, results, known, err
}

// takeAhead gives a batch of the open step the pairs of the same one that were played ahead.
func (s *Session) takeAhead(row *batchRow, b *selfplay.Batch, results []selfplay.Result, known []bool) error {
	if row.step == aheadStep {
		return nil
	}
	ahead, had := *row, slices.Clone(known)
	err := s.db.sql.QueryRow("SELECT id, part FROM batches WHERE run = ? AND step = ? AND hash = ?", s.run.id, aheadStep, row.hash).Scan(&ahead.id, &ahead.part)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = s.loadPairs(&ahead, results, known, math.MaxInt)
	}
	if err == nil {
		err = s.prepare()
	}
	if err != nil {
		return s.db.fault("reading pairs of run "+s.run.Name, err)
	}
	return s.db.write("moving pairs of run "+s.run.Name, func(tx *sql.Tx) error {
		var list []finished
		for i := range results {
			if known[i] && !had[i] {
				list = append(list, finished{row, i, b.Pairings[i], &results[i]})
			}
		}
		if err := s.putPairs(tx, list); err != nil {
			return err
		}
		_, err := tx.Exec("DELETE FROM batches WHERE id = ?", ahead.id)
		return err
	})
}

// dropBatches removes batches of a step from a part on: those of a run whose way has changed since. Of those ahead each is for itself.
func dropBatches(tx *sql.Tx, run int64, step, part int) error {
	last := math.MaxInt
	if step == aheadStep {
		last = part
	}
	_, err := tx.Exec("DELETE FROM batches WHERE run = ? AND step = ? AND part BETWEEN ? AND ?", run, step, part, last)
	return err
}

// loadPairs fills in the stored pairs of a batch whose index is below most.
func (s *Session) loadPairs(batch *batchRow, results []selfplay.Result, known []bool, most int) error {
	return s.db.eachPair("reading pairs of run "+s.run.Name, batch.size, func(p *pairRow, r *selfplay.Result) error {
		if p.index < 0 || p.index >= len(results) {
			return p.damaged(fmt.Errorf("the batch has %d pairs", len(results)))
		}
		results[p.index], known[p.index] = *r, true
		return nil
	}, "WHERE batches.id = ? AND pair < ?", batch.id, most)
}

// hashOf identifies all that the pairs of a batch depend on. A player that is not a set of weights counts
// with its name, and with its identity if it has one.
func hashOf(b *selfplay.Batch) string {
	h := hasher{sha256.New()}
	playOut := int64(0)
	if b.PlayOut {
		playOut = 1
	}
	h.numbers(int64(b.Rule), int64(b.Size), b.Nodes, playOut, int64(len(b.Contestants)))
	for _, c := range b.Contestants {
		if c.Weights == nil {
			h.numbers(0, int64(len(c.Name)))
			h.Write([]byte(c.Name + c.Identity))
			continue
		}
		h.numbers(int64(len(c.Weights.Values)))
		for _, v := range c.Weights.Values {
			h.numbers(int64(v))
		}
	}
	for _, p := range b.Pairings {
		h.numbers(int64(p.A), int64(p.B), int64(p.Seed), int64(len(p.Opening)))
		for _, m := range p.Opening {
			h.numbers(int64(m))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
