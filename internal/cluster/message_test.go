package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quintune/board"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
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

// frail is a player that is late at some of its first moves: at those after which the pair is played once more, too.
type frail struct {
	fouling
	moves  *atomic.Int64
	failed int64 // how many of them
}

func (f frail) Move(ctx context.Context, b *board.Board) (selfplay.Reply, error) {
	if n := f.moves.Add(1); n > 2 && n <= 2+f.failed {
		return selfplay.Reply{Move: board.NoCell}, &selfplay.Fault{Kind: "timeout", Text: "timeout: the machine is busy"}
	}
	return f.fouling.Move(ctx, b)
}

// An engine that is late by chance, on a worker or here, in a first result or in an audit, makes nobody a forger and changes no result.
func TestFailureByChanceIsNoForgery(t *testing.T) {
	for _, test := range []struct {
		name              string
		jobs              int  // of the coordinator
		frailHere         bool // else on a worker
		failures, workers int
	}{
		{"on one of two workers", 0, false, 8, 2},
		{"on the only worker", 0, false, 8, 1},
		{"here, beside a worker", 1, true, 8, 1},
		{"here, beside two workers", 1, true, 4, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			good, batch := besides(t, func() selfplay.Player { return fouling{} }, pattern.Freestyle, 12)
			want := byPool(t, batch)
			moves := new(atomic.Int64)
			weak, _ := besides(t, func() selfplay.Player { return frail{moves: moves, failed: int64(test.failures)} }, pattern.Freestyle, 12)
			config := Config{Listen: "127.0.0.1:0", Audit: 1, Outside: good, Jobs: test.jobs, Timing: calm()}
			if test.frailHere {
				config.Outside = weak
			}
			c := open(t, config)
			for i := range test.workers {
				o := good
				if i == 0 && !test.frailHere {
					o = weak
				}
				hire(t, WorkerConfig{URL: c.Address(), Name: fmt.Sprint(i), Outside: o})
			}
			until(t, "all are there", func() bool { return workersOf(c) == test.workers+test.jobs })
			got, err := c.Run(patient(t), batch, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				for g := range want[i].Games {
					if got[i].Games[g].Outcome != want[i].Games[g].Outcome || got[i].Games[g].Fault != nil {
						t.Errorf("pair %d: %+v, want %+v", i, got[i], want[i])
					}
				}
			}
			if s := c.Status(); len(s.Refused) != 0 {
				t.Errorf("after %d moves:\n%s", moves.Load(), s.Text())
			}
		})
	}
}

// A failure of the checker proves nothing in a check of what a suspect played.
func TestFailureByChanceInARecheck(t *testing.T) {
	good, batch := besides(t, func() selfplay.Player { return fouling{} }, pattern.Freestyle, 6)
	moves := new(atomic.Int64)
	moves.Store(1000)
	weak, _ := besides(t, func() selfplay.Player { return frail{moves: moves, failed: 8} }, pattern.Freestyle, 6)
	c := open(t, Config{Listen: "127.0.0.1:0", Outside: weak})
	leave := hire(t, WorkerConfig{URL: c.Address(), Name: "one", Outside: good})
	if _, err := c.Run(patient(t), batch, nil); err != nil {
		t.Fatal(err)
	}
	if err := leave(); err != nil {
		t.Fatal(err)
	}
	moves.Store(0) // from now on it is late here
	c.expel(c.Status().Workers[0].Key, "it floods")
	if err := c.Settle(patient(t)); err != nil || moves.Load() < 10 {
		t.Errorf("after %d moves: %v", moves.Load(), err)
	}
}

// Where the checker fails every time, such a check confirms nothing.
func TestFailedRecheckConfirmsNothing(t *testing.T) {
	_, batch := besides(t, func() selfplay.Player { return fouling{} }, pattern.Freestyle, 1)
	weak, _ := besides(t, func() selfplay.Player { return frail{moves: new(atomic.Int64), failed: 1 << 30} }, pattern.Freestyle, 1)
	d := recorded(t, weak, batch, "thief")
	give(t, d, "thief", 0, send(0, &byPool(t, batch)[0], batch))
	d.c.quarantine("thief", "messages that no worker of ours sends", "a test")
	if err := d.c.Settle(patient(t)); err != nil || d.record.confirmed[0] {
		t.Errorf("confirmed %v, error %v", d.record.confirmed[0], err)
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

// randomly plays at random: an engine whose games do not come again.
type randomly struct{ fouling }

func (randomly) Move(_ context.Context, b *board.Board) (selfplay.Reply, error) {
	cells := b.AllEmpty(nil)
	return selfplay.Reply{Move: cells[rand.IntN(len(cells))]}, nil
}

// Results of an engine that does not repeat are not compared, even if their worker is quarantined for something else.
func TestResultsThatDoNotRepeatAreNotCompared(t *testing.T) {
	outside, batch := besides(t, func() selfplay.Player { return randomly{} }, pattern.Freestyle, 8)
	outside.Repeats = false
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1, Outside: outside})
	for _, name := range []string{"one", "two"} {
		hire(t, WorkerConfig{URL: c.Address(), Name: name, Outside: outside})
	}
	until(t, "both are there", func() bool { return workersOf(c) == 2 })
	if _, err := c.Run(patient(t), batch, nil); err != nil {
		t.Fatal(err)
	}
	c.expel(c.Status().Workers[0].Key, "it floods")
	if err := c.Settle(patient(t)); err != nil {
		t.Error(err)
	}
}

