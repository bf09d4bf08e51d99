package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"quintune/board"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/selfplay"
)

// lostByFault returns a batch of one pair between an engine from outside, which is A, and weights, in which the engine fails at
// its first move, twice, and what a worker sends of it.
func lostByFault(t *testing.T) (*selfplay.Batch, played) {
	t.Helper()
	batch := testBatch(t, 3)
	batch.Contestants[2].Remote = EnginePrefix + "{}"
	batch.Pairings = batch.Pairings[2:]
	var games []game
	for faulty := board.Black; faulty <= board.White; faulty++ {
		games = append(games, game{
			Outcome: board.WinFor(faulty.Other()), Moves: board.FormatMoves(batch.Pairings[0].Opening),
			Fault: "crash: gone", Kind: "crash", Faulty: faulty,
		})
	}
	return batch, played{Games: games, Discarded: slices.Clone(games)}
}

// A result with a fault that no player of ours can have is refused.
func TestImpossibleFaults(t *testing.T) {
	batch, right := lostByFault(t)
	b, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"start", "crash", "timeout", "illegal", "protocol", "lost by timeout"} {
		right.Games[0].Kind = kind
		got, err := receive(&right, batch, b)
		if err != nil || len(got.Discarded) != 2 || selfplay.FaultKind(got.Games[0].Fault) != kind || got.Games[0].Fault.Error() != "crash: gone" {
			t.Fatalf("%s: %+v, %v", kind, got, err)
		}
		batch.Contestants[2].Remote = "baseline:random"
		if _, err := receive(&right, batch, b); err == nil || !strings.Contains(err.Error(), "of a baseline") {
			t.Errorf("%s of a baseline: %v", kind, err)
		}
		batch.Contestants[2].Remote = EnginePrefix + "{}"
	}
	for name, change := range map[string]func(g *game){
		"a draw":                func(g *game) { g.Outcome = board.Draw },
		"the faulty side wins":  func(g *game) { g.Outcome = board.WinFor(g.Faulty) },
		"of weights":            func(g *game) { g.Outcome, g.Faulty = board.WinFor(g.Faulty), g.Faulty.Other() },
		"and a proven win":      func(g *game) { g.Adjudicated = true },
		"a kind without a text": func(g *game) { g.Fault = "" },
		"a side without a text": func(g *game) { g.Fault, g.Kind, g.Adjudicated, g.Faulty = "", "", true, board.White },
		"no kind":               func(g *game) { g.Kind = "" },
		"an unknown kind":       func(g *game) { g.Kind = "crash 2" },
		"lost by nothing":       func(g *game) { g.Kind = "lost by " },
		"lost by forbidden":     func(g *game) { g.Kind = "lost by forbidden" },
	} {
		t.Run(name, func(t *testing.T) {
			for _, discarded := range []bool{false, true} {
				p := played{Games: slices.Clone(right.Games), Discarded: slices.Clone(right.Discarded)}
				if change(&p.Games[1]); discarded {
					p.Games, p.Discarded = p.Discarded, p.Games
				}
				if _, err := receive(&p, batch, b); err == nil {
					t.Errorf("%+v is accepted", p)
				}
			}
		})
	}
}

