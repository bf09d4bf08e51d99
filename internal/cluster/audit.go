package cluster

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"time"

	"quintune/selfplay"
)

// newLots returns a random source for the choice of audits, which nobody can predict.
func newLots() *mathrand.Rand {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails
	return mathrand.New(mathrand.NewChaCha8(seed))
}

// ownPlay is the queue of pairs that the coordinator plays itself: pairs in dispute, and audits that no other
// worker can make.
type ownPlay struct {
	queue   []int
	busy    bool
	results chan ownResult
	running sync.WaitGroup // of the pair in play
}

// mostTries is how often this process plays a pair, or proves an engine, before a failure by chance counts.
const mostTries = 3

// ownResult is a pair that the coordinator has played. Its result counts as correct.
type ownResult struct {
	index  int
	result selfplay.Result
	err    error
}

// ask queues a pair.
func (o *ownPlay) ask(index int) {
	if !slices.Contains(o.queue, index) {
		o.queue = append(o.queue, index)
	}
}

// next starts the next queued pair unless one is being played. Pairs that workers have settled meanwhile are dropped.
func (o *ownPlay) next(ctx context.Context, d *dispatcher) {
	for !o.busy && len(o.queue) > 0 && d.settled(o.queue[0]) {
		o.queue = o.queue[1:]
	}
	if o.busy || len(o.queue) == 0 {
		return
	}
	index := o.queue[0]
	o.queue, o.busy = o.queue[1:], true
	o.running.Go(func() {
		result, err := d.c.playOne(ctx, d.batch, index)
		select {
		case o.results <- ownResult{index, result, err}:
		case <-ctx.Done():
		}
	})
}

// settled reports whether a pair has a result that workers agree about, and that is confirmed if it has to be.
func (d *dispatcher) settled(index int) bool {
	return d.have[index] && len(d.claims[index]) == 0 && (!d.doubted[index] || d.confirmed[index])
}

// playOne plays one pair of a batch in this process, several times where an engine from outside fails by chance.
func (c *Coordinator) playOne(ctx context.Context, batch *selfplay.Batch, index int) (result selfplay.Result, err error) {
	one := *batch
	one.Pairings = batch.Pairings[index : index+1]
	for range mostTries {
		results, err := c.judge.Run(ctx, &one, nil)
		if err != nil {
			return selfplay.Result{}, err
		}
		if result = results[0]; !failedByChance(&result) {
			break
		}
	}
	return result, nil
}

// audit has other workers play the pairs again, or this process where there are none.
func (d *dispatcher) audit(pairs []int, author string) {
	d.c.figures.audits.Add(int64(len(pairs)))
	for _, i := range pairs {
		d.doubted[i] = true
	}
	if !d.c.queue.other(author) {
		for _, i := range pairs {
			d.own.ask(i)
		}
		return
	}
	for _, part := range d.cut(pairs) {
		d.add(&dispatch{pairs: part, audit: true, not: []string{author}})
	}
}

// dispute records that a worker's result for a pair differs, and queues the pair for the coordinator to decide.
func (d *dispatcher) dispute(index int, worker string, sum digest) error {
	d.c.figures.disputes.Add(1)
	d.c.config.Log.Warn("two workers disagree; the coordinator plays the pair", "batch", d.number, "pair", index,
		"workers", []string{d.author[index], worker})
	d.confirmed[index], d.doubted[index] = false, true
	d.claims[index] = append(d.claims[index], claimed{worker, sum})
	d.own.ask(index)
	return d.unconfirm(index)
}

// unconfirm records that nobody confirms a pair, though an accomplice may have: Settle plays it again where the batch is cancelled
// or the run interrupted.
func (d *dispatcher) unconfirm(index int) error {
	return d.record.write(line{Author: d.author[index], Pairs: []int{index}, Digests: []digest{d.digest[index]}})
}

