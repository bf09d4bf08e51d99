package selfplay

import (
	"cmp"
	"context"
	"time"
)

// Speed measures how many games a second a runner with the given number of workers plays. It lets it play one batch after the
// other, each asked for with the number of pairs so far, until the time is over and every worker could end the given number of
// pairs. Each batch must have a pair, else it may never end. An error of the runner or a ctx that is done before ends it.
func Speed(
	ctx context.Context, r Runner, workers, pairsEach int, atLeast time.Duration, next func(pairs int) *Batch,
) (gamesPerSecond float64, err error) {
	measuring, stop := context.WithCancel(ctx)
	defer stop()
	began, pairs, enough := time.Now(), 0, false
	var took time.Duration
	for !enough {
		_, err := r.Run(measuring, next(pairs), func(int, *Result) {
			if enough {
				return
			}
			pairs++
			took = time.Since(began)
			if enough = pairs >= pairsEach*workers && took >= atLeast; enough {
				stop()
			}
		})
		if err != nil && (!enough || ctx.Err() != nil) {
			return 0, cmp.Or(ctx.Err(), err)
		}
	}
	played := float64(2*pairs + workers - 1) // the other workers' pairs are half played
	return played / took.Seconds(), nil
}
