package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/board"
	"quintune/internal/bench"
	"quintune/internal/cluster/faultinjecttest"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

func TestOtherEngineIsRefusedByName(t *testing.T) {
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger()})
	err := end(t, WorkerConfig{URL: c.Address(), Name: "oldie", Engine: "1-00000000"})
	for _, text := range []string{err.Error(), said.String()} {
		t.Run(text, func(t *testing.T) {
			for _, want := range []string{"1-00000000", bench.Signature()} {
				if !strings.Contains(text, want) {
					t.Errorf("%q does not name %s", text, want)
				}
			}
		})
	}
	if !errors.Is(err, ErrRefused) || !strings.Contains(said.String(), "oldie") {
		t.Errorf("%v; the log says %s", err, said)
	}
	if s := c.Status(); len(s.Refused) != 1 || s.Refused[0].Name != "oldie" || s.Faults["worker refused"] != 1 {
		t.Errorf("%+v", s)
	}
}

// A worker that lacks the engine which a run tunes is told how to start, one with another engine what differs. One of another version is
// told neither: --engine would not help it.
func TestWorkerWithoutTheEngineIsToldHow(t *testing.T) {
	outside, _ := besides(t, func() selfplay.Player { return fouling{} }, pattern.Freestyle, 1)
	c := open(t, Config{Jobs: 1, Outside: outside})
	for signature, want := range map[string]string{
		bench.Signature():                   ": start it with --engine FILE",
		bench.Signature() + " engine other": ": its engine file, or the program that this starts, is another",
		"1-00000000":                        " engine h",
	} {
		j := joining{Protocol: protocol, Instance: "x", Name: "without", Signature: signature, Schema: weights.Fingerprint(), Jobs: 1}
		if got := c.examine(patient(t), signature, &j).Refused; !strings.Contains(got, "this run needs") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: refused with %q, want at its end %q", signature, got, want)
		}
	}
}

// A worker that claims the engine's signature but does not find the engine's moves is not admitted.
func TestProofOfTheEngine(t *testing.T) {
	c := open(t, Config{})
	j := joining{Protocol: protocol, Instance: "x", Name: "liar", Signature: bench.Signature(), Schema: weights.Fingerprint(), Jobs: 1}
	asked := c.examine(patient(t), "A", &j)
	if asked.Nonce == "" || asked.Admitted || asked.Refused != "" {
		t.Fatalf("%+v", asked)
	}
	j.Nonce, j.Proof = asked.Nonce, strings.Repeat("0", 32)
	if got := c.examine(patient(t), "A", &j); got.Admitted || !strings.Contains(got.Refused, "other moves") {
		t.Errorf("a wrong proof: %+v", got)
	}
	proof, err := Prove(patient(t), asked.Nonce)
	if err != nil {
		t.Fatal(err)
	}
	j.Nonce, j.Proof = "of yesterday", proof
	if got := c.examine(patient(t), "B", &j); got.Admitted || got.Nonce == "" {
		t.Errorf("a proof for another nonce: %+v", got)
	}
	j.Nonce = asked.Nonce
	if got := c.examine(patient(t), "B", &j); !got.Admitted {
		t.Errorf("a right proof: %+v", got)
	}
	j.Jobs = 0
	if got := c.examine(patient(t), "C", &j); got.Refused == "" {
		t.Error("a worker without jobs is admitted")
	}
	other, err := Prove(patient(t), "another nonce")
	if err != nil || other == proof {
		t.Errorf("two nonces have one proof %s, %v", proof, err)
	}
}

// forgedRun plays batches with an honest worker and one that sends false results from the given pair on, until
// one is detected.
func forgedRun(t *testing.T, c *Coordinator, from int64) (batches int, wrong *Wrong) {
	t.Helper()
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"})
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(from)})
	untilAsked(t, c, 2)
	for batches = range 30 {
		if err := c.Mark([]byte{'0' + byte(batches)}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Run(patient(t), testBatch(t, 40), nil)
		if errors.As(err, &wrong) {
			return batches, wrong
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the lies were not found")
	return 0, nil
}

func TestForgedResultsAreCaught(t *testing.T) {
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger(), Timing: calm()})
	stored := stored(t)
	if err := c.Keep(stored.Ledger()); err != nil {
		t.Fatal(err)
	}
	batches, wrong := forgedRun(t, c, 1)
	if batches != 0 || wrong.Batch != 0 {
		t.Errorf("found in batch %d, as of %d", batches, wrong.Batch)
	}
	s := c.Status()
	if s.Disputes == 0 || s.Faults["quarantine"] != 1 || len(s.Refused) != 1 || s.Refused[0].Name != "liar" ||
		!strings.Contains(said.String(), "worker quarantined: forged results") {
		t.Errorf("%s\n%s", s.Text(), said)
	}
	state, forged, err := c.Rewind(wrong)
	if err != nil || !forged || string(state) != "0" {
		t.Errorf("state %q, %v", state, err)
	}
	if err := stored.Rewind(0, &run.State{}); err != nil {
		t.Fatal(err)
	}
	batch := testBatch(t, 40)
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
	until(t, "the liar is gone", func() bool { return c.Workers() == 1 })
}

