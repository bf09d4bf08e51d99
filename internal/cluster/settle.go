package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"quintune/selfplay"
)

// Settle plays again what is in doubt, in all batches of the run so far: the unaudited pairs of newly quarantined workers, and
// pairs whose audit was still open when their batch was cancelled, as that of a test is when the test is decided. It returns a
// *Wrong for the first batch with a forged result. Run calls it at its beginning and end; a run that has played its last batch
// calls it once more before it uses the result, and a run of the tuner after each of its steps.
func (c *Coordinator) Settle(ctx context.Context) error {
	c.settling.Lock()
	defer c.settling.Unlock()
	for {
		select {
		case <-c.failed: // perhaps since this machine contradicts itself
			return c.failure
		default:
		}
		if list := c.suspects.list(); len(list) > 0 {
			if err := c.settle(ctx, list[0]); err != nil {
				return err
			}
			c.suspects.remove(list[0])
			continue
		}
		o, more := c.nextOwed()
		if !more {
			return nil
		}
		// If they are forged, their author is a suspect now, whose earlier results come first.
		if _, err := c.recheck(ctx, &o); err != nil {
			c.owe(o)
			return err
		}
	}
}

// settle plays a suspect's unaudited pairs again, batch by batch.
func (c *Coordinator) settle(ctx context.Context, suspect string) error {
	if !c.config.Outside.comparable() {
		return nil // its games do not come again
	}
	for number := 0; number < c.batches(); number++ {
		c.playing.Lock()
		pairs := c.ledger.batches[number].unaudited(suspect)
		c.playing.Unlock()
		if len(pairs) == 0 {
			continue
		}
		c.config.Log.Info("results of a quarantined worker are played again", "batch", number, "pairs", len(pairs))
		wrong, err := c.recheck(ctx, &owed{number: number, author: suspect, pairs: pairs})
		if err != nil {
			return err
		}
		if wrong {
			return &Wrong{number, c.members.quarantinedFor(suspect)}
		}
	}
	return nil
}

// Unchecked returns the number of pairs in a journal that quarantined workers have played and that nobody has confirmed: a run that goes
// on without a cluster believes them. It is 0 where results cannot be compared.
func Unchecked(j Journal, outside *Outside) (pairs int, err error) {
	quarantined := false
	err = j.EachQuarantine(func(string, string, string, time.Time) error {
		quarantined = true
		return nil
	})
	if err != nil || !quarantined || !outside.comparable() {
		return 0, err
	}
	l, err := openLedger(j)
	if err != nil {
		return 0, err
	}
	for _, q := range l.quarantined {
		for _, e := range l.batches {
			pairs += len(e.unaudited(q.Key))
		}
	}
	return pairs, nil
}

// owed are accepted pairs of a worker whose audit was still open when their batch was cancelled.
type owed struct {
	number int // of the batch in the ledger
	author string
	pairs  []int
	claims map[int][]claimed // results of others for pairs in dispute
}

// owe keeps pairs for Settle.
func (c *Coordinator) owe(o owed) {
	c.playing.Lock()
	defer c.playing.Unlock()
	c.owed = append(c.owed, o)
}

// nextOwed takes the pairs that were kept first.
func (c *Coordinator) nextOwed() (o owed, more bool) {
	c.playing.Lock()
	defer c.playing.Unlock()
	if len(c.owed) == 0 {
		return o, false
	}
	o, c.owed = c.owed[0], c.owed[1:]
	return o, true
}

// inDoubt returns the pairs of a batch whose audit is still open, by author. Those of suspects are checked anyway.
func (d *dispatcher) inDoubt() []owed {
	var list []owed
	suspects := d.c.suspects.list()
	for i, author := range d.author {
		if !d.doubted[i] || !d.have[i] || d.confirmed[i] || author == "" || slices.Contains(suspects, author) {
			continue
		}
		k := slices.IndexFunc(list, func(o owed) bool { return o.author == author })
		if k < 0 {
			k, list = len(list), append(list, owed{number: d.number, author: author, claims: map[int][]claimed{}})
		}
		list[k].pairs = append(list[k].pairs, i)
		list[k].claims[i] = d.claims[i]
	}
	return list
}

// batches returns the number of batches in the ledger.
func (c *Coordinator) batches() int {
	c.playing.Lock()
	defer c.playing.Unlock()
	return len(c.ledger.batches)
}

// suspects are the quarantined workers whose unaudited results must be played again. Safe for concurrent use.
type suspects struct {
	mu   sync.Mutex
	keys []string
}

func (s *suspects) add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.keys, key) {
		s.keys = append(s.keys, key)
	}
}

func (s *suspects) remove(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = slices.DeleteFunc(s.keys, func(k string) bool { return k == key })
}

