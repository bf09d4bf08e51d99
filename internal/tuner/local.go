package tuner

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"quintune/selfplay"
)

// divided is a Runner that plays pairs of players that only this process can open with one runner, and sends all
// other pairs to another, such as a cluster.
type divided struct {
	far, near selfplay.Runner
}

// Run plays the batch; see selfplay.Runner.
func (d divided) Run(ctx context.Context, batch *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	if !slices.ContainsFunc(batch.Contestants, func(c selfplay.Contestant) bool { return stays(&c) }) {
		return d.far.Run(ctx, batch, done)
	}
	var here, there []int
	for i, p := range batch.Pairings {
		if stays(&batch.Contestants[p.A]) || stays(&batch.Contestants[p.B]) {
			here = append(here, i)
		} else {
			there = append(there, i)
		}
	}
	results := make([]selfplay.Result, len(batch.Pairings))
	var reporting sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for _, half := range []struct {
		runner  selfplay.Runner
		indices []int
	}{{d.far, there}, {d.near, here}} {
		if len(half.indices) == 0 {
			continue
		}
		group.Go(func() error {
			part := partOf(batch, half.indices)
			played, err := half.runner.Run(ctx, part, func(k int, r *selfplay.Result) {
				if done != nil {
					reporting.Lock()
					defer reporting.Unlock()
					done(half.indices[k], r)
				}
			})
			for k := range played {
				results[half.indices[k]] = played[k]
			}
			return err
		})
	}
	return results, group.Wait()
}

// stays reports whether only this process can start the player.
func stays(c *selfplay.Contestant) bool { return c.Open != nil && c.Remote == "" }

// partOf returns some pairs of a batch, with only the contestants that they need.
func partOf(batch *selfplay.Batch, indices []int) *selfplay.Batch {
	part := *batch
	part.Contestants, part.Pairings = nil, nil
	place := map[int]int{} // from a contestant's index in the batch to its index in the part
	for _, i := range indices {
		p := batch.Pairings[i]
		for _, side := range []*int{&p.A, &p.B} {
			if _, known := place[*side]; !known {
				place[*side] = len(part.Contestants)
				part.Contestants = append(part.Contestants, batch.Contestants[*side])
			}
			*side = place[*side]
		}
		part.Pairings = append(part.Pairings, p)
	}
	return &part
}