// searches returns a batch of n searches.
func searches(t *testing.T, n int) *selfplay.Batch {
	t.Helper()
	b := testBatch(t, n)
	b.Contestants, b.Search, b.Nodes = b.Contestants[:1], true, 200
	for i := range b.Pairings {
		b.Pairings[i].A, b.Pairings[i].B = 0, 0
	}
	return b
}

// Labels of positions come from workers as pairs do: the same as those of one machine, and lies are found.
func TestSearchesOnTheCluster(t *testing.T) {
	batch := searches(t, 60)
	want := byPool(t, batch)
	for _, r := range want[:3] {
		if g := r.Games[0]; len(g.Moves) != 3 || g.Nodes == 0 || g.Outcome != board.Ongoing {
			t.Errorf("a search found %+v", g)
		}
	}
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1, Log: (&sayings{}).logger()})
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"})
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(1)})
	until(t, "both workers are there", func() bool { return c.Workers() == 2 })
	var wrong *Wrong
	for range 30 {
		if got, err = c.Run(patient(t), batch, nil); errors.As(err, &wrong) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
		if len(c.Status().Refused) > 0 { // it lied in an audit alone
			break
		}
	}
	if s := c.Status(); len(s.Refused) != 1 || s.Refused[0].Name != "liar" {
		t.Errorf("%v; %s", wrong, s.Text())
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

// stored returns a run in a new database.
func stored(t *testing.T) *store.Session {
	t.Helper()
	db, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s, err := db.Begin(store.KindRun, run.Summary{Name: "r"}, []byte("{}"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A worker begins to send false results and is detected later. The pairs that it sent before are played again,
// and the run goes back to the first batch with a false result, not to the batch in which it was detected.
func TestRunGoesBackToTheFirstWrongBatch(t *testing.T) {
	s := stored(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1e-9, Timing: calm()}) // a task that two workers play would show a lie at once
	if err := c.Keep(s.Ledger()); err != nil {
		t.Fatal(err)
	}
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"})
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(45)})
	until(t, "both workers are there", func() bool { return c.Workers() == 2 })
	liar := ""
	for _, w := range c.Status().Workers {
		if w.Name == "liar" {
			liar = w.Key
		}
	}
	lied := -1
	for batch := 0; batch < 4 || lied < 0 || lied == batch-1; batch++ {
		if err := c.Mark([]byte{'0' + byte(batch)}); err != nil {
			t.Fatal(err)
		}
		if batch == 3 {
			c.config.Audit = 0 // no audits, so nothing is detected by chance
		}
		b := testBatch(t, 40)
		got, err := c.Run(patient(t), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CloseStep(store.Step{State: &run.State{}}); err != nil {
			t.Fatal(err)
		}
		for i, want := range byPool(t, b) {
			if lied < 0 && got[i].Games[0].Outcome != want.Games[0].Outcome {
				lied = batch
			}
		}
	}
	c.members.quarantine(Refusal{Key: liar, Reason: "it lied"})
	c.suspects.add(liar)
	var wrong *Wrong
	if err := c.Settle(patient(t)); !errors.As(err, &wrong) || wrong.Batch != lied {
		t.Fatalf("the first lie was in batch %d: %v", lied, err)
	}
	state, forged, err := c.Rewind(wrong)
	if err != nil || !forged || string(state) != string('0'+byte(lied)) {
		t.Errorf("state %q, %v", state, err)
	}
	whole, err := openLedger(s.Ledger())
	if err != nil || !reflect.DeepEqual(whole.batches[:lied], c.ledger.batches) {
		t.Errorf("the journal holds other pairs than the memory, or error %v", err)
	}
	if err := s.Rewind(lied, &run.State{}); err != nil {
		t.Fatal(err)
	}
	again, err := openLedger(s.Ledger())
	if err != nil || len(again.batches) != lied {
		t.Errorf("%d batches are left of the ledger, want %d: %v", len(again.batches), lied, err)
	}
}

// A worker that was quarantined before the run had its database, such as while the speed was measured, stays so when the run is resumed.
func TestKeepStoresAnEarlierQuarantine(t *testing.T) {
	s, said := stored(t), &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger()})
	c.quarantine("key", "forged results", "it lied")
	if err := c.Keep(s.Ledger()); err != nil {
		t.Fatal(err)
	}
	resumed := open(t, Config{Listen: "127.0.0.1:0"})
	if err := resumed.Keep(s.Ledger()); err != nil {
		t.Fatal(err)
	}
	if got := resumed.members.quarantinedFor("key"); got != "it lied" {
		t.Errorf("after a resume the worker is in quarantine for %q", got)
	}
}

