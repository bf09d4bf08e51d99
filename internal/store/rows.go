package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"

	"quintune/internal/text"
	"quintune/selfplay"
)

// batchRow is a row of batches.
type batchRow struct {
	id         int64
	size       int // of the board
	step, part int
	purpose    string
	nodes      int64
	players    string // names, as a JSON array
	hash       string
}

// pairRow is a row of pairs with its rows of games.
type pairRow struct {
	batch         *batchRow
	index         int
	a, b, opening int
	points        sql.NullInt64
	worker        string
	sum           sql.NullInt64 // NULL where version 1 or 2 of the schema stored the pair
	games         []gameRow
}

// String names the pair by its step, part and index, and by its purpose.
func (p *pairRow) String() string {
	return fmt.Sprintf("pair %d.%d.%d (%s)", p.batch.step, p.batch.part, p.index, text.Printable(p.batch.purpose))
}

// checksum returns the checksum of the pair: the first 8 bytes of SHA-256 over everything that is stored of it.
func (p *pairRow) checksum() int64 {
	h := hasher{sha256.New()}
	h.numbers(int64(p.batch.step), int64(p.batch.part), p.batch.nodes)
	h.text(p.batch.purpose)
	h.text(p.batch.players)
	h.text(p.batch.hash)
	points := int64(-1)
	if p.points.Valid {
		points = p.points.Int64
	}
	h.numbers(int64(p.index), int64(p.a), int64(p.b), int64(p.opening), points)
	h.text(p.worker)
	h.numbers(int64(len(p.games)))
	for i := range p.games {
		g := &p.games[i]
		adjudicated := int64(0)
		if g.adjudicated {
			adjudicated = 1
		}
		h.numbers(int64(g.number), int64(g.plies), adjudicated, g.nodes)
		h.text(g.result)
		h.text(string(g.moves))
		for _, text := range []sql.NullString{g.kind, g.faulty, g.message} {
			h.text(text.String)
		}
	}
	return int64(binary.LittleEndian.Uint64(h.Sum(nil)))
}

// result returns the stored pair. It refuses, by name, a pair that differs from its checksum. Without a checksum
// it refuses one whose games do not give its points.
func (p *pairRow) result() (*selfplay.Result, error) {
	r := &selfplay.Result{Worker: p.worker}
	for i := range p.games {
		if p.games[i].number != i {
			return nil, p.damaged(fmt.Errorf("game %d is missing", i))
		}
		g, err := p.games[i].game(p.batch.size)
		if err != nil {
			return nil, p.damaged(err)
		}
		if i < len(r.Games) {
			r.Games[i] = g
		} else {
			r.Discarded = append(r.Discarded, g)
		}
	}
	switch {
	case len(p.games) < len(r.Games):
		return nil, p.damaged(fmt.Errorf("game %d is missing", len(p.games)))
	case p.sum.Valid && p.sum.Int64 != p.checksum():
		return nil, p.damaged(errors.New("its checksum is wrong"))
	case p.points.Valid == r.Void() || p.points.Valid && p.points.Int64 != int64(r.Points()):
		return nil, p.damaged(errors.New("its points are not those of its games"))
	}
	return r, nil
}

// damaged returns the error for a damaged pair.
func (p *pairRow) damaged(why error) error { return fmt.Errorf("%v: %w: %w", p, ErrDamaged, why) }

// eachPair calls do with the result of each pair, in the order of the keys. A damaged pair is an error that
// names it.
func (db *DB) eachPair(doing string, size int, do func(*pairRow, *selfplay.Result) error, which string, args ...any) error {
	var batch *batchRow
	var open *pairRow // pair whose games are being read
	end := func() error {
		if open == nil {
			return nil
		}
		r, err := open.result()
		if err != nil {
			return err
		}
		return do(open, r)
	}
	err := db.each(doing, func(rows *sql.Rows) error {
		b, p, g := batchRow{size: size}, pairRow{}, gameRow{}
		err := rows.Scan(&b.id, &b.step, &b.part, &b.purpose, &b.nodes, &b.players, &b.hash,
			&p.index, &p.a, &p.b, &p.opening, &p.points, &p.worker, &p.sum,
			&g.number, &g.result, &g.plies, &g.adjudicated, &g.nodes, &g.moves, &g.kind, &g.faulty, &g.message)
		if err != nil {
			return err
		}
		if batch == nil || batch.id != b.id {
			batch = &b
		}
		if open == nil || open.batch != batch || open.index != p.index {
			if err := end(); err != nil {
				return err
			}
			p.batch, open = batch, &p
		}
		if g.number >= 0 {
			open.games = append(open.games, g)
		}
		return nil
	}, `SELECT batches.id, step, part, purpose, batches.nodes, players, hash, pair, a, b, opening, points, worker, sum,
		coalesce(game, -1), coalesce(result, ''), coalesce(plies, 0), coalesce(adjudicated, 0), coalesce(games.nodes, 0), coalesce(moves, x''),
		fault, faulty, message
		FROM batches JOIN pairs ON pairs.batch = batches.id LEFT JOIN games USING (batch, pair) `+which+`
		ORDER BY step, part, pair, game`, args...)
	if err != nil {
		return err
	}
	return db.fault(doing, end())
}

// hasher hashes numbers and texts.
type hasher struct{ hash.Hash }

func (h hasher) numbers(values ...int64) {
	_ = binary.Write(h, binary.LittleEndian, values) // writing to a hash never fails
}

func (h hasher) text(s string) {
	h.numbers(int64(len(s)))
	h.Write([]byte(s))
}
