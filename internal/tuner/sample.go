package tuner

import (
	"context"

	"quintune/internal/run"
	"quintune/selfplay"
)

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
	r.meter.game = &run.Game{
		Black: black, White: white, Stage: r.meter.stage, Rule: b.Rule.String(), Size: b.Size,
		Moves: g.Moves, Opening: len(p.Opening), Outcome: g.Outcome.String(), Adjudicated: g.Adjudicated,
	}
}

// playerName returns what a contestant of a batch is called.
func (r *Run) playerName(b *selfplay.Batch, contestant int) string {
	if name := b.Contestants[contestant].Name; name != "" {
		return name
	}
	return candidateName
}