// A batch that is cancelled, as a test is when it is decided, leaves audits open. They are made before anything else is played.
func TestAuditsOfACancelledBatch(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1})
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(1)})
	ctx, cancel := context.WithCancel(patient(t))
	defer cancel()
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest", Player: func() selfplay.Runner { return held{selfplay.NewPool(1), ctx.Done()} }})
	until(t, "both are there", func() bool { return workersOf(c) == 2 })
	truth := byPool(t, testBatch(t, 10))
	_, err := c.Run(ctx, testBatch(t, 10), func(i int, r *selfplay.Result) {
		if r.Games[0].Outcome != truth[i].Games[0].Outcome {
			cancel()
		}
	})
	if s := c.Status(); !errors.Is(err, context.Canceled) || s.Audits == 0 || len(s.Refused) > 0 {
		t.Fatalf("error %v\n%s", err, s.Text())
	}
	var wrong *Wrong
	if _, err := c.Run(patient(t), testBatch(t, 10), nil); !errors.As(err, &wrong) || wrong.Batch != 0 {
		t.Fatalf("error %v", err)
	}
	if s := c.Status(); len(s.Refused) != 1 || s.Refused[0].Name != "liar" {
		t.Errorf("%s", s.Text())
	}
	if _, forged, err := c.Rewind(wrong); !forged || err != nil {
		t.Errorf("forged %v, error %v", forged, err)
	}
	b := testBatch(t, 10)
	got, err := c.Run(patient(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, b))
}

// A dispute that is open when its batch is cancelled is decided later: who was wrong is found, be it the accuser.
func TestDisputeOfACancelledBatch(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1, Timing: calm()})
	b, let := testBatch(t, 10), make(chan struct{})
	truth := byPool(t, b)
	b.Pairings = slices.DeleteFunc(b.Pairings, func(p selfplay.Pairing) bool {
		i := slices.IndexFunc(testBatch(t, 10).Pairings, func(q selfplay.Pairing) bool { return q.Seed == p.Seed })
		return !truth[i].Games[0].Adjudicated // the liar lies about the others
	})[:1]
	c.judge = held{selfplay.NewPool(1), let}
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"})
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(1)})
	until(t, "both are there", func() bool { return workersOf(c) == 2 })
	ctx, cancel := context.WithCancel(patient(t))
	ran := make(chan error)
	go func() {
		_, err := c.Run(ctx, b, nil)
		ran <- err
	}()
	until(t, "a dispute", func() bool { return c.Status().Disputes > 0 })
	cancel()
	close(let)
	if err := <-ran; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var wrong *Wrong // where the liar's result came first
	if err := c.Settle(patient(t)); err != nil && !errors.As(err, &wrong) {
		t.Fatal(err)
	}
	if s := c.Status(); len(s.Refused) != 1 || s.Refused[0].Name != "liar" {
		t.Errorf("%s", s.Text())
	}
}

// A mark may be of several batches before the wrong one: the audits that these still need go with them.
func TestRewindForgetsOpenAudits(t *testing.T) {
	c := open(t, Config{Jobs: 1})
	if err := c.Mark([]byte("begin")); err != nil {
		t.Fatal(err)
	}
	b := testBatch(t, 4)
	for range 2 {
		if _, err := c.Run(patient(t), b, nil); err != nil {
			t.Fatal(err)
		}
	}
	c.owe(owed{number: 0, author: "away", pairs: []int{0, 1}})
	if state, forged, err := c.Rewind(&Wrong{Batch: 1}); string(state) != "begin" || !forged || err != nil {
		t.Fatalf("state %q, forged %v, error %v", state, forged, err)
	}
	got, err := c.Run(patient(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, b))
}

