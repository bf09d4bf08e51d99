package search

import "quintune/board"

// bound says how a stored score relates to the true one.
type bound uint8

const (
	boundNone  bound = iota
	boundUpper       // failed low: the score is at most this
	boundLower       // failed high: at least this
	boundExact       // both
)

// EntryBytes is the size of an entry of the TT.
const EntryBytes = 16

// ttEntry is EntryBytes long: the position's hash, and packed from the lowest bit: score (32), move (10),
// depth (8, offset by depthOffset), bound (2), age (8).
type ttEntry struct {
	key  uint64
	data uint64
}

const depthOffset = 64

func pack(score int32, move board.Cell, depth int, b bound, age uint8) uint64 {
	d := uint64(max(0, min(255, depth+depthOffset)))
	return uint64(uint32(score)) | uint64(move&1023)<<32 | d<<42 | uint64(b)<<50 | uint64(age)<<52
}

func (e *ttEntry) score() int32     { return int32(uint32(e.data)) }
func (e *ttEntry) move() board.Cell { return board.Cell(e.data >> 32 & 1023) }
func (e *ttEntry) depth() int       { return int(e.data>>42&255) - depthOffset }
func (e *ttEntry) bound() bound     { return bound(e.data >> 50 & 3) }
func (e *ttEntry) age() uint8       { return uint8(e.data >> 52) }

// decides says whether the entry's score, as seen from the probing node, makes a search to the depth in the null
// window needless. A proven win or loss does at any depth, but only as the bound that was proved: a win
// may be shorter, a loss longer than was found.
func (e *ttEntry) decides(score, alpha, beta int32, depth int) bool {
	lower, upper := e.bound()&boundLower != 0, e.bound()&boundUpper != 0
	if e.depth() < depth {
		plies := PliesToWin(score)
		lower, upper = lower && plies > 0, upper && plies < 0
	}
	return lower && score >= beta || upper && score <= alpha
}

// usefulness tells which entries to replace first: old before young, shallow before deep.
func (e *ttEntry) usefulness(age uint8) int {
	if e.age() != age || e.data == 0 {
		return e.depth() - 512
	}
	return e.depth()
}

// bucketSize entries share one cache line of 64 bytes.
const bucketSize = 4

// table is a transposition table of constant size. Threads that search together have one each, with
// the same buckets; see shared.go.
type table struct {
	buckets [][bucketSize]ttEntry
	mask    uint64
	age     uint8
	used    bool    // there may be something in it
	shared  bool    // other threads use the buckets at the same time
	found   ttEntry // what probe returns when shared
}

// newTable returns a table of at least one bucket whose number of entries is the greatest power of
// two not above entries.
func newTable(entries int) *table {
	buckets := 1
	for buckets*2*bucketSize <= entries {
		buckets *= 2
	}
	return &table{buckets: make([][bucketSize]ttEntry, buckets), mask: uint64(buckets - 1)}
}

// clear empties the table. A new one is left alone, so that its memory is not touched before it is used.
func (t *table) clear() {
	if t.used {
		clear(t.buckets)
	}
	t.age, t.used = 0, false
}

// nextAge makes the entries of earlier searches the first to be replaced.
func (t *table) nextAge() {
	t.age++
	t.used = true
}

// probe returns the entry of the position, or nil. It is good until the next probe.
func (t *table) probe(key uint64) *ttEntry {
	if t.shared {
		return t.probeShared(key)
	}
	bucket := &t.buckets[key>>32&t.mask]
	for i := range bucket {
		if bucket[i].key == key && bucket[i].data != 0 {
			return &bucket[i]
		}
	}
	return nil
}

// store keeps the result in place of the position's own entry, or of the bucket's least useful one.
func (t *table) store(key uint64, score int32, move board.Cell, depth int, b bound) {
	if t.shared {
		t.storeShared(key, score, move, depth, b)
		return
	}
	bucket := &t.buckets[key>>32&t.mask]
	victim, worst := &bucket[0], 1<<30
	for i := range bucket {
		e := &bucket[i]
		if e.key == key {
			victim = e
			if move == board.NoCell {
				move = e.move()
			}
			break
		}
		if usefulness := e.usefulness(t.age); usefulness < worst {
			victim, worst = e, usefulness
		}
	}
	victim.key, victim.data = key, pack(score, move, depth, b, t.age)
}
