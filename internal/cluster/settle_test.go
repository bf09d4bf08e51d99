package cluster

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"quintune/internal/cluster/faultinjecttest"
	"quintune/selfplay"
)

// Two keys in one hand agree about a forged result, and an honest worker's late copy disputes it. Where the batch is cancelled before the
// coordinator has decided, as that of a decided test is, the end of the run decides.
func TestDisputeOfAConfirmedPairIsSettled(t *testing.T) {
	batch := testBatch(t, 6)
	truth := byPool(t, batch)
	d := recorded(t, nil, batch, "thief", "accomplice", "honest")
	c := d.c
	if err := c.Mark([]byte("begin")); err != nil {
		t.Fatal(err)
	}
	right, lie := send(0, &truth[0], batch), send(0, &truth[0], batch)
	lie.Games[0].Nodes--
	give(t, d, "thief", 0, lie)
	d.audit([]int{0}, "thief")
	give(t, d, "accomplice", 1, lie)
	if !d.record.confirmed[0] {
		t.Fatal("the forged pair is not confirmed")
	}
	give(t, d, "honest", 0, right) // a copy of the first task
	for _, o := range d.inDoubt() {
		c.owe(o)
	}
	var wrong *Wrong
	if err := c.Settle(patient(t)); !errors.As(err, &wrong) {
		t.Errorf("Settle returns %v, and the ledger holds a forged result", err)
	}
}

// The same where the coordinator has decided and the batch is cancelled: after a dispute, or since it played the pair while an accomplice
// confirmed it. The forger may be in quarantine for something else by then, with everything checked that nobody had confirmed.
func TestForgeryOfACheckedWorkerIsSettled(t *testing.T) {
	batch := testBatch(t, 6)
	truth := byPool(t, batch)
	right, lie := send(0, &truth[0], batch), send(0, &truth[0], batch)
	lie.Games[0].Nodes--
	for _, test := range []struct {
		name                       string
		checked, disputed, decided bool
	}{
		{"an open dispute", true, true, false},
		{"a decided dispute", true, true, true},
		{"an audit", false, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := recorded(t, nil, batch, "thief", "accomplice", "honest")
			c := d.c
			if err := c.Keep(stored(t).Ledger()); err != nil {
				t.Fatal(err)
			}
			if err := c.Mark([]byte("begin")); err != nil {
				t.Fatal(err)
			}
			_, kept, err := describe(batch)
			if err == nil {
				d.record, err = c.ledger.begin(kept)
			}
			if err != nil {
				t.Fatal(err)
			}
			give(t, d, "thief", 0, lie)
			d.audit([]int{0}, "thief")
			give(t, d, "accomplice", 1, lie)
			if test.checked {
				c.quarantine("thief", "messages that no worker of ours sends", "a test")
			}
			if err := c.Settle(patient(t)); err != nil {
				t.Fatal(err)
			}
			if test.disputed {
				give(t, d, "honest", 0, right)
			}
			if d.own.queue = nil; test.decided {
				if err := d.judged(ownResult{index: 0, result: truth[0]}); err != nil {
					t.Fatal(err)
				}
			}
			for _, o := range d.inDoubt() { // the batch is cancelled
				c.owe(o)
			}
			var wrong *Wrong
			if err := c.Settle(patient(t)); !errors.As(err, &wrong) {
				t.Errorf("Settle returns %v, and the ledger holds a forged result", err)
			}
			if again, err := openLedger(c.ledger.journal); err != nil || again.batches[0].confirmed[0] {
				t.Errorf("another process takes the forged pair as confirmed (%v)", err)
			}
		})
	}
}

// What a quarantined worker has played is unchecked until somebody confirms it, for a run that goes on without a cluster.
func TestUnchecked(t *testing.T) {
	journal := stored(t).Ledger()
	if err := journal.AddBatch(0, 4, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"thief", "honest"} {
		if err := journal.AddPairs(0, key, map[string][]int{"thief": {0, 1, 2}, "honest": {3}}[key], make([]uint64, 3)); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(outside *Outside, want int) {
		t.Helper()
		if got, err := Unchecked(journal, outside); err != nil || got != want {
			t.Errorf("%d pairs, want %d; error %v", got, want, err)
		}
	}
	expect(nil, 0)
	if err := journal.Quarantine("thief", "t", "a test", time.Now()); err != nil {
		t.Fatal(err)
	}
	expect(nil, 3)
	expect(&Outside{}, 0)
	if err := journal.ConfirmPairs(0, []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	expect(nil, 1)
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