// Where the only worker was quarantined, the coordinator itself plays what that worker played: the run can end.
func TestRecheckWithoutWorkers(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0"})
	hire(t, WorkerConfig{URL: c.Address(), Name: "only"})
	if _, err := c.Run(patient(t), testBatch(t, 6), nil); err != nil {
		t.Fatal(err)
	}
	id := c.Status().Workers[0].Key
	c.members.quarantine(Refusal{Key: id, Reason: "it floods"})
	c.suspects.add(id)
	if err := c.Settle(patient(t)); err != nil {
		t.Error(err)
	}
	if left := c.ledger.batches[0].unaudited(id); len(left) > 0 {
		t.Errorf("%d pairs are unaudited", len(left))
	}
}

// A worker that is quarantined may have played more pairs of one batch than a task has: all are checked, and the run can go on.
func TestRecheckOfMorePairsThanATaskHas(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1e-9})
	hire(t, WorkerConfig{URL: c.Address(), Name: "only"})
	if _, err := c.Run(patient(t), searches(t, mostPairs+40), nil); err != nil {
		t.Fatal(err)
	}
	id := c.Status().Workers[0].Key
	if n := len(c.ledger.batches[0].unaudited(id)); n <= mostPairs {
		t.Fatalf("%d pairs are unaudited, want more than %d", n, mostPairs)
	}
	c.quarantine(id, "messages", "it floods")
	if err := c.Settle(patient(t)); err != nil {
		t.Error(err)
	}
	if left := c.ledger.batches[0].unaudited(id); len(left) > 0 {
		t.Errorf("%d pairs are unaudited", len(left))
	}
}

// held is a player that does not begin before it is let go.
type held struct {
	selfplay.Runner
	until <-chan struct{}
}

func (h held) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	select {
	case <-ctx.Done():
	case <-h.until:
	}
	return h.Runner.Run(ctx, b, done)
}

// With a single worker the coordinator makes the audits itself.
func TestSingleWorkerIsAudited(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0"})
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(1)})
	if _, err := c.Ready(patient(t)); err != nil {
		t.Fatal(err)
	}
	over := runBeside(t, c, testBatch(t, 30))
	until(t, "the liar is out", func() bool { return c.Status().Faults["quarantine"] == 1 })
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"}) // for the remaining pairs: no other worker is left
	var wrong *Wrong
	if end := <-over; !errors.As(end.err, &wrong) {
		t.Errorf("%v", end.err)
	}
}

// batchEnd holds the results of a batch and its error.
type batchEnd struct {
	results []selfplay.Result
	err     error
}

// runBeside plays a batch in the background of a test.
func runBeside(t *testing.T, c *Coordinator, b *selfplay.Batch) <-chan batchEnd {
	ctx, over := patient(t), make(chan batchEnd, 1)
	go func() {
		results, err := c.Run(ctx, b, nil)
		over <- batchEnd{results, err}
	}()
	return over
}

// stuck is a runner that plays nothing before a given time.
type stuck struct {
	selfplay.Runner
	free chan struct{}
}

func (s stuck) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	select {
	case <-s.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return s.Runner.Run(ctx, b, done)
}

// A slow worker does not delay a batch, and results that it sends too late are ignored.
func TestLateTasksAreGivenToOthers(t *testing.T) {
	free := make(chan struct{})
	c := open(t, Config{Listen: "127.0.0.1:0", Timing: Timing{Task: 50 * time.Millisecond, Deadline: time.Hour, Heartbeat: time.Hour, Slack: 200 * time.Millisecond}})
	hire(t, WorkerConfig{URL: c.Address(), Name: "slow", Player: func() selfplay.Runner { return stuck{selfplay.NewPool(1), free} }})
	hire(t, WorkerConfig{URL: c.Address(), Name: "quick"})
	untilAsked(t, c, 2)
	batch := testBatch(t, 30)
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
	close(free)
	if s := c.Status(); s.Reissued == 0 || s.Pairs != 30 {
		t.Errorf("%+v", s)
	}
	if got, err = c.Run(patient(t), batch, nil); err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
}

