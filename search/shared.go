package search

import (
	"sync/atomic"

	"quintune/board"
)

// Threads that search together read and write the buckets without locks. An entry's two words may come
// from two writers, so the key is stored as key XOR data: such an entry matches no position, but
// by a chance of 2^-64 (Hyatt and Mann, "A lockless transposition-table implementation for
// parallel search", ICGA Journal 25(1), 2002). A position may come to stand twice in its bucket.

// view returns a table for another thread with the same buckets. Both must be marked shared.
func (t *table) view() *table {
	return &table{buckets: t.buckets, mask: t.mask, age: t.age, shared: true}
}

// load returns the entry with its true key.
func (e *ttEntry) load() ttEntry {
	data := atomic.LoadUint64(&e.data)
	return ttEntry{atomic.LoadUint64(&e.key) ^ data, data}
}

// save writes an entry that load can read.
func (e *ttEntry) save(key, data uint64) {
	atomic.StoreUint64(&e.data, data)
	atomic.StoreUint64(&e.key, key^data)
}

// probeShared is probe while other threads write. The entry is the table's own copy.
func (t *table) probeShared(key uint64) *ttEntry {
	bucket := &t.buckets[key>>32&t.mask]
	for i := range bucket {
		if t.found = bucket[i].load(); t.found.key == key && t.found.data != 0 {
			return &t.found
		}
	}
	return nil
}

// storeShared is store while other threads read and write.
func (t *table) storeShared(key uint64, score int32, move board.Cell, depth int, b bound) {
	bucket := &t.buckets[key>>32&t.mask]
	victim, worst := &bucket[0], 1<<30
	for i := range bucket {
		e := bucket[i].load()
		if e.key == key {
			victim = &bucket[i]
			if move == board.NoCell {
				move = e.move()
			}
			break
		}
		if usefulness := e.usefulness(t.age); usefulness < worst {
			victim, worst = &bucket[i], usefulness
		}
	}
	victim.save(key, pack(score, move, depth, b, t.age))
}
