package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"quintune/selfplay"
)

// Settle plays again the unaudited pairs of newly quarantined workers, in all batches of the run so far. It
// returns a *Wrong for the first batch with a forged result. Run calls it at its beginning and end; a run that
// has played its last batch calls it once more before it uses the result.
func (c *Coordinator) Settle(ctx context.Context) error {
	c.settling.Lock()
	defer c.settling.Unlock()
	for {
		list := c.suspects.list()
		if len(list) == 0 {
			return nil
		}
		suspect := list[0]
		for number := 0; number < c.batches(); number++ {
			wrong, err := c.recheck(ctx, number, suspect)
			if err != nil {
				return err
			}
			if wrong {
				return &Wrong{number, c.members.quarantinedFor(suspect)}
			}
		}
		c.suspects.remove(suspect)
	}
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
	s.keys = append(s.keys, key)
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
// the suspects' results. other is an error of that check.
func (c *Coordinator) firstWrong(ctx context.Context, known *Wrong, other error) error {
	if other != nil && ctx.Err() == nil {
		return other
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

// recheck plays the suspect's unaudited pairs of one batch again, and reports whether one was forged.
func (c *Coordinator) recheck(ctx context.Context, number int, suspect string) (wrong bool, err error) {
	c.playing.Lock()
	e := c.ledger.batches[number]
	pairs := e.unaudited(suspect)
	c.playing.Unlock()
	if len(pairs) == 0 {
		return false, nil
	}
	c.config.Log.Info("results of a quarantined worker are played again", "batch", number, "pairs", len(pairs))
	kept, err := e.read()
	if err != nil {
		return false, err
	}
	batch, refs, err := kept.part(pairs, c.config.Outside)
	if err != nil {
		return false, err
	}
	r := c.newDispatcher(batch, refs, nil)
	r.number = number
	if err := r.play(ctx); err != nil {
		return false, err
	}
	for k, i := range pairs {
		c.playing.Lock()
		believed := e.digest[i]
		c.playing.Unlock()
		if r.digest[k] == believed {
			continue
		}
		own, err := c.playOne(ctx, batch, k) // a single worker's result proves nothing, so this process plays the pair
		if err != nil {
			return false, err
		}
		sent := send(k, &own, batch)
		if digestOf(&sent) != believed {
			return true, nil
		}
		c.playing.Lock()
		r.quarantine(r.author[k], fmt.Sprintf("batch %d, pair %d: it denied a right result", number, i))
		c.playing.Unlock()
	}
	c.playing.Lock()
	defer c.playing.Unlock()
	return false, e.write(line{Confirmed: pairs})
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
	return batch, t.Players, nil
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
	state, failure = c.ledger.rewind(wrong.Batch)
	return state, true, failure
}