// A worker takes no task that is greater than any of ours, whoever sends it.
func TestGreatTasksAreRefused(t *testing.T) {
	for name, great := range map[string]*task{
		"pairs":   {Rule: "freestyle", Size: 15, Pairs: make([]pair, mostPairs+1)},
		"players": {Rule: "freestyle", Size: 15, Players: make([]string, 2*mostPairs+1)},
	} {
		t.Run(name, func(t *testing.T) {
			w := &worker{pools: make(chan selfplay.Runner)}
			_, err := w.prepareAndPlay(patient(t), patient(t), &unpacked{task: great})
			if err == nil || !strings.Contains(err.Error(), "more than a task has") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// The engine that a run tunes loses by what fails in the second attempt. So no worker can take a pair out of the count.
func TestNoPairOfTheTunedEngineIsVoid(t *testing.T) {
	batch, p := lostByFault(t)
	batch.Contestants[2].Liable = true
	b, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Games {
		p.Games[i].Kind = "lost by crash"
	}
	if got, err := receive(&p, batch, b); err != nil || got.Void() {
		t.Fatalf("void: %v, error %v", got.Void(), err)
	}
	for _, kind := range []string{"crash", "illegal"} {
		p.Games[1].Kind = kind
		if got, err := receive(&p, batch, b); err == nil || !strings.Contains(err.Error(), "counts as a loss") {
			t.Errorf("%s: void: %v, error %v", kind, got.Void(), err)
		}
	}
	p.Games[1].Kind, p.Discarded[1].Kind = "lost by crash", "lost by crash"
	if _, err := receive(&p, batch, b); err == nil || !strings.Contains(err.Error(), "counts as a loss") {
		t.Errorf("a loss in the first attempt: error %v", err)
	}
}

// The text of a fault is shown to people, so what a worker sends is cut, and has no control characters.
func TestTextOfAFault(t *testing.T) {
	batch, p := lostByFault(t)
	b, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		t.Fatal(err)
	}
	p.Games[0].Fault = "\x1b[2J" + strings.Repeat("x", 1<<19)
	got, err := receive(&p, batch, b)
	if err != nil {
		t.Fatal(err)
	}
	if text := got.Games[0].Fault.Error(); !strings.HasPrefix(text, "?[2Jx") || len(text) != mostFault {
		t.Errorf("%d bytes: %.20q", len(text), text)
	}
}

// A pair is played once more only after a failure that is not a loss: nobody can add games that no audit compares.
func TestGamesBesideAResult(t *testing.T) {
	plain := testBatch(t, 1)
	_, foul := besides(t, func() selfplay.Player { return fouling{} }, pattern.Renju, 1)
	failed, lost := lostByFault(t)
	for i := range lost.Games {
		lost.Games[i].Kind = "lost by crash"
	}
	byItself := func(batch *selfplay.Batch) played { return send(0, &byPool(t, batch)[0], batch) }
	for _, test := range []struct {
		name   string
		batch  *selfplay.Batch
		result played
	}{{"games", plain, byItself(plain)}, {"games with a forbidden move", foul, byItself(foul)}, {"games lost by a failure", failed, lost}} {
		t.Run(test.name, func(t *testing.T) {
			b, err := board.New(test.batch.Size, test.batch.Rule)
			if err != nil {
				t.Fatal(err)
			}
			test.result.Discarded = nil
			if _, err := receive(&test.result, test.batch, b); err != nil {
				t.Fatal(err)
			}
			test.result.Discarded = slices.Clone(test.result.Games)
			if _, err := receive(&test.result, test.batch, b); err == nil || !strings.Contains(err.Error(), "nobody had failed") {
				t.Errorf("%v", err)
			}
		})
	}
}

// rightResult returns what a worker sends for the first pairing of the batch, which is accepted, and a board to replay it on.
func rightResult(t *testing.T, batch *selfplay.Batch) (played, *board.Board) {
	t.Helper()
	b, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		t.Fatal(err)
	}
	right := send(0, &byPool(t, batch)[0], batch)
	if _, err := receive(&right, batch, b); err != nil {
		t.Fatal(err)
	}
	return right, b
}

// checkRefused checks that a right result is refused after a change.
func checkRefused(t *testing.T, right *played, batch *selfplay.Batch, b *board.Board, change func(*played)) {
	t.Helper()
	p := *right
	p.Games = slices.Clone(right.Games)
	change(&p)
	if _, err := receive(&p, batch, b); err == nil {
		t.Errorf("%+v is accepted", p)
	}
}

// What no search can have found puts the sender out.
func TestImpossibleSearches(t *testing.T) {
	batch := searches(t, 1)
	right, b := rightResult(t, batch)
	for name, change := range map[string]func(*played){
		"no game":         func(p *played) { p.Games = nil },
		"two games":       func(p *played) { p.Games = append(p.Games, p.Games[0]) },
		"a first attempt": func(p *played) { p.Discarded = p.Games },
		"no move":         func(p *played) { p.Games[0].Moves = board.FormatMoves(batch.Pairings[0].Opening) },
		"two moves":       func(p *played) { p.Games[0].Moves += "a1" },
		"an outcome":      func(p *played) { p.Games[0].Outcome = board.Draw },
		"nodes below 0":   func(p *played) { p.Games[0].Nodes = -1 },
		"too many nodes":  func(p *played) { p.Games[0].Nodes = batch.Nodes + mostOvershoot + 1 },
		"a fault":         func(p *played) { p.Games[0].Fault = "x" },
	} {
		t.Run(name, func(t *testing.T) {
			checkRefused(t, &right, batch, b, change)
		})
	}
}

// What no game can have puts the sender out.
func TestImpossibleGames(t *testing.T) {
	batch := testBatch(t, 1)
	right, b := rightResult(t, batch)
	for name, change := range map[string]func(*game){
		"a score":        func(g *game) { g.Score = 1 },
		"nodes below 0":  func(g *game) { g.Nodes = -1 },
		"too many nodes": func(g *game) { g.Nodes = 81 * (batch.Nodes + mostOvershoot + 1) },
		"nodes without moves": func(g *game) {
			g.Moves, g.Outcome, g.Adjudicated, g.Nodes = board.FormatMoves(batch.Pairings[0].Opening), board.BlackWins, true, 1
		},
		"a proven win without a move": func(g *game) {
			g.Moves, g.Outcome, g.Adjudicated, g.Nodes = board.FormatMoves(batch.Pairings[0].Opening), board.BlackWins, true, 0
		},
		"a draw while fives are possible": func(g *game) {
			g.Moves, g.Outcome, g.Adjudicated, g.Nodes = board.FormatMoves(batch.Pairings[0].Opening), board.Draw, true, 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			checkRefused(t, &right, batch, b, func(p *played) { change(&p.Games[0]) })
		})
	}
	proven := slices.IndexFunc(right.Games, func(g game) bool { return g.Adjudicated })
	if proven < 0 {
		t.Fatal("no game ends by a proof")
	}
	t.Run("a proven win of a game that is played out", func(t *testing.T) {
		out := *batch
		out.PlayOut = true
		if _, err := receive(&right, &out, b); err == nil || !strings.Contains(err.Error(), "was to be played out") {
			t.Error(err)
		}
	})
}

// A server without keys takes any id. Those that are not printable ASCII are left out: they would turn the metrics off.
func TestIDsOfPartiesAreText(t *testing.T) {
	c := open(t, Config{})
	for id, want := range map[string]bool{"Labc": true, "L\xff": false, "L\x1b[2J": false, "Lé": false} {
		t.Run(fmt.Sprintf("%q", id), func(t *testing.T) {
			got := false
			c.checked(mostRequest, func(string, *nats.Msg) { got = true })(&nats.Msg{Subject: heartbeatPrefix + id})
			if got != want {
				t.Errorf("handled: %v, want %v", got, want)
			}
		})
	}
}

// Names that workers give themselves are shown as plain text, without control sequences for the terminal.
func TestNamesOfWorkersAreText(t *testing.T) {
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger()})
	hire(t, WorkerConfig{URL: c.Address(), Name: "\x1b[31mred\x00\xff" + strings.Repeat("x", 500), Version: "v\r1"})
	_ = end(t, WorkerConfig{URL: c.Address(), Name: "old\x1b", Engine: "\x1b]0;x\a"})
	until(t, "the worker is there, and told", func() bool { return c.Workers() == 1 && strings.Contains(said.String(), "red") })
	s := c.Status()
	for _, text := range []string{s.Text(), said.String()} {
		t.Run(text, func(t *testing.T) {
			if strings.ContainsAny(text, "\x1b\x00\a\r") || !strings.Contains(text, `red`) || len(text) > 3000 {
				t.Errorf("%q", text)
			}
		})
	}
}

// A baseline whose limit is a depth searches as many nodes as it takes, whatever the limit of the batch.
func TestNodesOfADepthAreAccepted(t *testing.T) {
	p, err := player.Parse("baseline:huang?depth=6&candidates=20")
	if err != nil {
		t.Fatal(err)
	}
	batch := testBatch(t, 1)
	batch.Contestants[1] = p.Contestant(player.TimeControl{})
	b, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		t.Fatal(err)
	}
	found := byPool(t, batch)[0]
	if g := &found.Games[0]; g.Nodes <= int64(len(g.Moves))*(batch.Nodes+mostOvershoot) {
		t.Fatalf("%d nodes in %d moves: the test shows nothing", g.Nodes, len(g.Moves))
	}
	sent := send(0, &found, batch)
	if _, err := receive(&sent, batch, b); err != nil {
		t.Error(err)
	}
}
