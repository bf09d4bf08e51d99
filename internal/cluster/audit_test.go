package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/board"
	"quintune/internal/cluster/faultinjecttest"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// unconfirmed counts the pairs of the ledger that only one party has played.
func unconfirmed(c *Coordinator) (pairs int) {
	for _, e := range c.ledger.batches {
		for i := range e.confirmed {
			if !e.confirmed[i] {
				pairs++
			}
		}
	}
	return pairs
}

// With an audit share of 1 every pair is played twice: by two workers, by this process and a worker, or twice by
// this process alone. No results differ.
func TestAudits(t *testing.T) {
	for _, test := range []struct {
		name         string
		jobs, others int
	}{{"alone", 1, 0}, {"with a worker", 1, 1}, {"two workers", 0, 2}} {
		t.Run(test.name, func(t *testing.T) {
			c := open(t, Config{Listen: "127.0.0.1:0", Jobs: test.jobs, Audit: 1})
			for range test.others {
				hire(t, WorkerConfig{URL: c.Address()})
			}
			until(t, "all are there", func() bool { return c.Workers() == test.jobs+test.others })
			batch := testBatch(t, 30)
			got, err := c.Run(patient(t), batch, nil)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, byPool(t, batch))
			s := c.Status()
			audited := int64(0)
			for _, w := range s.Workers {
				audited += w.Audited
			}
			if s.Audits < 30 || audited != 30 || unconfirmed(c) != 0 || s.Disputes != 0 || s.Pairs != 30 {
				t.Errorf("%d pairs are not confirmed of the ledger: %s", unconfirmed(c), s.Text())
			}
		})
	}
}

// A key that joins and sends heartbeats is nobody to wait for: the coordinator makes the audits of the only worker that plays. A worker
// counts while it asks for tasks or holds some.
func TestAuditsDoNotWaitForWhoPlaysNothing(t *testing.T) {
	c := open(t, Config{Timing: calm()})
	for _, id := range []string{"honest", "other"} {
		c.members.admit(id, joining{Name: id, Instance: "1", Jobs: 1}, true)
	}
	r := dispatcherOf(t, c, testBatch(t, 4))
	other := func(do func(*member)) { c.members.with("other", do) }
	holds := func(tasks int) {
		c.queue.mu.Lock()
		c.queue.held["other"] = tasks
		c.queue.mu.Unlock()
	}
	silent := func(m *member) { m.asked = time.Now().Add(-nextTime) }
	for _, test := range []struct {
		name string
		set  func()
		here bool // whether the coordinator plays at once
	}{
		{"has just joined", func() {}, false},
		{"has asked for nothing", func() { other(silent) }, true},
		{"joins again", func() { c.members.admit("other", joining{Name: "other", Instance: "2", Jobs: 1}, true) }, true},
		{"asks", func() { c.queue.ask("other", &nats.Msg{}) }, false},
		{"asks no more", func() {
			other(silent)
			holds(0)
		}, true},
		{"holds a task", func() { holds(1) }, false},
		{"rests", func() { other((*member).penalize) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.set()
			r.own.queue, r.dispatches = nil, nil
			r.audit([]int{0}, "honest")
			if here := len(r.own.queue) > 0; here != test.here || here == (len(r.dispatches) > 0) {
				t.Errorf("the coordinator plays it: %v, want %v; %d tasks", here, test.here, len(r.dispatches))
			}
		})
	}
}

// contrary is a runner that reports the wrong winner.
type contrary struct{ selfplay.Runner }

func (c contrary) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results, err := c.Runner.Run(ctx, b, done)
	for i := range results {
		results[i].Games[0].Outcome = board.Draw
	}
	return results, err
}

// A coordinator whose own second play gives another result cannot decide disputes, so the run ends.
func TestMachineThatContradictsItself(t *testing.T) {
	c := open(t, Config{Jobs: 1, Audit: 1})
	c.judge = contrary{c.judge}
	_, err := c.Run(patient(t), testBatch(t, 10), nil)
	if err == nil || !strings.Contains(err.Error(), "contradicts itself") {
		t.Errorf("%v", err)
	}
}

// A worker with the coordinator's own key that forges cannot be kept out, so the run ends.
func TestCoordinatorsKeyIsNotQuarantined(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	d := &dispatcher{c: c}
	d.quarantine(c.party(), "digests differ")
	<-c.failed
	if !strings.Contains(c.failure.Error(), "contradicts itself") {
		t.Error(c.failure)
	}
	if reason := c.members.quarantinedFor(c.party()); reason != "" {
		t.Errorf("it is kept out: %s", reason)
	}
}

// A worker requests weights of the same content only once, however often they play.
func TestWeightsTravelOnce(t *testing.T) {
	c := open(t, Config{Jobs: 1})
	var asked atomic.Int64
	if _, err := c.conn.Subscribe(weightsPrefix+"*", func(*nats.Msg) { asked.Add(1) }); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		batch := testBatch(t, 6)
		batch.Contestants = append(batch.Contestants, selfplay.Contestant{Weights: weightstest.Preset(t, "huang")})
		batch.Pairings[0].A = len(batch.Contestants) - 1
		if _, err := c.Run(patient(t), batch, nil); err != nil {
			t.Fatal(err)
		}
	}
	// Two slots may request a set at the same time.
	if got := asked.Load(); got < 2 || got > 4 {
		t.Errorf("the two sets were asked for %d times by two slots", got)
	}
}

