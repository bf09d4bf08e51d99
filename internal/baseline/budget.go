package baseline

import "context"

// askInterval is the number of spent units between looks at the context.
const askInterval = 32

// budget is what a system may spend on a move, in its unit: nodes, play-outs or evaluations.
type budget struct {
	done  <-chan struct{}
	limit int64 // 0: none
	used  int64
	over  bool
}

func newBudget(ctx context.Context, limit int64) budget {
	return budget{done: ctx.Done(), limit: limit}
}

// spend takes one unit. It returns false, from then on always, when there is none left or the context
// has ended.
func (b *budget) spend() bool {
	if b.over {
		return false
	}
	if b.limit > 0 && b.used >= b.limit {
		b.over = true
		return false
	}
	if b.used%askInterval == 0 {
		select {
		case <-b.done:
			b.over = true
			return false
		default:
		}
	}
	b.used++
	return true
}
