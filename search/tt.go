package search

import (
	"sync/atomic"

	"quintune/board"
)

// bound is the relation of a stored score to the true one.
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
	key  uint64 // in a table: the hash XOR data; see table.save
	data uint64
}

// depthOffset makes stored depths positive. It must exceed the bound of the weight search.quiescence, 40: no search goes as many plies
// below depth 0.
const depthOffset = 64

func pack(score int32, move board.Cell, depth int, b bound, age uint8) uint64 {
	d := uint64(max(0, min(255, depth+depthOffset)))
	return uint64(uint32(score)) | uint64(move%numCells)<<32 | d<<42 | uint64(b)<<50 | uint64(age)<<52
}

func (e ttEntry) score() int32     { return int32(uint32(e.data)) }
func (e ttEntry) move() board.Cell { return board.Cell(e.data >> 32 % uint64(numCells)) }
func (e ttEntry) depth() int       { return int(e.data>>42&255) - depthOffset }
func (e ttEntry) bound() bound     { return bound(e.data >> 50 & 3) }
func (e ttEntry) age() uint8       { return uint8(e.data >> 52) }

// decides reports whether the entry makes a search to the depth in the null window needless. score is
// the entry's as seen from the probing node. A proven win or loss decides at any depth, but only as
// the bound that was proved: a win may be shorter, a loss longer than was found.
func (e ttEntry) decides(score, alpha, beta int32, depth int) bool {
	lower, upper := e.bound()&boundLower != 0, e.bound()&boundUpper != 0
	if e.depth() < depth {
		plies := PliesToWin(score)
		lower, upper = lower && plies > 0, upper && plies < 0
	}
	return lower && score >= beta || upper && score <= alpha
}

// replaceRank ranks the entries of a bucket for replacement: old before young, shallow before deep.
func (e ttEntry) replaceRank(age uint8) int {
	if e.age() != age || e.data == 0 {
		return e.depth() - 512 // below every depth of this search: stored ones span 256
	}
	return e.depth()
}

// bucketSize entries share one cache line of 64 bytes.
const bucketSize = 4

// table is a transposition table of constant size. Threads that search together have one each, with
// the same buckets, which they read and write without locks; see save.
type table struct {
	buckets [][bucketSize]ttEntry
	mask    uint64
	age     uint8
	used    bool // an entry may have been stored
	shared  bool // other threads use the buckets at the same time
	isView  bool // the buckets are those of another table, which clears them
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

// view returns a table for another thread with the same buckets. Both must be marked shared.
func (t *table) view() *table {
	return &table{buckets: t.buckets, mask: t.mask, age: t.age, shared: true, isView: true}
}

// clear empties the table. The memory of an unused table is not touched, and that of a view is left to its owner.
func (t *table) clear() {
	if t.used && !t.isView {
		clear(t.buckets)
	}
	t.age, t.used = 0, false
}

// nextAge makes the entries of earlier searches the first to be replaced.
func (t *table) nextAge() {
	t.age++
	t.used = true
}

// probe returns the entry of the position.
func (t *table) probe(hash uint64) (entry ttEntry, found bool) {
	bucket := &t.buckets[hash>>32&t.mask]
	for i := range bucket {
		if entry = load(&bucket[i]); entry.key == hash && entry.data != 0 {
			return entry, true
		}
	}
	return ttEntry{}, false
}

// store writes the result over the position's own entry, or over the bucket's least useful one. A
// result without a move keeps the move of the position's own entry.
func (t *table) store(hash uint64, score int32, move board.Cell, depth int, b bound) {
	bucket := &t.buckets[hash>>32&t.mask]
	victim, worst := &bucket[0], 1<<30
	for i := range bucket {
		e := load(&bucket[i])
		if e.key == hash {
			victim = &bucket[i]
			if move == board.NoCell {
				move = e.move()
			}
			break
		}
		if rank := e.replaceRank(t.age); rank < worst {
			victim, worst = &bucket[i], rank
		}
	}
	t.save(victim, hash, pack(score, move, depth, b, t.age))
}

// load returns the entry in a slot, with the position's hash as key.
func load(slot *ttEntry) ttEntry {
	data := atomic.LoadUint64(&slot.data)
	return ttEntry{atomic.LoadUint64(&slot.key) ^ data, data}
}

// save writes an entry for load. The two words of a slot may come from two writers. So the key is
// stored as hash XOR data: a mixed entry matches no position, but by a chance of 2^-64 (Hyatt and Mann,
// "A lockless transposition-table implementation for parallel search", ICGA Journal 25(1), 2002). A
// position may come to stand twice in its bucket.
func (t *table) save(slot *ttEntry, hash, data uint64) {
	if !t.shared { // an atomic store costs some twenty cycles
		slot.key, slot.data = hash^data, data
		return
	}
	atomic.StoreUint64(&slot.data, data)
	atomic.StoreUint64(&slot.key, hash^data)
}

// toTable makes a claim relative to the node at the given ply, as the TT stores it.
func toTable(score int32, ply int) int32 {
	switch {
	case score >= provenWin:
		return score + int32(ply)
	case score <= -provenWin:
		return score - int32(ply)
	}
	return score
}

// fromTable undoes toTable at another ply.
func fromTable(score int32, ply int) int32 {
	switch {
	case score >= provenWin:
		return score - int32(ply)
	case score <= -provenWin:
		return score + int32(ply)
	}
	return score
}