// judged handles a result that the coordinator played itself. Workers that sent another result are quarantined.
func (d *dispatcher) judged(o ownResult) error {
	d.own.busy = false
	if o.err != nil {
		return o.err
	}
	i := o.index
	if d.have[i] && !d.c.config.Outside.comparable() {
		return nil // a worker was faster, and the engine does not repeat its games, so the first one counts
	}
	sent := send(i, &o.result, d.batch)
	sum, chance := digestOf(&sent), failedByChance(&o.result) || d.have[i] && failedByChance(&d.results[i])
	if !d.have[i] {
		d.results[i], d.digest[i], d.have[i] = o.result, sum, true
		if err := d.accept(line{Pairs: []int{i}, Digests: []digest{sum}}); err != nil {
			return err
		}
	}
	if chance && d.digest[i] != sum {
		d.c.config.Log.Warn("an engine failed in a pair of which workers have other results: the first one counts", "batch", d.number, "pair", i)
		d.confirmed[i] = true // nothing is proven, so the ledger does not say so
		delete(d.claims, i)
		return nil
	}
	if d.digest[i] != sum {
		if err := d.unconfirm(i); err != nil {
			return err
		}
		d.quarantine(d.author[i], d.forged(i, d.digest[i], sum))
		d.wrong = append(d.wrong, i)
		d.results[i], d.digest[i], d.confirmed[i] = o.result, sum, true // the ledger still holds the forged one
	}
	for _, c := range d.claims[i] {
		if c.digest != sum && !chance {
			d.quarantine(c.worker, d.forged(i, c.digest, sum))
		}
	}
	delete(d.claims, i)
	return d.confirm([]int{i})
}

// forged returns the reason for a quarantine.
func (d *dispatcher) forged(index int, got, want digest) string {
	return fmt.Sprintf("batch %d, pair %d: its result has digest %016x, the coordinator's %016x", d.number, index, uint64(got), uint64(want))
}

// quarantine accepts nothing more from a worker. The pairs that it played in this batch are played again.
func (d *dispatcher) quarantine(worker, reason string) {
	c := d.c
	if worker == c.local || worker == c.party() || worker == "" {
		c.fail(fmt.Errorf("cluster: this machine contradicts itself: %s", reason))
		return
	}
	c.suspects.add(worker) // again where it was in quarantine for something else, and its results were checked before this one
	if !c.quarantine(worker, "forged results", reason) {
		return
	}
	if c.server != nil {
		c.stopped.Go(func() { c.banLater(worker) })
	}
	if !c.config.Outside.comparable() {
		return // its games do not come again
	}
	var suspect []int
	for i := range d.author {
		if d.have[i] && d.author[i] == worker && !d.confirmed[i] {
			suspect = append(suspect, i)
		}
	}
	d.audit(suspect, worker)
}

// quarantine accepts nothing more from a party for the rest of the run. The pairs that the party played are
// checked. It returns false where the party was in quarantine already. It is safe for concurrent use.
func (c *Coordinator) quarantine(worker, why, reason string) bool {
	now := time.Now()
	label, fresh := c.members.quarantine(Refusal{When: now, Key: worker, Reason: reason})
	if !fresh {
		return false
	}
	c.members.fault("quarantine")
	attributes := []any{"worker", label, "key", worker, "reason", reason}
	if c.server == nil {
		attributes = append(attributes, "connection", "the server still takes its messages: end it with `tune cluster revoke "+worker+"` there")
	}
	c.config.Log.Error("worker quarantined: "+why, attributes...)
	c.suspects.add(worker)
	c.keeping.Lock()
	err := c.ledger.quarantine(Refusal{now, label, worker, reason})
	c.keeping.Unlock()
	if err != nil {
		c.fail(err)
	}
	return true
}

// banLater ends the workers' connections after a delay, so that each can still receive the reason.
func (c *Coordinator) banLater(workers ...string) {
	select {
	case <-c.closing:
		return
	case <-time.After(lostAfter * c.config.Timing.Heartbeat):
	}
	c.server.ban(workers...)
}
