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

// Run plays the batch; see selfplay.Runner. Each contestant has weights or a name for workers. An error of type
// *Wrong means that results accepted before are forged.
func (c *Coordinator) Run(ctx context.Context, batch *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	if err := batch.Check(); err != nil {
		return nil, err
	}
	if err := c.Settle(ctx); err != nil {
		return nil, err
	}
	refs, kept, err := describe(batch)
	if err != nil {
		return nil, err
	}
	d := c.newDispatcher(batch, refs, kept.Sets, done)
	c.playing.Lock()
	d.record, err = c.ledger.begin(kept)
	c.playing.Unlock()
	if err != nil {
		return nil, err
	}
	d.number = d.record.number
	c.figures.batch.Add(1)
	err = d.play(ctx)
	for _, o := range d.inDoubt() {
		c.owe(o)
	}
	if len(d.wrong) > 0 {
		reason := "no worker named"
		if list := c.suspects.list(); len(list) > 0 {
			reason = c.members.quarantinedFor(list[len(list)-1])
		}
		err = c.firstWrong(ctx, &Wrong{d.number, reason}, err)
	} else if err == nil {
		err = c.Settle(ctx)
	}
	return d.results, err
}

// describe returns the names of the contestants in messages, and the batch for the ledger.
func describe(batch *selfplay.Batch) (refs []string, kept *keptBatch, err error) {
	kept = &keptBatch{Sets: map[string]json.RawMessage{}}
	refs = make([]string, len(batch.Contestants))
	for i := range batch.Contestants {
		p := &batch.Contestants[i]
		switch {
		case p.Weights != nil:
			hash, data := sendSet(p.Weights)
			refs[i] = hash
			kept.Sets[hash] = data
		case p.Remote != "":
			refs[i] = p.Remote
		default:
			return nil, nil, fmt.Errorf("cluster: player %.80q has neither weights nor a name for workers, so only one process can play it", p.Name)
		}
	}
	kept.Task = *taskOf(batch, refs, everyPair(batch))
	return refs, kept, nil
}
