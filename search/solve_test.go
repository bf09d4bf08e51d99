package search

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// The solvers find every victory by fours of the puzzles, at its least length, and nearly all by threats.
func TestSolversOnPuzzles(t *testing.T) {
	const nodes = 20000
	total, solved := 0, 0
	for _, p := range readPuzzles(t) {
		b := p.position(t)
		e := newEngine(t, b)
		switch fours := e.SolveVCF(context.Background(), b, nodes); p.Kind {
		case "vcf", "double_threat", "win1":
			if want := 2*p.Length - 1; !fours.Win || fours.Plies != want {
				t.Errorf("%s: %+v, want a win in %d plies", p.ID, fours, want)
				continue
			}
			checkFours(t, b, fours)
		case "vct":
			if fours.Win || !fours.Exhausted {
				t.Errorf("%s: there is no victory by fours, but %+v", p.ID, fours)
			}
			total++
			if s := e.SolveVCT(context.Background(), b, nodes); s.Win {
				solved++
				checkLine(t, b, s)
			} else {
				t.Logf("%s: nothing in %d nodes", p.ID, s.Nodes)
			}
		}
	}
	t.Logf("%d of %d victories by threats", solved, total)
	if float64(solved) < .95*float64(total) {
		t.Errorf("%d of %d victories by threats solved", solved, total)
	}
}

// Equal limits give equal solutions, whatever the engine did before; a limit of nodes and a context end the solvers.
func TestSolversRepeat(t *testing.T) {
	list := readPuzzles(t)
	hard := list[slices.IndexFunc(list, func(p puzzle) bool { return p.ID == "vct-f15-999b2fefb5" })] // 50 000 nodes are too few
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "f8f7f5e8g6e6h7e4i8j9g8e5e7g9i6e2e3f9")
	used := newEngine(t, b)
	used.Search(context.Background(), b, Limits{Nodes: 3000}, nil)
	for _, nodes := range []int64{1, 50, 150, 20000} {
		want := newEngine(t, b).SolveVCT(context.Background(), b, nodes)
		if got := used.SolveVCT(context.Background(), b, nodes); !reflect.DeepEqual(got, want) {
			t.Errorf("%d nodes: a used engine finds %+v, a fresh one %+v", nodes, got, want)
		}
		if want.Nodes > nodes+2*maxFours+2 || want.Win != (nodes >= 20000) {
			t.Errorf("%d nodes: %+v, want a win: %v, in %d nodes at most", nodes, want, nodes >= 20000, nodes+2*maxFours+2)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s := used.SolveVCT(ctx, hard.position(t), 0); s.Win || s.Exhausted || s.Nodes > 3*clockInterval {
		t.Errorf("a cancelled solver finds %+v, want nothing in %d nodes at most", s, 3*clockInterval)
	}
}

// A search that has reached its limit of nodes makes no more fours.
func TestNodeLimitsHold(t *testing.T) {
	const (
		searched = "h8j9i9h6f10m6j6i11n4i12k1m9k3n5f11g13k5h11h9j2j11m5j4i15m12g7m4k11m14"
		solved   = "h8j7f8d9b8c11j10e11i5j12e10e6c8f12g4f6c6d14"
	)
	for _, test := range []struct {
		name, position string
		limit          int64
		nodes          func(*Engine, *board.Board, int64) int64
	}{
		{"search", searched, 8, func(e *Engine, b *board.Board, limit int64) int64 {
			return e.Search(context.Background(), b, Limits{Nodes: limit}, nil).Nodes
		}},
		{"solver", solved, 1, func(e *Engine, b *board.Board, limit int64) int64 {
			return e.SolveVCF(context.Background(), b, limit).Nodes
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.SetUp(t, 15, pattern.Freestyle, test.position)
			if got := test.nodes(newEngine(t, b), b, test.limit); got != test.limit {
				t.Errorf("%s: %d nodes, want %d", test.position, got, test.limit)
			}
		})
	}
}
