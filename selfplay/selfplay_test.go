package selfplay

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/weights/weightstest"
)

// smallBatch returns a few pairs between three sets of weights.
func smallBatch(t testing.TB, rule pattern.Rule) *Batch {
	batch := &Batch{
		Contestants: []Contestant{{Weights: weightstest.Preset(t, "huang")}, {Weights: weightstest.Preset(t, "flat")}, {Weights: weightstest.Preset(t, "zhang")}},
		Rule:        rule, Size: 15, Nodes: 100,
	}
	for i, moves := range []string{"h8i9g10", "h8h9j8", "e5f7d10f4", "l12k10"} {
		batch.Pairings = append(batch.Pairings, Pairing{A: i % 3, B: (i + 1) % 3, Opening: boardtest.Moves(t, moves), Seed: uint64(i)})
	}
	return batch
}

func TestResultsDoNotDependOnWorkers(t *testing.T) {
	for rule := range pattern.Rule(pattern.NumRules) {
		var want []Result
		for _, workers := range []int{1, 2, 8} {
			pool := NewPool(workers)
			for round := range 2 { // in the second round the pool uses the same workers again
				reported := map[int]bool{}
				got, err := pool.Run(context.Background(), smallBatch(t, rule), func(i int, _ *Result) { reported[i] = true })
				if err != nil {
					t.Fatal(err)
				}
				for i := range got {
					if got[i].Worker == "" {
						t.Errorf("nobody played pair %d", i)
					}
					got[i].Worker = "" // nothing else may differ
				}
				if want == nil {
					want = got
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%v: %d workers, round %d: results differ", rule, workers, round)
				}
				if len(reported) != len(got) {
					t.Errorf("%d of %d pairs were reported", len(reported), len(got))
				}
			}
		}
	}
}

// Batches that run together, of different rules, come to what they come to alone.
func TestBatchesRunTogether(t *testing.T) {
	rules := []pattern.Rule{pattern.Freestyle, pattern.Standard, pattern.Freestyle}
	run := func(pool *Pool, rule pattern.Rule) []Result {
		pairs := map[int]bool{} // without a lock: one goroutine at a time
		results, err := pool.Run(context.Background(), smallBatch(t, rule), func(i int, _ *Result) { pairs[i] = true })
		if err != nil || len(pairs) != len(results) {
			t.Errorf("%v: %d of %d pairs were reported, error %v", rule, len(pairs), len(results), err)
		}
		for i := range results {
			results[i].Worker = ""
		}
		return results
	}
	shared, got := NewPool(2), make([][]Result, len(rules))
	var together sync.WaitGroup
	for i, rule := range rules {
		together.Go(func() { got[i] = run(shared, rule) })
	}
	together.Wait()
	for i, rule := range rules {
		if !reflect.DeepEqual(got[i], run(NewPool(1), rule)) {
			t.Errorf("batch %d: results differ from those of the batch alone", i)
		}
	}
}

func TestGamesAreLegalAndJudged(t *testing.T) {
	for _, playOut := range []bool{false, true} {
		batch := smallBatch(t, pattern.Freestyle)
		batch.PlayOut = playOut
		results, err := NewPool(2).Run(context.Background(), batch, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			for _, g := range r.Games {
				b := boardtest.New(t, batch.Size, batch.Rule)
				for _, m := range g.Moves {
					if err := b.Legal(m); err != nil {
						t.Fatalf("pair %d: %v", i, err)
					}
					b.Play(m)
				}
				if g.Fault != nil || g.Outcome == board.Ongoing || g.Nodes == 0 {
					t.Errorf("pair %d: %v after %d nodes, fault %v", i, g.Outcome, g.Nodes, g.Fault)
				}
				if !g.Adjudicated && b.Outcome() != g.Outcome || g.Adjudicated == (b.Outcome() != board.Ongoing) {
					t.Errorf("pair %d: %v, adjudicated %v, but the board says %v", i, g.Outcome, g.Adjudicated, b.Outcome())
				}
			}
		}
	}
}

