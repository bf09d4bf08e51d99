package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/weights/weightstest"
)

// A thread reads from the shared TT only what some thread stored, however their accesses interleave.
func TestSharedTable(t *testing.T) {
	table := newTable(64)
	table.shared = true
	other := table.view()
	table.store(12345, -777, board.At(3, 4), -5, boundUpper)
	e, found := other.probe(12345)
	if !found || e.score() != -777 || e.move() != board.At(3, 4) || e.depth() != -5 || e.bound() != boundUpper {
		t.Fatalf("read back %+v", e)
	}
	other.store(12345, 9, board.NoCell, 3, boundLower)
	if e, _ = table.probe(12345); e.move() != board.At(3, 4) || e.depth() != 3 {
		t.Errorf("a result without a move forgets the move: %v at depth %d", e.move(), e.depth())
	}
	for _, key := range []uint64{54321, 0} {
		if _, found := table.probe(key); found {
			t.Errorf("found key %d, which was never stored", key)
		}
	}
	table.buckets[0][0], table.buckets[0][1] = ttEntry{}, ttEntry{}
	table.save(&table.buckets[0][0], 1, pack(1, board.At(1, 1), 1, boundExact, 0))
	table.buckets[0][0].data = pack(2, board.At(2, 2), 2, boundExact, 0) // the words of two writers
	if _, found := table.probe(1); found {
		t.Error("found an entry of two halves")
	}
}

// The buckets of all threads are cleared once, by their owner.
func TestOwnerClearsSharedTable(t *testing.T) {
	owner := newTable(64)
	view := owner.view()
	owner.nextAge()
	view.nextAge()
	owner.store(1, 5, board.At(3, 4), 1, boundExact)
	view.clear()
	if _, found := owner.probe(1); !found || view.age != 0 {
		t.Errorf("a view that is cleared: found is %v, its age is %d", found, view.age)
	}
	owner.clear()
	if _, found := view.probe(1); found {
		t.Error("the owner's entry is still there")
	}
}

func TestSharedTableOfManyThreads(t *testing.T) {
	table := newTable(64)
	table.shared = true
	var group sync.WaitGroup
	for thread := range 4 {
		group.Go(func() {
			view, rng := table.view(), rand.New(rand.NewPCG(1, uint64(thread)))
			for range 20000 {
				// The key's middle bits choose the bucket: few buckets, many meetings.
				key := 1 + rng.Uint64N(64)<<32
				if e, found := view.probe(key); found && int32(key>>32) != e.score() {
					t.Errorf("key %d has the score %d", key>>32, e.score())
				}
				view.store(key, int32(key>>32), board.At(1, 1), rng.IntN(20), boundExact)
			}
		})
	}
	group.Wait()
}

// NewGame clears the TT of what any thread stored.
func TestNewGameEmptiesTheSharedTable(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	e := newTeam(t, b, 3)
	e.Search(context.Background(), b, Limits{Nodes: 3000}, nil)
	e.join()
	empty := func(entries [bucketSize]ttEntry) bool { return entries == [bucketSize]ttEntry{} }
	if !slices.ContainsFunc(e.tt.buckets, func(x [bucketSize]ttEntry) bool { return !empty(x) }) {
		t.Fatal("a search leaves nothing in the table")
	}
	e.NewGame()
	for i := range e.tt.buckets {
		if !empty(e.tt.buckets[i]) {
			t.Fatalf("bucket %d is not empty", i)
		}
	}
}

// All threads search, with one TT.
func TestThreadsSearchTogether(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	e := newTeam(t, b, 2)
	r := e.Search(context.Background(), b, Limits{Nodes: 40000}, nil)
	if r.Nodes > 40000 || r.Nodes < 20000 || b.Legal(r.Best) != nil || r.Depth < 3 {
		t.Errorf("%+v, want a legal move from depth 3 on after 20000 to 40000 nodes", r)
	}
	e.join()
	for i, h := range append([]*Engine{e}, e.helpers...) {
		if h.nodes < 1000 || &h.tt.buckets[0] != &e.tt.buckets[0] {
			t.Errorf("thread %d: %d nodes, want 1000 or more, and the buckets of the first thread", i, h.nodes)
		}
	}
	if r := e.Search(context.Background(), b, Limits{Depth: 5}, nil); r.Depth != 5 {
		t.Errorf("depth %d of 5", r.Depth)
	}
}

// Helpers end soon after the first thread, whatever ends it, and the position is the caller's again.
func TestThreadsEnd(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	e := newTeam(t, b, 3)
	for _, limits := range []Limits{{Nodes: 1}, {Depth: 1}, {Time: 20 * time.Millisecond}} {
		start := time.Now()
		if r := e.Search(context.Background(), b, limits, nil); b.Legal(r.Best) != nil || time.Since(start) > time.Minute {
			t.Errorf("%+v: %v after %v", limits, r.Best, time.Since(start))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := e.Search(ctx, b, Limits{}, nil)
	if b.Legal(r.Best) != nil {
		t.Fatalf("cancelled: %v", r.Best)
	}
	b.Play(r.Best)
	if e.join(); e.helpers[0].board.Ply() != b.Ply()-1 {
		t.Errorf("a helper ends after %d plies", e.helpers[0].board.Ply())
	}
}

func TestThreadsSolvePuzzles(t *testing.T) {
	right, total := 0, 0
	for i, p := range readPuzzles(t) {
		if i%8 != 0 || p.Kind == "vct" || p.Kind == "defend" {
			continue
		}
		b := p.position(t)
		total++
		if p.solved(newTeam(t, b, 2).Search(context.Background(), b, Limits{Nodes: 20000}, nil)) {
			right++
		}
	}
	if total == 0 || right*10 < total*9 {
		t.Errorf("%d of %d solved", right, total)
	}
}

func TestThreadsTakeOtherWeights(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	e := newTeam(t, b, 2)
	set := weightstest.Preset(t, "zhang")
	e.SetWeights(set)
	h := e.helpers[0]
	e.loadPosition(b)
	h.loadPosition(b)
	if e.state.Score() != h.state.Score() || e.params != h.params {
		t.Errorf("the helper has the score %d, want %d; equal params are %t, want true", h.state.Score(), e.state.Score(), e.params == h.params)
	}
}

// BenchmarkThreads tells the nodes a second of all threads together.
func BenchmarkThreads(b *testing.B) {
	position := boardtest.SetUp(b, 15, pattern.Freestyle, quietPosition)
	for _, threads := range []int{1, 2} {
		b.Run(string(rune('0'+threads)), func(b *testing.B) {
			e := newTeam(b, position, threads)
			var nodes int64
			for b.Loop() {
				e.NewGame()
				nodes += e.Search(context.Background(), position, Limits{Nodes: 200000}, nil).Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
