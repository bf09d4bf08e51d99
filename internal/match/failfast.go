package match

import (
	"context"
	"errors"
	"fmt"
	"io"

	"quintune/selfplay"
)

// mostFaults is the number of void pairs in a row, all because the same player failed, that ends a match.
const mostFaults = 5

// ErrFails means that a player does not start, or fails again and again.
var ErrFails = errors.New("cannot play")

// FailFast returns a runner that starts every player of a batch once before the first pair. It ends the batch
// with an error after mostFaults void pairs in a row, or when all pairs are void. The batch may be the rest of a match of which
// a number of pairs that are not void were played before: then a few void pairs do not end it. Players that are weights do not fail.
func FailFast(inner selfplay.Runner, before int) selfplay.Runner { return &failFast{inner, before} }

type failFast struct {
	inner  selfplay.Runner
	before int
}

// Run plays a batch; see selfplay.Runner. Its error wraps ErrFails where a player cannot play.
func (f *failFast) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	for i := range b.Contestants {
		if err := Try(&b.Contestants[i], b); err != nil {
			return nil, fmt.Errorf("%s %w: it does not start: %w", nameOf(b, i), ErrFails, err)
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	inARow, counted := make([]int, len(b.Contestants)), f.before > 0
	results, err := f.inner.Run(ctx, b, func(i int, r *selfplay.Result) {
		if done != nil {
			done(i, r)
		}
		counted = counted || !r.Void()
		for side, failed := range r.Failed() {
			k := [2]int{b.Pairings[i].A, b.Pairings[i].B}[side]
			if inARow[k]++; failed == nil {
				inARow[k] = 0
			}
			if inARow[k] >= mostFaults {
				stop(fmt.Errorf("%s %w: it failed in %d pairs in a row, last: %w", nameOf(b, k), ErrFails, inARow[k], failed))
			}
		}
	})
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, ErrFails):
		return results, cause
	case err == nil && !counted && len(results) > 0:
		return results, lastFailures(b, results)
	}
	return results, err
}

// Try starts a contestant's player, begins a game under the conditions of the batch, and closes the player.
func Try(c *selfplay.Contestant, b *selfplay.Batch) error {
	if c.Weights != nil {
		return nil
	}
	p, err := c.Open(b.Size, b.Rule, b.Nodes)
	if err != nil {
		return err
	}
	err = p.NewGame(0)
	if closer, ok := p.(io.Closer); ok {
		_ = closer.Close() // Close kills a process that does not end by itself
	}
	return err
}

// lastFailures returns who failed in the last pair, on one line, where all pairs are void.
func lastFailures(b *selfplay.Batch, results []selfplay.Result) (err error) {
	last := len(results) - 1
	pairing := b.Pairings[last]
	for side, failed := range results[last].Failed() {
		if failed == nil {
			continue
		}
		one := fmt.Errorf("%s %w: no pair counts, and it failed in the last: %w", nameOf(b, [2]int{pairing.A, pairing.B}[side]), ErrFails, failed)
		if err == nil {
			err = one
		} else {
			err = fmt.Errorf("%w; %w", err, one)
		}
	}
	return err
}

// nameOf returns the name of a contestant, for people.
func nameOf(b *selfplay.Batch, i int) string {
	if name := b.Contestants[i].Name; name != "" {
		return name
	}
	return fmt.Sprintf("player %d", i+1)
}