// A proven win is won when the same players play it out.
func TestAdjudicatedGamesEndAsClaimed(t *testing.T) {
	short, long := smallBatch(t, pattern.Freestyle), smallBatch(t, pattern.Freestyle)
	long.PlayOut = true
	a, err := NewPool(1).Run(context.Background(), short, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewPool(1).Run(context.Background(), long, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a {
		if a[i].Points() != b[i].Points() {
			t.Errorf("pair %d: %d points adjudicated, %d played out", i, a[i].Points(), b[i].Points())
		}
	}
}

func TestEqualPlayersSplitEveryPair(t *testing.T) {
	batch := smallBatch(t, pattern.Freestyle)
	for i := range batch.Pairings {
		batch.Pairings[i].A, batch.Pairings[i].B = 0, 0
	}
	results, err := NewPool(2).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if r.Points() != 2 {
			t.Errorf("pair %d: %d points, want 2", i, r.Points())
		}
	}
}

func TestColoursMirror(t *testing.T) {
	batch := smallBatch(t, pattern.Freestyle)
	results, err := NewPool(2).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range batch.Pairings {
		batch.Pairings[i].A, batch.Pairings[i].B = batch.Pairings[i].B, batch.Pairings[i].A
	}
	mirrored, err := NewPool(2).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range results {
		if results[i].Points()+mirrored[i].Points() != 4 {
			t.Errorf("pair %d: %d points, mirrored %d", i, results[i].Points(), mirrored[i].Points())
		}
	}
}

// failing is a player that fails at every move: by its error, or by an occupied cell where it has none.
type failing struct{ err error }

func (f failing) NewGame(uint64) error { return nil }

func (f failing) Move(_ context.Context, position *board.Board) (Reply, error) {
	return Reply{Move: position.LastMove()}, f.err
}

func TestFaultsVoidThePair(t *testing.T) {
	broken := errors.New("no answer")
	for _, test := range []struct {
		err  error
		want error
	}{{nil, board.ErrOccupied}, {broken, broken}} {
		batch := smallBatch(t, pattern.Freestyle)
		batch.Contestants[1] = Contestant{Open: func(int, pattern.Rule, int64) (Player, error) { return failing{test.err}, nil }}
		results, err := NewPool(2).Run(context.Background(), batch, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			involved := batch.Pairings[i].A == 1 || batch.Pairings[i].B == 1
			if r.Void() != involved {
				t.Errorf("pair %d: void %v, want %v", i, r.Void(), involved)
			}
			for _, g := range r.Games {
				if g.Fault != nil && !errors.Is(g.Fault, test.want) {
					t.Errorf("pair %d: fault %v, want %v", i, g.Fault, test.want)
				}
			}
		}
	}
}

// claiming is a player that takes the first empty cell and claims to lose.
type claiming struct{ failing }

func (claiming) Move(_ context.Context, position *board.Board) (Reply, error) {
	return Reply{Move: position.AllEmpty(nil)[0], Claim: -2}, nil
}

// What the board says of the last move counts, whatever is claimed with it.
func TestTheBoardOverrulesAClaim(t *testing.T) {
	b := boardtest.New(t, 15, pattern.Freestyle)
	opening := boardtest.Moves(t, "b1a5c1b5d1c5e1d6") // a1 makes five
	g, err := play(t.Context(), b, [2]Player{claiming{}, claiming{}}, &Pairing{Opening: opening}, false)
	if err != nil || g.Outcome != board.BlackWins || g.Adjudicated {
		t.Errorf("%v, adjudicated %v, %v", g.Outcome, g.Adjudicated, err)
	}
}

// flaky is a player that fails in its first game and then plays like our engine.
type flaky struct {
	*Engine
	games int
}

func (f *flaky) NewGame(seed uint64) error {
	if f.games++; f.games == 1 {
		return errors.New("no start")
	}
	return f.Engine.NewGame(seed)
}

func TestVoidPairIsPlayedOnceMore(t *testing.T) {
	batch := smallBatch(t, pattern.Freestyle)
	batch.Pairings = batch.Pairings[:1]
	want, err := NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	set := batch.Contestants[1].Weights
	batch.Contestants[1] = Contestant{Open: func(size int, rule pattern.Rule, nodes int64) (Player, error) {
		e, err := NewEngine(set, size, rule, nodes, 0)
		return &flaky{Engine: e}, err
	}}
	got, err := NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Void() || !reflect.DeepEqual(got[0].Games, want[0].Games) {
		t.Errorf("the second attempt is %+v, want %+v", got[0].Games, want[0].Games)
	}
	if d := got[0].Discarded; len(d) != 2 || d[0].Fault == nil || d[1].Fault != nil || want[0].Discarded != nil {
		t.Errorf("discarded %+v", d)
	}
}

// turns is a liable player. It counts the number of players of its kind that are open.
type turns struct {
	failing
	open *atomic.Int64
}

func (p turns) Close() error {
	p.open.Add(-1)
	return nil
}

func TestFailuresOfLiablePlayersLose(t *testing.T) {
	batch := smallBatch(t, pattern.Freestyle)
	var open atomic.Int64
	contestant := Contestant{Liable: true, Open: func(int, pattern.Rule, int64) (Player, error) {
		if now := open.Add(1); now > 2 {
			t.Errorf("%d players are open for one worker", now)
		}
		return turns{failing{errors.New("no answer")}, &open}, nil
	}}
	own := len(batch.Contestants)
	batch.Contestants = append(batch.Contestants, contestant, contestant, contestant)
	batch.Pairings = []Pairing{{A: own, B: 0}, {A: own + 1, B: 0}, {A: 0, B: own + 2}, {A: own, B: own + 1}}
	for i := range batch.Pairings {
		batch.Pairings[i].Opening = []board.Cell{board.At(7, 7), board.At(8, 8), board.At(3, 3)}
	}
	results, err := NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 0, 4, 2} { // the side that moves first fails first and loses, and each side moves first once
		r := &results[i]
		if r.Void() || r.Points() != want || len(r.Discarded) != 2 {
			t.Errorf("pair %d: void %v, %d points of 4, want %d; %d games discarded", i, r.Void(), r.Points(), want, len(r.Discarded))
		}
		if kind := FaultKind(r.Games[0].Fault); kind != "lost by illegal" || FaultCause(kind) != FaultIllegal {
			t.Errorf("pair %d: a fault of kind %q", i, kind)
		}
	}
	if open.Load() != 0 {
		t.Errorf("%d players are left open", open.Load())
	}
}

