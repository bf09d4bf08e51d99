package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"quintune/board"
	"quintune/pattern"
	"quintune/selfplay"
)

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