// A pair that this process plays may be answered by a worker meanwhile. Where the engine does not repeat, the first result counts.
func TestOwnResultThatDoesNotRepeat(t *testing.T) {
	outside, batch := besides(t, func() selfplay.Player { return randomly{} }, pattern.Freestyle, 1)
	outside.Repeats = false
	first, own := byPool(t, batch)[0], byPool(t, batch)[0]
	for _, author := range []string{"one", "this process"} {
		t.Run(author, func(t *testing.T) {
			c := open(t, Config{Outside: outside})
			c.local = "this process"
			r := dispatcherOf(t, c, batch)
			r.add(&dispatch{pairs: everyPair(batch)})
			if err := r.take(&received{worker: author, answer: answer{Pairs: []played{send(0, &first, batch)}}}); err != nil {
				t.Fatal(err)
			}
			if err := r.judged(ownResult{0, own, nil}); err != nil {
				t.Fatal(err)
			}
			if s := c.Status(); len(s.Refused) != 0 || c.failure != nil || len(r.wrong) != 0 || r.author[0] != author || !r.over() {
				t.Errorf("failure %v, %d wrong, author %q\n%s", c.failure, len(r.wrong), r.author[0], s.Text())
			}
		})
	}
}

// Where two workers' engines have failed alike, that counts: it is not audited, and neither a third worker's result nor a cancelled
// batch makes anybody a forger.
func TestFailureThatCountsIsNotDisputed(t *testing.T) {
	good, batch := besides(t, func() selfplay.Player { return fouling{} }, pattern.Freestyle, 1)
	_, failing := besides(t, func() selfplay.Player { return frail{moves: new(atomic.Int64), failed: 8} }, pattern.Freestyle, 1)
	right, failed := byPool(t, batch)[0], byPool(t, failing)[0]
	if !failedByChance(&failed) {
		t.Fatalf("%+v is not a failure", failed)
	}
	c := open(t, Config{Audit: 1, Outside: good})
	r := dispatcherOf(t, c, batch)
	r.add(&dispatch{pairs: everyPair(batch)})
	for _, answered := range []struct {
		worker string
		result *selfplay.Result
	}{{"one", &failed}, {"two", &failed}, {"three", &right}} {
		a := received{worker: answered.worker, key: key{task: len(r.dispatches) - 1}, answer: answer{Pairs: []played{send(0, answered.result, batch)}}}
		if err := r.take(&a); err != nil {
			t.Fatal(err)
		}
	}
	if s := c.Status(); s.Audits != 0 || s.Disputes != 0 || len(r.inDoubt()) != 0 || !r.confirmed[0] || r.author[0] != "two" || !r.over() {
		t.Errorf("in doubt %v, confirmed %v, author %q\n%s", r.inDoubt(), r.confirmed[0], r.author[0], s.Text())
	}
}

// A run whose board the engine cannot play on ends with the reason, and an engine for one size of board is proved on it.
func TestEngineIsProvedOnTheBoardOfTheRun(t *testing.T) {
	only20 := func(string) (selfplay.Contestant, error) {
		return selfplay.Contestant{Name: "engine", Remote: EnginePrefix + "{}", Liable: true, Open: func(size int, _ pattern.Rule, _ int64) (selfplay.Player, error) {
			if size != 20 {
				return crashing{crashes: new(atomic.Int64)}, nil
			}
			return fouling{}, nil
		}}, nil
	}
	for size, want := range map[int]string{20: "", 15: "cannot play standard on 15×15"} {
		c := open(t, Config{Jobs: 1, Outside: &Outside{Hash: "h", Repeats: true, Contestant: only20, Rule: pattern.Standard, Size: size}})
		if jobs, err := c.Ready(patient(t)); want == "" && (err != nil || jobs != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("size %d: %d jobs, %v", size, jobs, err)
		}
	}
}

// Two nonces are accepted, each with its own proof: the one that is handed out, and the one before it.
func TestNoncesAreAcceptedUntilTheNextButOne(t *testing.T) {
	for _, test := range []struct {
		name         string
		exam         *examiner
		nonce, proof string
		right, known bool
	}{
		{"handed out", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "n", "p", true, true},
		{"long ago", &examiner{nonce: "n", proof: "p", issued: time.Unix(1, 0)}, "n", "p", true, true},
		{"before it", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "m", "o", true, true},
		{"proof of the other", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "m", "p", false, true},
		{"unknown", &examiner{nonce: "n", proof: "p", lastNonce: "m", lastProof: "o"}, "k", "p", false, false},
		{"no previous one", &examiner{nonce: "n", proof: "p"}, "", "", false, false},
		{"none yet", &examiner{}, "", "", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if right, known := test.exam.accepts(test.nonce, test.proof); right != test.right || known != test.known {
				t.Errorf("right %v, known %v, want %v and %v", right, known, test.right, test.known)
			}
		})
	}
}

// Where the two games of a proof differ by chance on one side only, our engine alone is proved.
func TestProofsByChanceAreAccepted(t *testing.T) {
	own := strings.Repeat("a", ownProof)
	for _, test := range []struct {
		ours, theirs string
		right        bool
	}{
		{own + "0123", own + "0123", true},
		{own, own + "0123", true},
		{own + "0123", own, true},
		{own + "0123", own + "4567", false},
		{own, strings.Repeat("b", ownProof), false},
		{own + "0123", "", false},
		{own, "", false},
	} {
		e := examiner{nonce: "n", proof: test.ours}
		if right, known := e.accepts("n", test.theirs); right != test.right || !known {
			t.Errorf("%q for %q: right %v, known %v", test.theirs, test.ours, right, known)
		}
	}
}