// Liable is for players of another kind: it changes nothing for weights.
func TestWeightsAreNotLiable(t *testing.T) {
	batch := smallBatch(t, pattern.Freestyle)
	want, err := NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range batch.Contestants {
		batch.Contestants[i].Liable = true
	}
	got, err := NewPool(1).Run(context.Background(), batch, nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("liable weights give %+v, error %v; want %+v", got, err, want)
	}
}

// closing is a player that must not be asked once it is closed.
type closing struct {
	Player
	closed bool
}

func (c *closing) Move(ctx context.Context, position *board.Board) (Reply, error) {
	if c.closed {
		panic("a closed player plays")
	}
	return c.Player.Move(ctx, position)
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

// A pool plays each batch with players of that batch, and with its node limit.
func TestPlayersAreOfTheirBatch(t *testing.T) {
	pool := NewPool(1)
	for _, nodes := range []int64{100, 300} {
		batch := smallBatch(t, pattern.Freestyle)
		set := batch.Contestants[0].Weights
		opened := 0
		open := func(size int, rule pattern.Rule, limit int64) (Player, error) {
			opened++
			e, err := NewEngine(set, size, rule, limit, 0)
			return &closing{Player: e}, err
		}
		batch.Nodes = nodes
		batch.Contestants = []Contestant{{Weights: set}, {Open: open}, {Open: open, Liable: true}}
		batch.Pairings = []Pairing{{A: 1, B: 2, Opening: batch.Pairings[0].Opening}, {A: 0, B: 1, Opening: batch.Pairings[0].Opening}}
		results, err := pool.Run(context.Background(), batch, nil)
		if err != nil {
			t.Fatal(err)
		}
		if opened != 3 { // one that is not liable for each side
			t.Errorf("%d nodes: %d players were opened, want 3", nodes, opened)
		}
		games := results[1].Games
		if mirrored := results[0].Games; !slices.Equal(games[0].Moves, mirrored[0].Moves) {
			t.Errorf("%d nodes: equal engines play %v and %v", nodes, games[0].Moves, mirrored[0].Moves)
		}
	}
}

// A game is drawn once neither colour can make five any more, and not while one can: random games on the smallest board, by its twelve lines.
func TestHopeless(t *testing.T) {
	const size = 5
	var lines [][]board.Cell
	var down, up []board.Cell
	for i := range size {
		var row, column []board.Cell
		for k := range size {
			row, column = append(row, board.At(k, i)), append(column, board.At(i, k))
		}
		lines = append(lines, row, column)
		down, up = append(down, board.At(i, i)), append(up, board.At(i, size-1-i))
	}
	lines = append(lines, down, up)
	alive := func(b *board.Board, stones map[board.Cell]board.Colour, colour board.Colour) bool {
		return slices.ContainsFunc(lines, func(line []board.Cell) bool {
			empty := false
			for _, c := range line {
				empty = empty || b.Empty(c)
				if !b.Empty(c) && stones[c] != colour {
					return false
				}
			}
			return empty
		})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[[2]bool]int{} // positions by which colours can make five
	for range 200 {
		b := boardtest.New(t, size, pattern.Freestyle)
		stones := map[board.Cell]board.Colour{}
		for b.Outcome() == board.Ongoing {
			can := [2]bool{alive(b, stones, board.Black), alive(b, stones, board.White)}
			if seen[can]++; Hopeless(b) != (can == [2]bool{}) {
				t.Fatalf("%v: hopeless is %v, the colours that can make five are %v", b.Moves(), Hopeless(b), can)
			}
			empty := b.AllEmpty(nil)
			c := empty[rng.IntN(len(empty))]
			stones[c] = b.SideToMove()
			b.Play(c)
		}
	}
	if len(seen) != 4 {
		t.Errorf("only these kinds of positions were met: %v", seen)
	}
}

func TestBadBatchesAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*Batch)
		want  string
	}{
		"no such contestant": {func(b *Batch) { b.Pairings[0].B = 9 }, "names contestant 9 of 3"},
		"negative index":     {func(b *Batch) { b.Pairings[0].A = -1 }, "names contestant -1 of 3"},
		"no player":          {func(b *Batch) { b.Contestants[0] = Contestant{} }, "contestant 0 needs either weights or a way to open a player"},
		"no nodes":           {func(b *Batch) { b.Nodes = 0 }, "the node limit is 0"},
		"bad size":           {func(b *Batch) { b.Size = 3 }, "board size is 3, outside [5, 22]"},
		"illegal opening":    {func(b *Batch) { b.Pairings[2].Opening = boardtest.Moves(t, "h8h8") }, "opening h8h8: h8: the cell is occupied"},
		"nothing to search": {func(b *Batch) {
			b.Search, b.Pairings[2].Opening = true, boardtest.Moves(t, "a1a2b1b2c1c2d1d2e1")
		}, "opening a1a2b1b2c1c2d1d2e1: the game is over (black wins)"},
	} {
		t.Run(name, func(t *testing.T) {
			batch := smallBatch(t, pattern.Freestyle)
			test.spoil(batch)
			if _, err := NewPool(2).Run(context.Background(), batch, nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestCancelledRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	batch := smallBatch(t, pattern.Freestyle)
	batch.Nodes = 1 << 40
	if _, err := NewPool(2).Run(ctx, batch, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// A cancelled batch ends even while other batches keep all workers.
func TestCancelledRunDoesNotWaitForAWorker(t *testing.T) {
	pool := NewPool(1)
	<-pool.idle
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := pool.Run(ctx, smallBatch(t, pattern.Freestyle), nil)
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	case <-time.After(10 * time.Second):
		t.Error("the batch waits for a worker")
	}
}

func BenchmarkGame(b *testing.B) {
	batch := smallBatch(b, pattern.Freestyle)
	batch.Nodes = 1000
	batch.Contestants = batch.Contestants[:1]
	batch.Pairings = batch.Pairings[:1]
	batch.Pairings[0].A, batch.Pairings[0].B = 0, 0
	pool := NewPool(1)
	var nodes int64
	for b.Loop() {
		results, err := pool.Run(context.Background(), batch, nil)
		if err != nil {
			b.Fatal(err)
		}
		nodes += results[0].Games[0].Nodes + results[0].Games[1].Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
