package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

func TestKnownWins(t *testing.T) {
	for _, test := range []struct {
		name, moves, best string
		win               int
	}{
		{"first stone", "", "h8", 0},
		{"own five", "h8a1i8a2j8a3k8o15", "", 1},
		{"own five before theirs", "h8h10i8i10j8j10k8k10", "", 1},
		{"two fives of the other side lose", "a1h8o1i8a15j8o15k8", "", -2},
		{"open four to be made", "h8a1i8a2j8o15", "", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.SetUp(t, 15, pattern.Freestyle, test.moves)
			r := newEngine(t, b).Search(context.Background(), b, Limits{Depth: 4}, nil)
			if b.Legal(r.Best) != nil || test.best != "" && r.Best.String() != test.best || PliesToWin(r.Score) != test.win {
				t.Errorf("%v with a win in %d, want %s in %d", r.Best, PliesToWin(r.Score), test.best, test.win)
			}
		})
	}
}

func TestEqualSearchesGiveEqualResults(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	fresh := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: 5000}, nil)
	used := newEngine(t, b)
	other := boardtest.SetUp(t, 15, pattern.Freestyle, "h8h9j8g7")
	used.Search(context.Background(), other, Limits{Nodes: 5000}, nil)
	used.NewGame()
	if again := used.Search(context.Background(), b, Limits{Nodes: 5000}, nil); !reflect.DeepEqual(again, fresh) {
		t.Errorf("a used engine finds %+v, a fresh one %+v", again, fresh)
	}
}

// SearchBalance returns the mean of the scores of the last two iterations, of a single one its score, and a win as it is.
func TestSearchBalance(t *testing.T) {
	for _, test := range []struct {
		name, moves string
		depth       int
		mean        bool
	}{
		{"even depth", quietPosition, 4, true},
		{"odd depth", quietPosition, 5, true},
		{"one iteration", quietPosition, 1, false},
		{"win", "h8a1i8a2j8o15", 4, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.SetUp(t, 15, pattern.Freestyle, test.moves)
			var scores []int32
			want := newEngine(t, b).Search(context.Background(), b, Limits{Depth: test.depth}, func(r Result) { scores = append(scores, r.Score) })
			if n := len(scores); test.mean {
				want.Score = (scores[n-1] + scores[n-2]) / 2
			}
			if got := newEngine(t, b).SearchBalance(context.Background(), b, Limits{Depth: test.depth}); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v; scores of the iterations %v", got, want, scores)
			}
		})
	}
}

// NewGame leaves nothing behind: a used engine searches every position as a new one does.
func TestUsedEngineIsAsANewOne(t *testing.T) {
	used := map[string]*Engine{}
	for _, p := range readPuzzles(t) {
		b := p.position(t)
		kind := fmt.Sprint(p.Rule, p.Size)
		if used[kind] == nil {
			used[kind] = newEngine(t, b)
		}
		used[kind].NewGame()
		limits := Limits{Nodes: 20000}
		got := used[kind].Search(context.Background(), b, limits, nil)
		want := newEngine(t, b).Search(context.Background(), b, limits, nil)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, by a new engine %+v", p.ID, got, want)
		}
	}
}

// An engine moved to another board plays there as a new one would.
func TestSetBoard(t *testing.T) {
	small := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	large := boardtest.SetUp(t, 20, pattern.Standard, quietPosition)
	want := newEngine(t, large).Search(context.Background(), large, Limits{Nodes: 3000}, nil)
	for _, threads := range []int{1, 2} {
		e := newTeam(t, small, threads)
		e.Search(context.Background(), small, Limits{Nodes: 3000}, nil)
		if err := e.SetBoard(20, pattern.Standard); err != nil {
			t.Fatal(err)
		}
		got := e.Search(context.Background(), large, Limits{Nodes: 3000}, nil)
		if threads == 1 && !reflect.DeepEqual(got, want) || large.Legal(got.Best) != nil {
			t.Errorf("%d threads: a moved engine finds %+v, a new one %+v", threads, got, want)
		}
		if err := e.SetBoard(board.MaxSize+1, pattern.Standard); err == nil || e.board.Size() != 20 {
			t.Errorf("size %d is accepted, the board is of %d", board.MaxSize+1, e.board.Size())
		}
	}
}

func TestLimitsHold(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9i8g8h7j8h9")
	e := newEngine(t, b)
	for _, nodes := range []int64{1, 10, 777, 5000} {
		e.NewGame()
		if r := e.Search(context.Background(), b, Limits{Nodes: nodes}, nil); r.Nodes > nodes || b.Legal(r.Best) != nil {
			t.Errorf("%d nodes of %d, move %v", r.Nodes, nodes, r.Best)
		}
	}
	start := time.Now()
	if r := e.Search(context.Background(), b, Limits{Time: 50 * time.Millisecond}, nil); time.Since(start) > time.Minute || b.Legal(r.Best) != nil {
		t.Errorf("50 ms took %v, move %v", time.Since(start), r.Best)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := e.Search(ctx, b, Limits{}, nil); b.Legal(r.Best) != nil {
		t.Errorf("a cancelled search has no legal move: %v", r.Best)
	}
	e.NewGame()
	if r := e.Search(context.Background(), b, Limits{Depth: 3}, nil); r.Depth != 3 {
		t.Errorf("depth is %d, want 3", r.Depth)
	}
}

// The search for a win that is shorter than one by fours keeps to the limit of depth.
func TestDepthLimitsShorterWins(t *testing.T) {
	const moves = "h6k8k7f10j6i5i7j7h8l4i6k6j8k9" // fours win in 13 plies, a search finds a win in 7
	b := boardtest.SetUp(t, 15, pattern.Freestyle, moves)
	for _, test := range []struct{ limit, depth int }{{0, 7}, {1, 1}} {
		e := newEngine(t, b)
		e.loadPosition(b)
		e.tt.store(b.Hash(), winIn(7), board.NoCell, 7, boundLower)
		r := e.Search(context.Background(), b, Limits{Depth: test.limit}, nil)
		if r.Depth != test.depth || PliesToWin(r.Score) != 7 {
			t.Errorf("%s, depth limited to %d: a win in %d at depth %d, want 7 at %d", moves, test.limit, PliesToWin(r.Score), r.Depth, test.depth)
		}
	}
}

// Boards with few empty cells, and small ones, end in a legal move or a draw.
func TestLastCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for game := range 30 {
		b := boardtest.New(t, board.MinSize+game%3, pattern.Rule(game%pattern.NumRules))
		e := newEngine(t, b)
		for b.Outcome() == board.Ongoing {
			c := board.NoCell
			if rng.IntN(3) == 0 {
				cells := slices.DeleteFunc(b.AllEmpty(nil), b.Forbidden)
				c = cells[rng.IntN(len(cells))]
			} else {
				c = e.Search(context.Background(), b, Limits{Nodes: 200}, nil).Best
			}
			if err := b.Legal(c); err != nil {
				t.Fatalf("%s: %v", board.FormatMoves(b.Moves()), err)
			}
			b.Play(c)
		}
	}
}

