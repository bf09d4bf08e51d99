package cluster

import (
	"context"
	"time"
)

// lateness says since when the work queue has been empty: from then on every order without a result is in
// somebody's hands, or lost.
type lateness struct {
	empty    time.Time // zero: tasks wait in the queue
	asked    time.Time
	queue    chan int // answers of the server: tasks that wait
	starving time.Time
}

const (
	askEvery  = time.Second      // how often the server is asked for the queue
	starveLog = 30 * time.Second // how often it is told that nobody plays
)

// look sends again what is late or was not taken by the server.
func (r *round) look(ctx context.Context) error {
	now := time.Now()
	if r.c.forget.CompareAndSwap(true, false) {
		clear(r.c.known)
		if err := r.c.putSets(ctx, r.batch, r.refs); err != nil {
			return err
		}
	}
	r.askQueue(ctx, now)
	r.tellStarving(now)
	for number, o := range r.orders {
		if !r.unfinished(o) {
			continue
		}
		switch {
		case o.sent.IsZero(), r.failed(o):
			r.send(number, o)
		case r.overdue(o, now):
			r.reissue(number, o)
		}
	}
	return nil
}

// failed says whether the server has refused the last copy or has not answered.
func (r *round) failed(o *order) bool {
	if o.future == nil {
		return false
	}
	select {
	case <-o.future.Ok():
		o.future = nil
	case err := <-o.future.Err():
		o.future = nil
		return !stored(err)
	default:
	}
	return false
}

// overdue says whether an order should have been answered: twice its time has passed since the queue was empty,
// and twice that for every copy that is out already.
func (r *round) overdue(o *order, now time.Time) bool {
	if r.late.empty.IsZero() || o.future != nil {
		return false
	}
	since := o.sent
	if r.late.empty.After(since) {
		since = r.late.empty
	}
	patience := 2*r.c.each*time.Duration(len(o.pairs)) + r.c.config.Timing.Slack
	return now.Sub(since) > patience<<min(o.copies-1, 6)
}

// reissue sends another copy of a late order. The coordinator plays an audit itself that nobody else answers.
func (r *round) reissue(number int, o *order) {
	if o.audit && (o.copies > 1 || !r.c.members.other(o.not)) {
		for _, i := range o.pairs {
			if !r.confirmed[i] {
				r.own.ask(i)
			}
		}
		o.sent = time.Now()
		o.copies++
		return
	}
	r.c.figures.reissued.Add(1)
	r.c.config.Log.Info("a task is late: another worker gets it too", "batch", r.number, "task", number, "pairs", len(o.pairs), "copy", o.copies)
	r.send(number, o)
}

// askQueue asks the server how many tasks wait, without waiting for the answer.
func (r *round) askQueue(ctx context.Context, now time.Time) {
	if r.late.queue == nil {
		r.late.queue = make(chan int, 1)
	}
	select {
	case waiting := <-r.late.queue:
		switch {
		case waiting > 0:
			r.late.empty = time.Time{}
		case r.late.empty.IsZero():
			r.late.empty = now
		}
	default:
	}
	if now.Sub(r.late.asked) < askEvery {
		return
	}
	r.late.asked = now
	tasks, answer := r.c.streams.tasks, r.late.queue
	r.own.running.Go(func() {
		within, cancel := context.WithTimeout(ctx, askEvery)
		defer cancel()
		consumer, err := tasks.Consumer(within, taskConsumer)
		if err != nil {
			return // the server is away; another question follows
		}
		select {
		case answer <- int(consumer.CachedInfo().NumPending):
		default:
		}
	})
}

// tellStarving says now and then that there is nobody to play.
func (r *round) tellStarving(now time.Time) {
	if jobs, _ := r.c.members.jobs(); jobs > 0 {
		r.late.starving = now
		return
	}
	if r.late.starving.IsZero() {
		r.late.starving = now
	}
	if now.Sub(r.late.starving) >= starveLog {
		r.late.starving = now
		r.c.config.Log.Warn("no worker is there: the run waits", "address", r.c.Address(), "pairs", r.left)
	}
}
