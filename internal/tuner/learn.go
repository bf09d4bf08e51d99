package tuner

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"quintune/board"
	"quintune/ga"
	"quintune/internal/fit"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// Methods returns the names of the optimisers of a run.
func Methods() []string { return append(ga.Methods(), fit.Method) }

// newOptimizer returns the optimiser of the configuration.
func (r *Run) newOptimizer() (ga.Optimizer, error) {
	c, err := r.optimizerConfig()
	if err != nil {
		return nil, err
	}
	method := r.config.Optimizer
	switch {
	case method == fit.Method:
		return fit.New(c, r.own.space)
	case r.config.WarmStart > 0:
		return fit.NewWarm(c, r.own.space, r.config.WarmStart, func(c ga.Config) (ga.Optimizer, error) { return ga.New(method, c) })
	}
	return ga.New(method, c)
}

// learn hands the positions of a generation's games to an optimiser that wants them.
func (r *Run) learn(ctx context.Context, batch *selfplay.Batch, results []selfplay.Result) error {
	learner, able := r.optimizer.(fit.Learner)
	if !able || !learner.Wants() {
		return nil
	}
	var games []fit.Played
	for i := range results {
		if results[i].Void() {
			continue
		}
		for _, g := range results[i].Games {
			games = append(games, fit.Played{Moves: g.Moves, Opening: len(batch.Pairings[i].Opening), Outcome: g.Outcome})
		}
	}
	chosen, err := fit.Choose(games, batch.Size, batch.Rule, r.config.Seed, batch.Purpose)
	if err != nil {
		return err
	}
	set, err := r.own.space.Decode(r.optimizer.Champion())
	if err != nil {
		return err
	}
	r.beginLabels(len(chosen))
	defer r.endLabels()
	if err := r.search(ctx, set, games, chosen); err != nil {
		return err
	}
	positions, err := fit.Label(games, chosen, batch.Size, batch.Rule)
	if err != nil {
		return err
	}
	return learner.Learn(positions)
}

// labelNodes is how much further than in its games the engine looks at a position to label it, in tuning nodes: what the
// deeper search sees is what the static score is to learn.
const labelNodes = 8

// labelCost is how long it takes to label the positions of a game, in games, as measured.
const labelCost = .7

// search notes what a search finds of every position. It starts from an empty memory, so that its score does not depend on
// who made which.
func (r *Run) search(ctx context.Context, set *weights.Set, games []fit.Played, chosen []fit.Scored) error {
	var next atomic.Int64
	var telling sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			engine, err := search.NewEngine(set, r.config.Size, r.config.Rule, search.Options{})
			if err != nil {
				return err
			}
			position, err := board.New(r.config.Size, r.config.Rule)
			if err != nil {
				return err
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(chosen) {
					return nil
				}
				s := &chosen[i]
				position.Reset()
				for _, m := range games[s.Game].Moves[:s.Ply] {
					position.Play(m)
				}
				engine.NewGame()
				result := engine.Search(ctx, position, search.Limits{Nodes: labelNodes * r.config.Nodes}, nil)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				s.Best, s.Score = result.Best, result.Score
				telling.Lock()
				r.positionLabelled()
				telling.Unlock()
			}
		})
	}
	return group.Wait()
}
