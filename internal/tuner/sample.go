package tuner

import (
	"context"

	"quintune/board"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Sample is a finished game of a run, for showing. It is not written to any more.
type Sample struct {
	Black, White string // who played: "genome 7", "candidate", or the name of an opponent
	Rule         pattern.Rule
	Size         int          // cells on a side
	Moves        []board.Cell // opening included
	Opening      int          // plies of the opening
	Outcome      board.Outcome
	Adjudicated  bool // ended by a proven win, or because no five was possible any more
}

// sampled is a Runner that shows every finished pair before it is counted.
type sampled struct {
	selfplay.Runner
	show func(*selfplay.Batch, int, *selfplay.Result)
}

// Run plays a batch; see selfplay.Runner.
func (s sampled) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return s.Runner.Run(ctx, b, func(i int, r *selfplay.Result) {
		s.show(b, i, r)
		if done != nil {
			done(i, r)
		}
	})
}

// sample keeps a game of a finished pair for the next event, of even pairs the first, of odd ones the second.
func (r *Run) sample(b *selfplay.Batch, i int, result *selfplay.Result) {
	p, g := &b.Pairings[i], &result.Games[i%2]
	black, white := r.playerName(b, p.A), r.playerName(b, p.B)
	if i%2 == 1 {
		black, white = white, black
	}
	r.meter.game = &Sample{
		Black: black, White: white, Rule: b.Rule, Size: b.Size,
		Moves: g.Moves, Opening: len(p.Opening), Outcome: g.Outcome, Adjudicated: g.Adjudicated,
	}
}

// playerName returns what a contestant of a batch is called.
func (r *Run) playerName(b *selfplay.Batch, contestant int) string {
	if name := b.Contestants[contestant].Name; name != "" {
		return name
	}
	return candidateName
}

// champion returns the optimiser's champion of the moment, nil before there is one.
func (r *Run) champion() *weights.Set {
	if r.state.Generations == 0 {
		return nil
	}
	set, err := r.space.Decode(r.optimizer.Champion())
	if err != nil {
		return nil
	}
	return set
}