func TestScoresOfWins(t *testing.T) {
	for _, plies := range []int{1, 5, 200} {
		if got := PliesToWin(winIn(plies)); got != plies {
			t.Errorf("a win reads as one in %d, want %d", got, plies)
		}
		if got := PliesToWin(-winIn(plies)); got != -plies {
			t.Errorf("a loss reads as one in %d, want %d", got, -plies)
		}
		if got := fromTable(toTable(winIn(plies+7), 7), 3); got != winIn(plies+3) {
			t.Errorf("a win in %d at ply 7 is one in %d at ply 3, want %d", plies+7, PliesToWin(got), plies+3)
		}
	}
	for _, score := range []int32{unproven, -unproven, 0} {
		if got := PliesToWin(score); got != 0 {
			t.Errorf("score %d reads as a win in %d, want none", score, got)
		}
	}
}

func TestTableKeepsWhatItIsGiven(t *testing.T) {
	table := newTable(64)
	table.store(12345, -777, board.At(3, 4), -5, boundUpper)
	e, found := table.probe(12345)
	if !found || e.score() != -777 || e.move() != board.At(3, 4) || e.depth() != -5 || e.bound() != boundUpper {
		t.Fatalf("read back %+v", e)
	}
	table.store(12345, 9, board.NoCell, 3, boundLower)
	if e, _ = table.probe(12345); e.move() != board.At(3, 4) || e.depth() != 3 {
		t.Errorf("a result without a move forgets the move: %v at depth %d", e.move(), e.depth())
	}
	if _, found := table.probe(54321); found {
		t.Error("found what was never stored")
	}
}

func TestSearchAllocatesNothingPerNode(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9i8g8h7j8h9")
	e := newEngine(t, b)
	small := testing.AllocsPerRun(3, func() { e.NewGame(); e.Search(context.Background(), b, Limits{Nodes: 200}, nil) })
	large := testing.AllocsPerRun(3, func() { e.NewGame(); e.Search(context.Background(), b, Limits{Nodes: 20000}, nil) })
	if large > small+10 { // one PV an iteration
		t.Errorf("%v allocations in 20000 nodes, %v in 200", large, small)
	}
}

func BenchmarkSearch(b *testing.B) {
	position := boardtest.SetUp(b, 15, pattern.Freestyle, quietPosition)
	e := newEngine(b, position)
	var nodes int64
	for b.Loop() {
		e.NewGame()
		nodes += e.Search(context.Background(), position, Limits{Nodes: 20000}, nil).Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// BenchmarkMoves makes the unsorted list of moves of a quiet position, and of one against a threatened open four.
func BenchmarkMoves(b *testing.B) {
	for name, moves := range map[string]string{"quiet": quietPosition, "against an open three": "h8a1i8a15j8"} {
		b.Run(name, func(b *testing.B) {
			e := benchmarkEngine(b, moves)
			generate := e.generateMoves
			if name != "quiet" {
				generate = func(ttMove board.Cell, ply int) ([]scored, bool) { return e.generateDefences(ttMove, ply), false }
			}
			listed := 0
			for b.Loop() {
				found, _ := generate(board.NoCell, 1)
				listed = len(found)
				e.moves = e.moves[:0]
			}
			b.ReportMetric(float64(listed), "moves/list")
		})
	}
}

// BenchmarkVCF solves the puzzles of continuous fours, each with empty tables.
func BenchmarkVCF(b *testing.B) {
	var positions []*board.Board
	for _, p := range readPuzzles(b) {
		if p.Kind == "vcf" && p.Rule == "freestyle" && p.Size == 15 {
			positions = append(positions, p.position(b))
		}
	}
	e := newEngine(b, positions[0])
	var nodes int64
	solved := 0
	for b.Loop() {
		solved = 0
		for _, p := range positions {
			s := e.SolveVCF(context.Background(), p, 20000)
			nodes += s.Nodes
			if s.Win {
				solved++
			}
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(float64(solved), "solved")
}

// benchmarkEngine returns an engine that stands at the position as a search does.
func benchmarkEngine(b *testing.B, moves string) *Engine {
	position := boardtest.SetUp(b, 15, pattern.Freestyle, moves)
	e := newEngine(b, position)
	e.Search(context.Background(), position, Limits{Nodes: 1000}, nil)
	e.beginSolve(context.Background(), position, 1)
	return e
}
