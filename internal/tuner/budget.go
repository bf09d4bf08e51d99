package tuner

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"quintune/internal/book"
	"quintune/internal/engine"
	"quintune/internal/fit"
	"quintune/internal/run"
	"quintune/internal/stream"
	"quintune/selfplay"
)

// A speed measurement takes one sixtieth of the time for which games are planned, within these bounds. It is
// long enough that short loads of the machine do not matter.
const (
	leastSpeedTime   = 1500 * time.Millisecond
	mostSpeedTime    = 10 * time.Second
	speedTimeDivisor = 60
)

// Pairs for each worker: in one batch of the measurement, and the least that are waited for where games are slow.
const (
	speedPairs      = 16
	leastSpeedPairs = 2
	mostCouples     = 1024 // of candidates of an engine from outside, each with its values: the workers of a cluster say how many they are
)

// GamesIn returns the budget of a run that takes as long as the duration; see MatchGamesIn.
func GamesIn(ctx context.Context, d time.Duration, c *Config, runner selfplay.Runner, workers int) (int, error) {
	games, err := MatchGamesIn(ctx, d, c, runner, workers)
	if err != nil {
		return 0, err
	}
	return c.affordable(float64(games)), nil
}

// MatchGamesIn returns the number of games at the nodes of the run that fit in the duration, within the bounds of a budget. It
// measures the speed by playing the start weights against themselves for a while, or candidates of an engine from outside against
// each other. The runner must have the given number of workers.
func MatchGamesIn(ctx context.Context, d time.Duration, c *Config, runner selfplay.Runner, workers int) (int, error) {
	train := c.part(book.Train).Openings
	players, err := c.speedPlayers(min(speedPairs*workers, mostCouples))
	if err != nil {
		return 0, fmt.Errorf("tuner: measuring the speed: %w", err)
	}
	b := &selfplay.Batch{Contestants: players, Rule: c.rule, Size: c.Size, Nodes: c.Nodes}
	next := func(pairs int) *selfplay.Batch {
		b.Pairings = b.Pairings[:0]
		for i := range speedPairs * workers {
			b.Pairings = append(b.Pairings, selfplay.Pairing{
				A: 2 * i % len(players), B: (2*i + 1) % len(players), Opening: train[(pairs+i)%len(train)].Moves,
			})
		}
		return b
	}
	long := max(leastSpeedTime, min(mostSpeedTime, d/speedTimeDivisor))
	perSecond, err := selfplay.Speed(ctx, runner, workers, leastSpeedPairs, long, next)
	if err != nil {
		return 0, fmt.Errorf("tuner: measuring the speed: %w", err)
	}
	return int(max(run.MinBudget, min(run.MaxBudget, perSecond*d.Seconds()))), nil
}

// speedPlayers returns the players of the measured pairs: the start, or for an engine from outside a couple of candidates for each
// of a number of pairs. Most ways to pass values start the engine again for each candidate, which may take longer than its games.
func (c *Config) speedPlayers(pairs int) ([]selfplay.Contestant, error) {
	if c.Tuned == nil {
		start := c.start()
		return []selfplay.Contestant{start.Contestant()}, nil
	}
	outside, err := newOutsideEngine(c)
	if err != nil {
		return nil, err
	}
	random, centre := stream.New(c.Seed, "speed"), outside.start()
	var players []selfplay.Contestant
	for range pairs {
		up, down := slices.Clone(centre), slices.Clone(centre)
		for i := range centre {
			step := float64(engine.SpeedSpread * (float64(2*random.Float64()) - 1))
			up[i] += step
			down[i] -= step
		}
		for _, genes := range [][]float64{up, down} {
			candidate, err := outside.decode(genes)
			if err != nil {
				return nil, err
			}
			players = append(players, candidate.player)
		}
	}
	return players, nil
}

// affordable returns the budget that takes as long as the given number of games at the tuning nodes.
func (c *Config) affordable(games float64) int {
	p := c.plan(int(games))
	cost := float64(p.cost(int(games))) - float64(p.evolution) + c.stageCost(p.evolution) +
		c.labelsCost(c.fitted(p.evolution), p.evolution)
	return int(max(run.MinBudget, min(run.MaxBudget, games*games/cost)))
}

// labelsCost returns the cost of the labels of a number of games, counted in games at the tuning nodes: a fit is in the first stage of
// an evolution.
func (c *Config) labelsCost(games, evolution int) float64 {
	return float64(labelCost*float64(games)) * float64(c.stages(evolution)[0].nodes) / float64(c.Nodes)
}

// fitted returns the number of games of the evolution that are played for a fit.
func (c *Config) fitted(evolution int) int {
	if c.Optimizer == fit.Method {
		return evolution
	}
	return fit.WarmGames(c.WarmStart, evolution)
}

// GenerationGames is what a generation counts in a budget (docs/tuning.md). It belongs to the command line, so it never
// changes. The strategy makes more and smaller generations of it.
const GenerationGames = 922

// GamesOf returns the budget, in games, whose evolution counts as the given number of generations.
func GamesOf(generations int64, c *Config) (int, error) {
	if most := int64(evolutionOf(run.MaxBudget, !c.NoGate) / GenerationGames); generations < 1 || generations > most {
		return 0, fmt.Errorf("tuner: the budget is %d generations, not in [1, %d]", generations, most)
	}
	return sort.Search(run.MaxBudget, func(games int) bool {
		return evolutionOf(games+1, !c.NoGate) > float64(generations)*GenerationGames
	}), nil
}
