package cluster

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"quintune/board"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// fouling is a player that plays a forbidden move as soon as there is one, else the first legal move.
type fouling struct{}

func (fouling) NewGame(uint64) error { return nil }

func (fouling) Move(_ context.Context, b *board.Board) (selfplay.Reply, error) {
	if cells := b.AllForbidden(nil); len(cells) > 0 && b.SideToMove() == board.Black {
		return selfplay.Reply{Move: cells[0]}, nil
	}
	cells := b.AllEmpty(nil)
	return selfplay.Reply{Move: cells[slices.IndexFunc(cells, func(c board.Cell) bool { return b.Legal(c) == nil })]}, nil
}

// besides returns a batch of n pairs between an engine from outside and weights, and that engine for the coordinator
// and the workers. The opening gives Black a forbidden cell under renju.
func besides(t *testing.T, engine func() selfplay.Player, rule pattern.Rule, n int) (*Outside, *selfplay.Batch) {
	t.Helper()
	open := func(int, pattern.Rule, int64) (selfplay.Player, error) { return engine(), nil }
	c := selfplay.Contestant{Name: "engine", Liable: true, Remote: EnginePrefix + "{}", Open: open}
	o := &Outside{Hash: "h", Repeats: true, Contestant: func(values string) (selfplay.Contestant, error) {
		if values == "" { // the proof of the engine needs one that can play
			return selfplay.Contestant{Open: func(int, pattern.Rule, int64) (selfplay.Player, error) { return fouling{}, nil }}, nil
		}
		return c, nil
	}}
	var opening []board.Cell
	for _, at := range [][2]int{{5, 7}, {0, 0}, {6, 7}, {14, 0}, {7, 5}, {0, 14}, {7, 6}, {14, 14}} {
		opening = append(opening, board.At(at[0], at[1]))
	}
	b := &selfplay.Batch{Contestants: []selfplay.Contestant{c, {Weights: weightstest.Preset(t, "huang")}}, Rule: rule, Size: 15, Nodes: 30}
	for i := range n {
		b.Pairings = append(b.Pairings, selfplay.Pairing{A: 0, B: 1, Opening: opening, Seed: uint64(i)})
	}
	return o, b
}

// A forbidden move of an engine from outside loses the game, as it does in one process. No other result may hold one.
func TestForbiddenMoveOnTheCluster(t *testing.T) {
	outside, batch := besides(t, func() selfplay.Player { return fouling{} }, pattern.Renju, 4)
	want := byPool(t, batch)
	c := open(t, Config{Jobs: 1, Outside: outside})
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		for k := range want[i].Games {
			g, w := &got[i].Games[k], &want[i].Games[k]
			if g.Outcome != w.Outcome || !slices.Equal(g.Moves, w.Moves) || (g.Fault == nil) != (w.Fault == nil) {
				t.Errorf("pair %d, game %d: %+v, want %+v", i, k, g, w)
			}
		}
	}
	right := send(0, &want[0], batch)
	foul := right.Games[0]
	if foul.Kind != selfplay.FaultForbidden || foul.Faulty != board.Black || foul.Outcome != board.WhiteWins {
		t.Fatalf("%+v is not a game that a forbidden move ends", foul)
	}
	b, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		t.Fatal(err)
	}
	batch.Contestants[0].Remote = "baseline:random"
	if _, err := receive(&right, batch, b); err != nil {
		t.Errorf("of a baseline: %v", err)
	}
	for name, change := range map[string]func(g *game){
		"White's":             func(g *game) { g.Faulty, g.Outcome = board.White, board.BlackWins },
		"of another kind":     func(g *game) { g.Kind = "illegal" },
		"without a fault":     func(g *game) { g.Fault, g.Kind, g.Adjudicated = "", "", true },
		"before another move": func(g *game) { g.Moves += "b1" },
		"a legal move":        func(g *game) { g.Moves = board.FormatMoves(batch.Pairings[0].Opening) + "b1" },
		"no move":             func(g *game) { g.Moves = board.FormatMoves(batch.Pairings[0].Opening) },
	} {
		t.Run(name, func(t *testing.T) {
			checkRefused(t, &right, batch, b, func(p *played) { change(&p.Games[0]) })
		})
	}
}

// crashing is a player that crashes at its first move, with another message each time.
type crashing struct {
	fouling
	crashes *atomic.Int64
}

func (c crashing) Move(context.Context, *board.Board) (selfplay.Reply, error) {
	return selfplay.Reply{Move: board.NoCell}, &selfplay.Fault{Kind: "crash", Text: fmt.Sprintf("crash: the engine ended, process %d", c.crashes.Add(1))}
}

// Honest workers agree on a crash whatever the engine said of it. They disagree where only the kind differs.
func TestAuditsIgnoreTheTextOfAFault(t *testing.T) {
	crashes := new(atomic.Int64)
	outside, batch := besides(t, func() selfplay.Player { return crashing{crashes: crashes} }, pattern.Freestyle, 8)
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1, Outside: outside})
	for _, name := range []string{"one", "two"} {
		hire(t, WorkerConfig{URL: c.Address(), Name: name, Outside: outside, Jobs: 1})
	}
	until(t, "both are there", func() bool { return workersOf(c) == 2 })
	if _, err := c.Run(patient(t), batch, nil); err != nil {
		t.Fatal(err)
	}
	if s := c.Status(); unconfirmed(c) != 0 || s.Audits != 0 || s.Disputes != 0 || len(s.Refused) != 0 { // two crashes alike are the audit
		t.Errorf("%d pairs are not confirmed\n%s", unconfirmed(c), s.Text())
	}
	result := byPool(t, batch)[0]
	first, second := send(0, &result, batch), send(0, &result, batch)
	second.Games[1].Kind = "lost by timeout"
	if digestOf(&first) == digestOf(&second) {
		t.Error("faults of other kinds have equal digests")
	}
}
