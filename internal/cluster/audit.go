package cluster

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"quintune/selfplay"
)

// ownPlay is the queue of pairs that the coordinator plays itself: pairs in dispute, and audits that no other
// worker can make.
type ownPlay struct {
	queue   []int
	busy    bool
	results chan ownResult
	running sync.WaitGroup
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
func (o *ownPlay) next(ctx context.Context, r *dispatcher) {
	for !o.busy && len(o.queue) > 0 && !r.inDispute(o.queue[0]) && r.settled(o.queue[0]) {
		o.queue = o.queue[1:]
	}
	if o.busy || len(o.queue) == 0 {
		return
	}
	index := o.queue[0]
	o.queue, o.busy = o.queue[1:], true
	o.running.Go(func() {
		result, err := r.c.playOne(ctx, r.batch, index)
		select {
		case o.results <- ownResult{index, result, err}:
		case <-ctx.Done():
		}
	})
}

// inDispute reports whether workers disagree about a pair.
func (r *dispatcher) inDispute(index int) bool { return len(r.claims[index]) > 0 }

// settled reports whether a pair has its result, and is confirmed if it has to be.
func (r *dispatcher) settled(index int) bool {
	return r.have[index] && (!r.doubted[index] || r.confirmed[index])
}

// wait waits for the pair in play. Its context must be cancelled.
func (o *ownPlay) wait() { o.running.Wait() }

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
func (r *dispatcher) audit(pairs []int, author string) {
	r.c.figures.audits.Add(int64(len(pairs)))
	for _, i := range pairs {
		r.doubted[i] = true
	}
	if !r.c.members.other([]string{author}) {
		for _, i := range pairs {
			r.own.ask(i)
		}
		return
	}
	for _, part := range r.c.cut(pairs) {
		r.add(&dispatch{pairs: part, audit: true, not: []string{author}})
	}
}

// dispute records that a worker's result for a pair differs, and queues the pair for the coordinator to decide.
func (r *dispatcher) dispute(index int, worker string, d digest) {
	r.c.figures.disputes.Add(1)
	r.c.config.Log.Warn("two workers disagree; the coordinator plays the pair", "batch", r.number, "pair", index,
		"workers", []string{r.author[index], worker})
	r.confirmed[index], r.doubted[index] = false, true
	r.claims[index] = append(r.claims[index], claimed{worker, d})
	r.own.ask(index)
}

// judged handles a result that the coordinator played itself. Workers that sent another result are quarantined.
func (r *dispatcher) judged(o ownResult) error {
	r.own.busy = false
	if o.err != nil {
		return o.err
	}
	i := o.index
	if r.have[i] && !r.c.config.Outside.comparable() {
		return nil // a worker was faster, and the engine does not repeat its games, so the first one counts
	}
	sent := send(i, &o.result, r.batch)
	d, chance := digestOf(&sent), failedByChance(&o.result) || r.have[i] && failedByChance(&r.results[i])
	if !r.have[i] {
		r.results[i], r.digest[i], r.have[i] = o.result, d, true
		if err := r.accept(line{Pairs: []int{i}, Digests: []digest{d}}); err != nil {
			return err
		}
	}
	if chance && r.digest[i] != d {
		r.c.config.Log.Warn("an engine failed in a pair of which workers have other results: the first one counts", "batch", r.number, "pair", i)
		d = r.digest[i]
	}
	if r.digest[i] != d {
		r.quarantine(r.author[i], r.forged(i, r.digest[i], d))
		r.wrong = append(r.wrong, i)
		r.results[i], r.digest[i], r.confirmed[i] = o.result, d, true // the ledger still holds the forged one
	}
	for _, c := range r.claims[i] {
		if c.digest != d && !chance {
			r.quarantine(c.worker, r.forged(i, c.digest, d))
		}
	}
	delete(r.claims, i)
	return r.confirm([]int{i})
}

// forged returns the reason for a quarantine.
func (r *dispatcher) forged(index int, got, want digest) string {
	return fmt.Sprintf("batch %d, pair %d: its result has digest %016x, the coordinator's %016x", r.number, index, uint64(got), uint64(want))
}

// quarantine accepts nothing more from a worker. The pairs that it played in this batch are played again.
func (r *dispatcher) quarantine(worker, reason string) {
	c := r.c
	if worker == c.local || worker == "" {
		c.fail(fmt.Errorf("cluster: this machine contradicts itself: %s", reason))
		return
	}
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
	for i := range r.author {
		if r.have[i] && r.author[i] == worker && !r.confirmed[i] {
			suspect = append(suspect, i)
		}
	}
	r.audit(suspect, worker)
}

// quarantine accepts nothing more from a party for the rest of the run. The pairs that the party played are
// checked. It returns false where the party was in quarantine already. It is safe for concurrent use.
func (c *Coordinator) quarantine(worker, why, reason string) bool {
	label, fresh := c.members.quarantine(worker, reason)
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
	err := c.ledger.quarantine(Refusal{time.Now(), label, worker, reason})
	c.keeping.Unlock()
	if err != nil {
		c.fail(err)
	}
	return true
}

// banLater ends the worker's connection after a delay, so that the worker can still receive the reason.
func (c *Coordinator) banLater(worker string) {
	select {
	case <-c.closing:
		return
	case <-time.After(lostAfter * c.config.Timing.Heartbeat):
	}
	c.server.ban(worker)
}