func (s *suspects) list() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.keys)
}

// firstWrong returns the earlier of two batches: one that is known to be wrong, and the first wrong one among
// the suspects' results. playing is the error with which the known one ended: another one than its cancellation comes first.
func (c *Coordinator) firstWrong(ctx context.Context, known *Wrong, playing error) error {
	if playing != nil && ctx.Err() == nil {
		return playing
	}
	var earlier *Wrong
	err := c.Settle(ctx)
	switch {
	case errors.As(err, &earlier) && earlier.Batch < known.Batch:
		return earlier
	case err != nil && !errors.As(err, &earlier):
		return err
	}
	return known
}

// recheck has others play some of a worker's pairs of a batch again, and reports whether one was forged. Then it quarantines the worker.
// Who denied a right result is quarantined too.
func (c *Coordinator) recheck(ctx context.Context, o *owed) (wrong bool, err error) {
	number, pairs, author := o.number, o.pairs, o.author
	c.playing.Lock()
	e := c.ledger.batches[number]
	c.playing.Unlock()
	kept, err := e.read()
	if err != nil {
		return false, err
	}
	batch, refs, err := kept.part(pairs, c.config.Outside)
	if err != nil {
		return false, err
	}
	d := c.newDispatcher(batch, refs, kept.Sets, nil)
	if d.number = number; c.members.quarantinedFor(author) == "" || !c.queue.other(author) { // else it gets no tasks
		d.not = []string{author}
	}
	if err := d.play(ctx); err != nil {
		return false, err
	}
	var unproven []int
	for k, i := range pairs {
		c.playing.Lock()
		believed := e.digest[i]
		c.playing.Unlock()
		claims := slices.Clone(o.claims[i])
		if !failedByChance(&d.results[k]) { // else it denies nothing
			claims = append(claims, claimed{d.author[k], d.digest[k]})
		}
		if d.digest[k] == believed && !slices.ContainsFunc(claims, func(c claimed) bool { return c.digest != believed }) {
			continue
		}
		own, err := c.playOne(ctx, batch, k) // a single worker's result proves nothing, so this process plays the pair
		if err != nil {
			return false, err
		}
		if failedByChance(&own) {
			unproven = append(unproven, i)
			continue
		}
		sent := send(k, &own, batch)
		c.playing.Lock()
		if right := digestOf(&sent); right != believed {
			d.quarantine(author, d.forged(i, believed, right))
			c.playing.Unlock()
			return true, nil
		}
		for _, claim := range claims {
			if claim.digest != believed {
				d.quarantine(claim.worker, fmt.Sprintf("batch %d, pair %d: it denied a right result", number, i))
			}
		}
		c.playing.Unlock()
	}
	c.playing.Lock()
	defer c.playing.Unlock()
	return false, e.write(line{Confirmed: without(pairs, unproven...)})
}

// part returns some pairs of a stored batch as a batch of their own, with the names of its players in messages.
func (k *keptBatch) part(indices []int, outside *Outside) (*selfplay.Batch, []string, error) {
	t := k.Task
	t.Pairs = nil
	for _, i := range indices {
		t.Pairs = append(t.Pairs, k.Task.Pairs[i])
	}
	batch, err := t.unpack()
	if err != nil {
		return nil, nil, fmt.Errorf("cluster: ledger: %w", err)
	}
	for _, ref := range t.Players {
		var player selfplay.Contestant
		if data, ok := k.Sets[ref]; ok {
			player.Weights, err = receiveSet(ref, data)
		} else {
			player, err = outside.named(ref)
		}
		if err != nil {
			return nil, nil, err
		}
		batch.Contestants = append(batch.Contestants, player)
	}
	return batch, t.Players, batch.Check()
}

// Mark stores the state of the run between two batches, so that Rewind can return to it.
func (c *Coordinator) Mark(state []byte) error {
	c.playing.Lock()
	defer c.playing.Unlock()
	return c.ledger.mark(state)
}

// Rewind goes back where the error is a *Wrong. It forgets, in memory, the batches from the first wrong one on,
// and returns the last state that was marked before it, nil for the beginning of the run. For any other error
// forged is false, and the error is returned unchanged.
func (c *Coordinator) Rewind(err error) (state []byte, forged bool, failure error) {
	var wrong *Wrong
	if !errors.As(err, &wrong) {
		return nil, false, err
	}
	c.playing.Lock()
	defer c.playing.Unlock()
	state, failure = c.ledger.rewind(wrong.Batch)
	left := len(c.ledger.batches) // a mark may be of several batches before the wrong one
	c.owed = slices.DeleteFunc(c.owed, func(o owed) bool { return o.number >= left })
	return state, true, failure
}
