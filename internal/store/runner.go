package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"quintune/selfplay"
)

// Runner returns a runner that plays through the session: pairs that the open step has stored are taken from
// there, the others are played by inner and stored. Its n-th batch of a step is that of the
// interrupted process; pairs of another batch than that one are dropped.
//
// When a pair cannot be stored the games are stopped and the error says why.
func (s *Session) Runner(inner selfplay.Runner) selfplay.Runner { return &runner{s, inner} }

type runner struct {
	session *Session
	inner   selfplay.Runner
}

// Run plays what is not stored of the batch; see selfplay.Runner. Stored pairs are reported first, by index.
func (r *runner) Run(ctx context.Context, batch *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	s := r.session
	id, results, known, err := s.nextBatch(batch)
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
		f := finished{id, i, batch.Size, batch.Pairings[i], result}
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
	id      int64
	size    int // of the board
}

// OpenBatch returns the first batch of the open step, with the pairs of it that are stored. hash identifies all that a
// pair of that index depends on: a batch with more pairs, or fewer, is the same one.
func (s *Session) OpenBatch(b *selfplay.Batch, hash string) (x *Batch, results []selfplay.Result, known []bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, results, known, err := s.openBatch(b, 0, hash, len(b.Pairings))
	if err == nil {
		err = s.db.write("opening a batch of run "+s.run.Name, func(tx *sql.Tx) error {
			_, err := tx.Exec("UPDATE batches SET pairs = max(pairs, ?) WHERE id = ?", len(b.Pairings), id)
			return err
		})
	}
	return &Batch{s, id, b.Size}, results, known, err
}

// Add stores a finished pair.
func (x *Batch) Add(index int, p selfplay.Pairing, r *selfplay.Result) error {
	return x.session.record(finished{x.id, index, x.size, p, r})
}

// nextBatch returns the row of the step's next batch, with the pairs of it that are stored.
func (s *Session) nextBatch(b *selfplay.Batch) (id int64, results []selfplay.Result, known []bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.part++
	return s.openBatch(b, s.part-1, hashOf(b), math.MaxInt)
}

// openBatch returns the row of a batch of the open step, with the pairs of it below most that are stored.
func (s *Session) openBatch(b *selfplay.Batch, part int, hash string, most int) (id int64, results []selfplay.Result, known []bool, err error) {
	if err := s.commit(); err != nil {
		return 0, nil, nil, err
	}
	step := s.run.Steps
	var stored string
	err = s.db.sql.QueryRow("SELECT id, hash FROM batches WHERE run = ? AND step = ? AND part = ?", s.run.id, step, part).Scan(&id, &stored)
	results, known = make([]selfplay.Result, len(b.Pairings)), make([]bool, len(b.Pairings))
	switch {
	case err == nil && stored == hash:
		return id, results, known, s.db.loadPairs(id, b, results, known, most)
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return 0, nil, nil, s.db.fault("reading a batch of run "+s.run.Name, err)
	}
	err = s.db.write("adding a batch of run "+s.run.Name, func(tx *sql.Tx) error {
		if err := dropBatches(tx, s.run.id, step, part); err != nil {
			return err
		}
		names := make([]string, len(b.Contestants))
		for i, c := range b.Contestants {
			names[i] = c.Name
		}
		row, err := tx.Exec("INSERT INTO batches (run, step, part, purpose, nodes, players, pairs, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			s.run.id, step, part, b.Purpose, b.Nodes, marshal(names), len(b.Pairings), hash)
		if err == nil {
			id, err = row.LastInsertId()
		}
		return err
	})
	return id, results, known, err
}

// dropBatches removes batches of a step from a part on: those of a run whose way has changed since.
func dropBatches(tx *sql.Tx, run int64, step, part int) error {
	_, err := tx.Exec("DELETE FROM batches WHERE run = ? AND step = ? AND part >= ?", run, step, part)
	return err
}

// loadPairs fills in the pairs below most that are stored of a batch.
func (db *DB) loadPairs(id int64, b *selfplay.Batch, results []selfplay.Result, known []bool, most int) error {
	return db.each("reading pairs", func(rows *sql.Rows) error {
		var pair int
		var worker string
		var row gameRow
		if err := rows.Scan(append([]any{&pair, &worker}, row.places()...)...); err != nil {
			return err
		}
		if pair < 0 || pair >= len(results) {
			return fmt.Errorf("%w: pair %d of %d", ErrDamaged, pair, len(results))
		}
		game, err := row.game(b.Size)
		if err != nil {
			return err
		}
		r := &results[pair]
		known[pair], r.Worker = true, worker
		if row.number < len(r.Games) {
			r.Games[row.number] = game
		} else {
			r.Discarded = append(r.Discarded, game)
		}
		return nil
	}, "SELECT pair, worker, "+gameColumns+" FROM pairs JOIN games USING (batch, pair) WHERE batch = ? AND pair < ? ORDER BY pair, game", id, most)
}

// hashOf identifies all that the pairs of a batch depend on. Of a player that is not a set of weights
// that is its name, and its identity where it has one.
func hashOf(b *selfplay.Batch) string {
	h := sha256.New()
	number := func(values ...uint64) {
		for _, v := range values {
			_ = binary.Write(h, binary.LittleEndian, v) // a hash takes everything
		}
	}
	playOut := uint64(0)
	if b.PlayOut {
		playOut = 1
	}
	number(uint64(b.Rule), uint64(b.Size), uint64(b.Nodes), playOut, uint64(len(b.Contestants)))
	for _, c := range b.Contestants {
		if c.Weights == nil {
			number(0, uint64(len(c.Name)))
			h.Write([]byte(c.Name + c.Identity))
			continue
		}
		number(uint64(len(c.Weights.Values)))
		for _, v := range c.Weights.Values {
			number(uint64(v))
		}
	}
	for _, p := range b.Pairings {
		number(uint64(p.A), uint64(p.B), p.Seed, uint64(len(p.Opening)))
		for _, m := range p.Opening {
			number(uint64(m))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
