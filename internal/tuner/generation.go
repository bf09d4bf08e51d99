package tuner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quintune/board"
	"quintune/ga"
	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/stream"
	"quintune/selfplay"
)

// generation is a batch of the optimiser as the runner plays it. The contestants are its genomes, followed by the outside opponents.
type generation struct {
	ga.Batch
	toPlay    *selfplay.Batch // for the runner
	pairingOf []int           // [pair]: index in Batch.Pairings
	results   []selfplay.Result
}

// generation plays a batch of the optimiser and closes the step.
func (r *Run) generation(ctx context.Context, b ga.Batch) error {
	r.enter(run.StageEvolution, "", b.Games())
	ahead, err := r.await(ctx, b.Generation)
	if err != nil {
		return err
	}
	g, err := r.play(ctx, b, ahead)
	if err != nil {
		return err
	}
	r.countFaults(g)
	if err := r.learn(ctx, g); err != nil {
		return err
	}
	if err := r.optimizer.Tell(r.count(g)); err != nil {
		return err
	}
	if r.state.Optimizer, err = r.optimizer.Checkpoint(); err != nil {
		return err
	}
	r.state.Generations++
	r.state.Evolution += b.Games()
	r.state.Void = r.optimizer.Progress().VoidedPairs
	if r.closed, err = r.closedGeneration(b); err != nil {
		return err
	}
	// After the end "settled" a run goes on when somebody gives it a greater budget.
	// Where nodes rise in stages, the centre's lead over the start falls by itself, which tells nothing.
	settled := r.optimizer.Progress().Settled && !r.state.Settled && !r.state.WentOn && r.config.FirstNodes == 0
	if settled || r.ended() {
		r.endEvolution()
		r.state.Settled = r.state.Settled || settled
	}
	r.closeStep(b.Games())
	return nil
}

// closedGeneration returns the figures of the generation that was told last.
func (r *Run) closedGeneration(b ga.Batch) (*run.Generation, error) {
	champion, err := r.subject.decode(r.optimizer.Champion())
	if err != nil {
		return nil, err
	}
	return &run.Generation{
		Number: b.Generation, Phase: b.Phase, Games: r.state.Evolution, Figures: figuresOf(r.optimizer.Progress()), Values: champion.values,
	}, nil
}

// evenPoints is the score of a split pair, in half points.
const evenPoints = 2

// play plays a batch and checks its games. The pairs of a generation in flight are read from the store.
func (r *Run) play(ctx context.Context, b ga.Batch, ahead *generationInFlight) (g *generation, err error) {
	each := func(int, *selfplay.Result) { r.pairPlayed() }
	if ahead != nil {
		g, each = ahead.generation, nil // its pairs were counted when they were finished
	} else if g, err = r.batch(b); err != nil {
		return nil, err
	}
	if g.results, err = r.env.Runner.Run(ctx, g.toPlay, each); err != nil {
		return nil, err
	}
	if err := r.selfCheck(ctx, g.toPlay, g.results); err != nil {
		return nil, err
	}
	return g, r.playable(ctx, g)
}

// count returns one pentanomial for each pairing, and notes for each opening whether its pair was split.
func (r *Run) count(g *generation) []stats.Pentanomial {
	counts := make([]stats.Pentanomial, len(g.Pairings))
	for i := range g.results {
		if !g.results[i].Void() {
			points := g.results[i].Points()
			counts[g.pairingOf[i]][points]++
			r.state.Retired.Add(board.CanonicalKey(g.toPlay.Pairings[i].Opening, g.toPlay.Size), points == evenPoints)
		}
	}
	if r.config.Settings.InFlight > 1 {
		r.state.Retired.Date(g.Generation)
	}
	return counts
}

