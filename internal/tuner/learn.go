package tuner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"quintune/ga"
	"quintune/internal/fit"
	"quintune/weights"
)

// Methods returns the names of the optimisers of a run.
func Methods() []string { return append(ga.Methods(), fit.Method) }

// newOptimizer returns the optimiser that the configuration names.
func (r *Run) newOptimizer() (ga.Optimizer, error) {
	c, err := r.optimizerConfig()
	if err != nil {
		return nil, err
	}
	method := r.config.Optimizer
	play := func(c ga.Config) (ga.Optimizer, error) {
		if r.own != nil {
			c.Genes = withoutFitted(c.Genes)
		}
		return ga.New(method, c)
	}
	switch {
	case method == fit.Method:
		return fit.New(c, r.own.space, r.config.Fit)
	case r.config.WarmStart > 0:
		return fit.NewWarm(c, r.own.space, r.config.Fit, r.config.WarmStart, play)
	}
	return play(c)
}

// withoutFitted freezes the weights of the groups that only a fit learns, unless all free genes are of them. Play tells too
// little about each of them (docs/results/fit.md).
func withoutFitted(genes []ga.Gene) []ga.Gene {
	fitted := map[string]bool{}
	for _, g := range weights.Groups() {
		fitted[g.Name] = g.Fitted
	}
	rest, free := slices.Clone(genes), false
	for i := range rest {
		rest[i].Frozen = rest[i].Frozen || fitted[rest[i].Group]
		free = free || !rest[i].Frozen
	}
	if !free {
		return genes
	}
	return rest
}

// learn gives the positions of a generation's games to an optimiser that learns from positions.
func (r *Run) learn(ctx context.Context, g *generation) error {
	learner, able := r.optimizer.(fit.Learner)
	if !able || !learner.Wants() {
		return nil
	}
	r.meter.pause()
	defer r.meter.goOn()
	batch := g.toPlay
	var games []fit.Played
	for i := range g.results {
		if g.results[i].Void() {
			continue
		}
		for _, game := range g.results[i].Games {
			games = append(games, fit.Played{Moves: game.Moves, Opening: len(batch.Pairings[i].Opening), Outcome: game.Outcome})
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
	labeller := fit.Labeller{Set: set, Size: batch.Size, Rule: batch.Rule, Nodes: labelNodes * batch.Nodes, Version: r.config.Fit}
	if err := r.search(ctx, &labeller, games, chosen); err != nil {
		return err
	}
	positions, err := labeller.Label(ctx, games, chosen)
	if err != nil {
		return err
	}
	return learner.Learn(ctx, positions)
}

// labelNodes is the number of nodes with which the engine labels a position, as a multiple of the tuning nodes.
// The static score is fitted to the results of this deeper search.
const labelNodes = 8

// labelCost is the time for labelling the positions of one game, as a multiple of the time of the game. It was measured when
// budgets of time began to count labels (commit 8753fdd).
const labelCost = .7

// search searches every chosen position on the runner of the games, for its label. Where the environment names a file, the results
// are kept in it until all are there.
func (r *Run) search(ctx context.Context, labeller *fit.Labeller, games []fit.Played, chosen []fit.Scored) error {
	var kept *fit.Kept
	if r.env.Labels != "" {
		var err error
		if kept, err = labeller.Keep(r.env.Labels, games, chosen); err != nil {
			return err
		}
	}
	r.beginLabels(len(chosen), kept.Len())
	defer r.endLabels()
	return errors.Join(labeller.Search(ctx, r.bare, games, chosen, kept, r.positionLabelled), kept.Close())
}

// dropLabels removes the file of labels, if there is a path. A closed generation does not need it, and forged labels may
// be in it.
func dropLabels(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("tuner: labels: %w", err)
	}
	return nil
}
