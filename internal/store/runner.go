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

	"quintune/internal/run"
	"quintune/selfplay"
)

// Runner returns a runner that stores the pairs of the open step. Pairs that are stored already are not played
// again; inner plays the others. The n-th batch of a step must equal the n-th batch of the interrupted process;
// pairs of a different batch are deleted.
//
// When a pair cannot be stored, it stops the games and returns the error.
func (s *Session) Runner(inner selfplay.Runner) selfplay.Runner { return &runner{s, inner, inStep} }

// Ahead returns a runner for a batch of a later step, under a number, 0 or more. Its pairs are stored until a
// step plays the same batch, and then become the pairs of that step. Pairs that an earlier process stored are
// not played again. Runners with different numbers may run at the same time, beside that of the step.
func (s *Session) Ahead(number int, inner selfplay.Runner) selfplay.Runner {
	return &runner{s, inner, number}
}

type runner struct {
	session *Session
	inner   selfplay.Runner
	number  int // number of a batch of a later step, or inStep
}

// inStep is the number that marks the runner of the open step.
const inStep = -1

// aheadStep is the step under which batches of later steps are stored, with their number as part. It is greater
// than any step of a run.
const aheadStep = 1 << 30

// Run plays the pairs of the batch that are not stored; see selfplay.Runner. It first reports the stored pairs,
// by index.
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

// Batch is a batch of a run to which pairs are added one by one, in any order. Safe for concurrent use.
type Batch struct {
	session *Session
	row     *batchRow
}

// OpenBatch returns the first batch of the open step, with its stored pairs. hash identifies everything that a
// pair with an index depends on, except the number of pairs. So a longer or shorter batch has the same hash.
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

// nextBatch returns the row of the step's next batch, or of a numbered batch of a later step, with its stored
// pairs.
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

// openBatch returns the row of a batch, with its stored pairs of an index below most.
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
		if err = s.loadPairs(row.id, b.Size, results, known, most); err == nil {
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

// takeAhead moves the pairs of an equal batch that was played ahead to a batch of the open step.
func (s *Session) takeAhead(row *batchRow, b *selfplay.Batch, results []selfplay.Result, known []bool) error {
	if row.step == aheadStep {
		return nil
	}
	var ahead int64
	err := s.db.sql.QueryRow("SELECT id FROM batches WHERE run = ? AND step = ? AND hash = ?", s.run.id, aheadStep, row.hash).Scan(&ahead)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return s.db.fault("reading pairs of run "+s.run.Name, err)
	}
	had := slices.Clone(known)
	if err := s.loadPairs(ahead, b.Size, results, known, math.MaxInt); err != nil {
		return err
	}
	if err := s.prepare(); err != nil {
		return err
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
		_, err := tx.Exec("DELETE FROM batches WHERE id = ?", ahead)
		return err
	})
}

// dropBatches deletes the batches of a step from the given part on, because the run has changed since. For
// batches ahead it deletes that part only.
func dropBatches(tx *sql.Tx, run int64, step, part int) error {
	last := math.MaxInt
	if step == aheadStep {
		last = part
	}
	_, err := tx.Exec("DELETE FROM batches WHERE run = ? AND step = ? AND part BETWEEN ? AND ?", run, step, part, last)
	return err
}

// dropSteps deletes the batches of a step and of later ones, with those ahead.
func dropSteps(tx *sql.Tx, run int64, step int) error {
	_, err := tx.Exec("DELETE FROM batches WHERE run = ? AND step >= ?", run, step)
	return err
}

// dropSurplus deletes the pairs of the gate that a step has closed, if any, that come after its decision.
func dropSurplus(tx *sql.Tx, id int64, step int, state *run.State) error {
	gate := state.LastGate()
	if gate == nil {
		return nil
	}
	_, err := tx.Exec("DELETE FROM pairs WHERE pair >= ? AND batch IN (SELECT id FROM batches WHERE run = ? AND step = ? AND purpose = ?)",
		gate.Played()/2, id, step, run.GatePurpose(len(state.Gates)-1))
	return err
}

// loadPairs reads the stored pairs of a batch with an index below most.
func (s *Session) loadPairs(batch int64, size int, results []selfplay.Result, known []bool, most int) error {
	return s.db.eachPair("reading pairs of run "+s.run.Name, size, func(p *pairRow, r *selfplay.Result) error {
		if p.index < 0 || p.index >= len(results) {
			return p.damaged(fmt.Errorf("the batch has %d pairs", len(results)))
		}
		results[p.index], known[p.index] = *r, true
		return nil
	}, "WHERE batches.id = ? AND pair < ?", batch, most)
}

// hashOf identifies everything that the pairs of a batch depend on. A player that is not a set of weights is
// identified by its name, and by its Identity if it has one.
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