// batch translates a batch of the optimiser for the runner.
func (r *Run) batch(b ga.Batch) (*generation, error) {
	batch := &selfplay.Batch{
		Rule: r.config.rule, Size: r.config.Size, Nodes: r.nodesOf(b), Purpose: fmt.Sprintf("generation %d", b.Generation),
	}
	g := &generation{Batch: b, toPlay: batch}
	for i, genes := range b.Genomes {
		candidate, err := r.subject.decode(genes)
		if err != nil {
			return nil, err
		}
		side := candidate.side(fmt.Sprintf("genome %d", i+1))
		batch.Contestants = append(batch.Contestants, side.Contestant())
	}
	for i := range r.opponents[:r.opponentsOf(b)] {
		batch.Contestants = append(batch.Contestants, r.opponents[i].Contestant())
	}
	blocks := map[int][]book.Opening{}
	seeds := stream.New(r.config.Seed, "gen %d/games", b.Generation)
	for i, p := range b.Pairings {
		if blocks[p.Block] == nil {
			block, err := r.block(p.Block, b.Openings)
			if err != nil {
				return nil, err
			}
			blocks[p.Block] = block
		}
		other := p.B
		if other < 0 {
			other = len(b.Genomes) - 1 - p.B
		}
		if other >= len(batch.Contestants) {
			return nil, fmt.Errorf("tuner: the optimiser asks for opponent %d of %d", -p.B, len(r.opponents))
		}
		for k := range p.Pairs {
			opening := blocks[p.Block][(p.Opening+k)%len(blocks[p.Block])]
			batch.Pairings = append(batch.Pairings, selfplay.Pairing{
				A: p.A, B: other, Opening: opening.Moves, Seed: seeds.Uint64(),
			})
			g.pairingOf = append(g.pairingOf, i)
		}
	}
	return g, nil
}

// opponentsOf returns the number of outside opponents in a batch. For a generation in flight it counts only
// those that the batch uses. A new champion may become an opponent before the generation's step, but must not
// change its batch.
func (r *Run) opponentsOf(b ga.Batch) int {
	if r.config.Settings.InFlight <= 1 {
		return len(r.opponents)
	}
	met := 0
	for _, p := range b.Pairings {
		met = max(met, -p.B)
	}
	return min(met, len(r.opponents))
}

// playable returns an error where no game of a batch was completed, and the engine from outside plays none at its start
// values either. Then the fault lies with the engine, not with its parameters.
func (r *Run) playable(ctx context.Context, g *generation) error {
	if r.config.Outside == nil || slices.ContainsFunc(g.results, completed) {
		return nil
	}
	start, batch := r.config.start(), g.toPlay
	pair := *batch
	pair.Contestants = []selfplay.Contestant{start.Player, start.Player}
	pair.Pairings = []selfplay.Pairing{{A: 0, B: 1, Opening: batch.Pairings[0].Opening}}
	fault := match.Try(&start.Player, &pair)
	if fault == nil {
		own, err := selfplay.NewPool(1).Run(ctx, &pair, nil)
		if err != nil || completed(own[0]) {
			return err
		}
		fault = own[0].Games[0].Fault
	}
	return errors.Join(fmt.Errorf("tuner: %s: no game was played to its end, and at its start values the engine does not play either: %w",
		batch.Purpose, fault), r.forget())
}

// completed reports whether a game of a pair was played to its end.
func completed(pair selfplay.Result) bool {
	return pair.Games[0].Fault == nil || pair.Games[1].Fault == nil
}

// leastAlive is a share of the training openings. When fewer would be left, no opening counts as retired. Chosen, not measured.
const leastAlive = .25

// block returns the training openings of a generation: count of them, or all where there are fewer. In the latter case some are
// played twice, by other players, or by the same ones in a match of more pairs than openings.
func (r *Run) block(number, count int) ([]book.Opening, error) {
	retired := r.state.Retired
	if n := r.config.Settings.InFlight; n > 1 {
		retired = retired.Until(number - n) // known when the generation was drawn
	}
	alive := len(r.train.Openings) - retired.Len()
	if float64(alive) < leastAlive*float64(len(r.train.Openings)) {
		retired, alive = nil, len(r.train.Openings)
	}
	return r.train.Block(r.config.Seed, number, min(count, alive), retired)
}