// A worker that leaves in the middle of a task sends the pairs that it has played; others get the rest. A task
// that is on its way to the worker at that moment is sent again after its deadline.
func TestLeavingWorkerSendsWhatItHas(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0", Timing: Timing{Task: time.Hour, Deadline: 3 * time.Second, Heartbeat: 50 * time.Millisecond, Slack: time.Hour}})
	c.each = time.Nanosecond // large tasks
	said, free := &sayings{}, make(chan struct{})
	leave := hire(t, WorkerConfig{URL: c.Address(), Name: "leaving", Log: said.logger(), Player: func() selfplay.Runner { return stuck{selfplay.NewPool(1), free} }})
	if _, err := c.Ready(patient(t)); err != nil {
		t.Fatal(err)
	}
	batch := testBatch(t, 60)
	over := runBeside(t, c, batch)
	until(t, "a task is in hand", func() bool { return c.Status().Workers[0].Held > 0 })
	left := make(chan error, 1)
	go func() { left <- leave() }()
	until(t, "the worker is leaving", func() bool { return strings.Contains(said.String(), "leaving") })
	close(free)
	if err := <-left; err != nil {
		t.Error(err)
	}
	until(t, "its one pair is there", func() bool { return c.Status().Pairs > 0 })
	hire(t, WorkerConfig{URL: c.Address(), Name: "other"})
	end := <-over
	if end.err != nil {
		t.Fatal(end.err)
	}
	same(t, end.results, byPool(t, batch))
	if got := c.Status().Workers[0].Pairs; got != 1 {
		t.Errorf("%d pairs are of the worker that left in the middle of its first", got)
	}
}

func TestBatchThatIsGivenUp(t *testing.T) {
	c := open(t, Config{Jobs: 2})
	ctx, cancel := context.WithCancel(patient(t))
	batch := testBatch(t, 60)
	_, err := c.Run(ctx, batch, func(int, *selfplay.Result) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
}

// The server is killed and started again in the middle of a batch. Nothing is lost and nothing counts twice.
func TestServerRestart(t *testing.T) {
	f := folder(t)
	config := ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: logger(t)}
	s, err := StartServer(config)
	if err != nil {
		t.Fatal(err)
	}
	url := s.URL()
	config.Addr = strings.TrimPrefix(strings.TrimPrefix(url, "nats://"), "tls://")
	c := open(t, Config{URL: url, Creds: creds(t, f, CoordinatorName)})
	hire(t, WorkerConfig{URL: url, Creds: creds(t, f, "w1"), Name: "one"})
	hire(t, WorkerConfig{URL: url, Creds: creds(t, f, "w2"), Name: "two"})
	until(t, "both workers are there", func() bool { return c.Workers() == 2 })
	if _, err := Open(patient(t), Config{URL: url, Creds: creds(t, f, CoordinatorName), Log: logger(t)}); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a second coordinator: %v", err)
	}
	batch := testBatch(t, 120)
	reported, restarted := map[int]int{}, false
	got, err := c.Run(patient(t), batch, func(i int, _ *selfplay.Result) {
		if reported[i]++; len(reported) > 20 && !restarted {
			restarted = true
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if s, err = StartServer(config); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
	for i := range batch.Pairings {
		if reported[i] != 1 {
			t.Errorf("pair %d was reported %d times", i, reported[i])
		}
	}
	t.Cleanup(func() { _ = s.Close() })
}

// A run that was cut off and finds another in its place ends, and the other stays, whatever their clocks say.
func TestWhoWasCutOffYields(t *testing.T) {
	c := open(t, Config{Jobs: 1})
	ended := func() bool {
		select {
		case <-c.failed:
			return true
		default:
			return false
		}
	}
	meet := func(other claim) {
		t.Helper()
		data, err := json.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		c.yield(&nats.Msg{Data: data})
	}
	meet(claim{Session: "back again", Since: time.Now().Add(3 * time.Hour).UnixNano(), Cut: true})
	if ended() {
		t.Fatal(c.failure)
	}
	if err := c.conn.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	until(t, "it is connected again", func() bool { return c.conn.Stats().Reconnects > 0 && c.conn.IsConnected() })
	meet(claim{Session: "of an equal", Since: time.Now().Add(-3 * time.Hour).UnixNano(), Cut: true})
	if ended() {
		t.Fatal(c.failure)
	}
	meet(claim{Session: "in its place", Since: time.Now().Add(-3 * time.Hour).UnixNano()})
	if !ended() || !strings.Contains(c.failure.Error(), "taken over the cluster (session in its place)") {
		t.Errorf("it goes on beside another: %v", c.failure)
	}
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
