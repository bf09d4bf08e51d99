package cluster

import (
	"context"
	"time"
)

// lateness says which orders have left the work queue: without a result they are in somebody's hands, or lost. The
// queue hands out in order, so whatever was sent before an order that has been answered has left it.
type lateness struct {
	sent     int       // copies so far
	front    int       // place of the last one that was answered
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

// overdue says whether an order should have been answered: its time and that of one before it in the same hands have
// passed since it left the queue, or its own time since the queue was empty; twice that for every copy that is out
// already. When the queue is empty jobs are idle, and may as well play it too (the backup tasks of MapReduce, Dean and
// Ghemawat 2004).
func (r *round) overdue(o *order, now time.Time) bool {
	if o.passed.IsZero() && o.place <= r.late.front {
		o.passed = now
	}
	if o.future != nil || o.split {
		return false
	}
	expected, slack := r.c.each*time.Duration(len(o.pairs)), r.c.config.Timing.Slack
	doubled := min(o.copies-1, 6)
	if !o.passed.IsZero() && now.Sub(o.passed) > (expected*5/2+slack)<<doubled {
		return true
	}
	if r.late.empty.IsZero() {
		return false
	}
	since := o.sent
	if r.late.empty.After(since) {
		since = r.late.empty
	}
	return now.Sub(since) > (expected*5/4+slack)<<doubled
}

// reissue sends a late order to others: each pair as a task of its own, or another copy where it is one pair. The
// coordinator plays an audit itself that nobody else answers.
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
	r.c.config.Log.Debug("a task is late: others get it too", "batch", r.number, "task", number, "pairs", len(o.pairs), "copies", o.copies)
	if o.audit || len(o.pairs) == 1 {
		r.send(number, o)
		return
	}
	o.split = true
	for _, i := range o.pairs {
		if !r.have[i] {
			r.add(&order{pairs: []int{i}})
		}
	}
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
