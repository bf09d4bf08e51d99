package selfplay

import "context"

// Observed is a Runner that calls See for every finished pair before the pair is reported.
type Observed struct {
	Runner
	See func(batch *Batch, index int, result *Result)
}

// Run plays a batch; see Runner.
func (o Observed) Run(ctx context.Context, b *Batch, done func(int, *Result)) ([]Result, error) {
	return o.Runner.Run(ctx, b, func(i int, r *Result) {
		o.See(b, i, r)
		if done != nil {
			done(i, r)
		}
	})
}