// recorded returns a dispatcher that the ledger knows, with pair 0 of the batch out as task 0, and workers whose tasks are not chosen
// for audit.
func recorded(t *testing.T, outside *Outside, batch *selfplay.Batch, workers ...string) *dispatcher {
	t.Helper()
	c := open(t, Config{Outside: outside, Timing: Timing{Heartbeat: time.Hour}, Log: (&sayings{}).logger()})
	for _, id := range workers {
		c.members.admit(id, joining{Name: id, Instance: "1", Jobs: 1}, false)
		c.members.with(id, func(m *member) { m.probed = true })
	}
	_, kept, err := describe(batch)
	if err != nil {
		t.Fatal(err)
	}
	d := dispatcherOf(t, c, batch)
	if d.record, err = c.ledger.begin(kept); err != nil {
		t.Fatal(err)
	}
	d.add(&dispatch{pairs: []int{0}})
	return d
}

// give hands the dispatcher an answer with one pair.
func give(t *testing.T, d *dispatcher, worker string, task int, p played) {
	t.Helper()
	if err := d.take(&received{worker: worker, key: key{task: task}, answer: answer{Pairs: []played{p}, Took: time.Second}, had: time.Second}); err != nil {
		t.Fatal(err)
	}
}

// Of an answer that was on its way while its sender was put into quarantine nothing counts, nor of one that cannot be: others get the
// pairs at once, not when the task straggles.
func TestRefusedAnswerIsAwaitedFromOthers(t *testing.T) {
	batch := testBatch(t, 6)
	truth := byPool(t, batch)
	for _, test := range []struct {
		name string
		send func(c *Coordinator, p *played)
	}{
		{"on its way", func(c *Coordinator, _ *played) { c.quarantine("thief", "forged results", "a test") }},
		{"cannot be", func(_ *Coordinator, p *played) { p.Games[0].Moves = "" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := recorded(t, nil, batch, "thief")
			c, k := d.c, d.dispatches[0].last.key
			c.queue.mu.Lock()
			c.queue.answer = func(*nats.Msg, []byte) error { return nil }
			c.queue.mu.Unlock()
			c.queue.ask("thief", &nats.Msg{})
			if got, _ := c.queue.take("thief", k); got != answerTaken {
				t.Fatalf("the task was not handed out: %v", got)
			}
			p := send(0, &truth[0], batch)
			test.send(c, &p)
			if err := d.take(&received{worker: "thief", key: k, answer: answer{Pairs: []played{p}}}); err != nil {
				t.Fatal(err)
			}
			d.look(time.Now())
			if copies := d.dispatches[0].copies; d.have[0] || c.members.quarantinedFor("thief") == "" || copies != 2 {
				t.Errorf("the result counts: %v, %d copies, want 2; quarantine: %q", d.have[0], copies, c.members.quarantinedFor("thief"))
			}
		})
	}
}

// An audit that is open when the run is interrupted is not made. The resumed run audits the first task of every worker again, and where
// that is forged, too, it finds what the worker sent before.
func TestResumedRunAuditsTheFirstTaskAgain(t *testing.T) {
	batch, journal := testBatch(t, 6), stored(t).Ledger()
	truth := byPool(t, batch)
	_, kept, err := describe(batch)
	if err != nil {
		t.Fatal(err)
	}
	for pair := range 2 { // each in a process of its own
		c := open(t, Config{Timing: calm(), Log: (&sayings{}).logger()})
		if err := c.Keep(journal); err != nil {
			t.Fatal(err)
		}
		if err := c.Settle(patient(t)); err != nil || unconfirmed(c) != pair*len(truth) {
			t.Fatalf("process %d finds %v, and %d pairs are not confirmed", pair, err, unconfirmed(c))
		}
		c.members.admit("thief", joining{Name: "thief", Instance: "1", Jobs: 1}, false)
		d := dispatcherOf(t, c, batch)
		if d.record, err = c.ledger.begin(kept); err != nil {
			t.Fatal(err)
		}
		d.number = d.record.number
		d.add(&dispatch{pairs: []int{pair}})
		lie := send(pair, &truth[pair], batch)
		lie.Games[0].Nodes--
		give(t, d, "thief", 0, lie)
		if !slices.Equal(d.own.queue, []int{pair}) {
			t.Fatalf("process %d audits %v, want pair %d", pair, d.own.queue, pair)
		}
		if pair == 0 {
			continue // it is interrupted
		}
		if err := d.judged(ownResult{index: pair, result: truth[pair]}); err != nil {
			t.Fatal(err)
		}
		var wrong *Wrong
		if err := c.Settle(patient(t)); !errors.As(err, &wrong) || wrong.Batch != 0 {
			t.Errorf("Settle returns %v, and batch 0 holds a forged result", err)
		}
	}
}

// An audit in which the engine of the coordinator fails proves nothing: the pair stays one that nobody has confirmed.
func TestFailedAuditConfirmsNothing(t *testing.T) {
	outside, batch := besides(t, func() selfplay.Player { return fouling{} }, pattern.Renju, 1)
	truth := byPool(t, batch)
	d := recorded(t, outside, batch, "thief")
	lie := send(0, &truth[0], batch)
	lie.Games[0].Nodes++
	give(t, d, "thief", 0, lie)
	d.audit([]int{0}, "thief")
	failed := truth[0]
	for i := range failed.Games {
		g := &failed.Games[i]
		g.Faulty = board.Colour(i)
		g.Outcome, g.Moves, g.Adjudicated = board.WinFor(g.Faulty.Other()), batch.Pairings[0].Opening, false
		g.Fault = &selfplay.Fault{Kind: "crash", Text: "crash: gone"}
	}
	d.own.queue = nil // as where the coordinator plays it
	if err := d.judged(ownResult{index: 0, result: failed}); err != nil {
		t.Fatal(err)
	}
	d.c.members.with("thief", func(m *member) {
		if !d.over() || d.record.confirmed[0] || m.audited != 0 {
			t.Errorf("over %v, confirmed in the ledger %v, audited of the worker %d", d.over(), d.record.confirmed[0], m.audited)
		}
	})
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
