package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	"quintune/selfplay"
)

var _ selfplay.Runner = (*Coordinator)(nil)

// Wrong is the error of a batch when results that were accepted before, in this batch or an earlier one, turn
// out to be forged. The run must go back; see Coordinator.Rewind.
type Wrong struct {
	Batch  int    // first batch with a forged result
	Reason string // worker, and how the forgery was detected
}

// Error names the batch and the reason.
func (w *Wrong) Error() string {
	return fmt.Sprintf("cluster: batch %d holds forged results (%s)", w.Batch, w.Reason)
}

// Run plays the batch; see selfplay.Runner. Pairs whose players only this process can start are played here. An
// error of type *Wrong means that results accepted before are forged.
func (c *Coordinator) Run(ctx context.Context, batch *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	if err := batch.Check(); err != nil {
		return nil, err
	}
	if err := c.Settle(ctx); err != nil {
		return nil, err
	}
	refs, kept := c.describe(batch)
	var away, home []int
	for i := range batch.Pairings {
		if p := &batch.Pairings[i]; refs[p.A] == "" || refs[p.B] == "" {
			home = append(home, i)
		} else {
			away = append(away, i)
		}
	}
	r := c.newDispatcher(batch, refs, done)
	var err error
	c.playing.Lock()
	r.record, err = c.ledger.begin(kept)
	c.playing.Unlock()
	if err != nil {
		return nil, err
	}
	r.number = r.record.number
	c.figures.batch.Add(1)
	err = r.play(ctx, away, home)
	if len(r.wrong) > 0 {
		reason := "no worker named"
		if list := c.suspects.list(); len(list) > 0 {
			reason = c.members.quarantinedFor(list[len(list)-1])
		}
		err = c.firstWrong(ctx, &Wrong{r.number, reason}, err)
	} else if err == nil {
		err = c.Settle(ctx)
	}
	return r.results, err
}

// describe returns the names of the contestants in messages, "" for those that only this process can start, and
// the batch for the ledger.
func (c *Coordinator) describe(batch *selfplay.Batch) (refs []string, kept *keptBatch) {
	kept = &keptBatch{Sets: map[string]json.RawMessage{}}
	refs = make([]string, len(batch.Contestants))
	for i := range batch.Contestants {
		p := &batch.Contestants[i]
		if p.Weights == nil {
			refs[i] = p.Remote
			continue
		}
		hash, data := sendSet(p.Weights)
		refs[i] = hash
		kept.Sets[hash] = data
	}
	all := make([]int, len(batch.Pairings))
	for i := range all {
		all[i] = i
	}
	kept.Task = *taskOf(batch, refs, all)
	return refs, kept
}

// baselinePrefix begins the names of baseline players in messages. A task never contains a command.
const baselinePrefix = "baseline:"

// homeResult is a pair that was played here because one of its players cannot be sent to workers.
type homeResult struct {
	index  int
	result selfplay.Result
	err    error
	over   bool
}

// startHome plays the pairs of home in this process, while the workers play the others.
func (r *dispatcher) startHome(ctx context.Context, home []int) <-chan homeResult {
	if len(home) == 0 {
		return nil
	}
	results := make(chan homeResult)
	batch := *r.batch
	batch.Pairings = nil
	for _, i := range home {
		batch.Pairings = append(batch.Pairings, r.batch.Pairings[i])
	}
	tell := func(h homeResult) {
		select {
		case results <- h:
		case <-ctx.Done():
		}
	}
	pool := selfplay.NewPool(r.c.config.Jobs)
	r.own.running.Go(func() {
		_, err := pool.Run(ctx, &batch, func(k int, result *selfplay.Result) {
			tell(homeResult{index: home[k], result: *result})
		})
		tell(homeResult{err: err, over: true})
	})
	return results
}

// tookHome handles a pair that was played here.
func (r *dispatcher) tookHome(h homeResult) error {
	if h.over {
		return h.err
	}
	i := h.index
	r.results[i], r.have[i], r.confirmed[i] = h.result, true, true
	return r.accept(line{Pairs: []int{i}, Digests: []digest{0}})
}
