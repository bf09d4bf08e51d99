package book

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// variation is the share by which the ordering weights of players differ from those of the board. Their strength stays
// nearly the same, their games do not.
const variation = .1

// judge plays openings out, to find those that decide the game.
type judge struct {
	cfg  *Config
	set  *weights.Set // of the board: the strongest there is
	pool *selfplay.Pool
}

func newJudge(cfg *Config) (*judge, error) {
	set, err := weights.Preset(weights.EvolvedFor(cfg.Rule, cfg.Size))
	if err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	return &judge{cfg, set, selfplay.NewPool(cfg.Workers)}, nil
}

// undecided returns those of the openings from which no colour wins all games of the configuration's pairs. The players of
// a pair have ordering weights that differ a little, as a function of seed, opening and pair. An opening is played no
// further once it is known to stay.
func (j *judge) undecided(ctx context.Context, openings []Opening) ([]Opening, error) {
	first := make([]board.Outcome, len(openings)) // of the first game
	stays := make([]bool, len(openings))
	for pair := range j.cfg.Pairs {
		batch := &selfplay.Batch{Rule: j.cfg.Rule, Size: j.cfg.Size, Nodes: j.cfg.Nodes}
		var places []int
		for i := range openings {
			if stays[i] {
				continue
			}
			rng := stream.New(j.cfg.Seed, "%sopening %x pair %d", j.cfg.Purpose, openings[i].Key, pair)
			for range 2 {
				batch.Contestants = append(batch.Contestants, selfplay.Contestant{Weights: varied(j.set, rng)})
			}
			batch.Pairings = append(batch.Pairings, selfplay.Pairing{A: 2 * len(places), B: 2*len(places) + 1, Opening: openings[i].Moves})
			places = append(places, i)
		}
		results, err := j.pool.Run(ctx, batch, nil)
		if err != nil {
			return nil, fmt.Errorf("book: playing openings: %w", err)
		}
		for k, i := range places {
			games := &results[k].Games
			if pair == 0 {
				first[i] = games[0].Outcome
			}
			stays[i] = first[i] == board.Draw || games[0].Outcome != first[i] || games[1].Outcome != first[i]
		}
	}
	var list []Opening
	for i, o := range openings {
		if stays[i] {
			list = append(list, o)
		}
	}
	return list, nil
}

// varied returns the set with each ordering weight a little greater or smaller, by lot.
func varied(set *weights.Set, rng *rand.Rand) *weights.Set {
	v := set.Clone()
	for i, d := range weights.Declarations() {
		if strings.TrimPrefix(d.Group, weights.Prefix(pattern.Restricted)) != "order" {
			continue
		}
		factor := 1 + variation
		if rng.Uint64()&1 == 1 {
			factor = 1 - variation
		}
		v.Values[i] = max(d.Min, min(d.Max, int32(math.Round(float64(v.Values[i])*factor))))
	}
	return v
}
