package cluster

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// queue hands out copies of tasks to the workers that ask for them. Tasks go out in the order of their batches,
// and the worker that holds the fewest is served first, however many requests each of them has waiting. Safe for concurrent use.
type queue struct {
	members *membership
	answer  func(*nats.Msg, []byte) error // empty bytes: there is no task at present

	mu      sync.Mutex
	orders  map[int]int       // order of each open batch, by serial
	last    int               // serial of the last batch that was opened
	waiting []*taskCopy       // copies that wait for a worker, in the order of their batches
	asking  []*asker          // requests for a task that wait, in their order
	asked   map[string]int    // number of their requests, by worker
	out     map[key]*taskCopy // all copies of the open batches, waiting ones included
	held    map[string]int    // number of copies in hand, by worker
	idle    map[int]time.Time // by serial: since when no task of the batch or of an earlier one waits; missing where one waits
}

// taskCopy is one copy of a task. The queue owns all fields except key, data, not and avoid.
type taskCopy struct {
	key      key
	data     []byte
	not      []string  // workers that may not play it, for example since they have played it
	avoid    []string  // workers that have not answered it; they get it again after avoidTime, or at once where there are no others
	since    time.Time // when it was put into the queue
	worker   string    // worker that holds it, "" while it waits
	process  string    // process of the worker
	handed   time.Time
	answered bool
	released bool // no longer counts among the tasks that the worker holds
	spoilt   bool // its answer was unreadable
	repeats  int  // number of times that its answer was repeated
}

// asker is a worker that waits for a task.
type asker struct {
	worker string
	msg    *nats.Msg
	until  time.Time
}

const (
	askTime   = 3 * time.Second        // time that a request for a task is kept
	sweepTime = 250 * time.Millisecond // interval of the check for requests older than that
	avoidTime = 15 * time.Second       // in which others take a task that they have a slot for

	mostRepeats = 20 // repeats of an answer that an honest worker may send when it misses our reply
)

func newQueue(members *membership, answer func(*nats.Msg, []byte) error) *queue {
	return &queue{members: members, answer: answer, orders: map[int]int{}, asked: map[string]int{}, out: map[key]*taskCopy{}, held: map[string]int{}, idle: map[int]time.Time{}}
}

// open adds a batch. Its serial must be greater than those of all earlier batches. Tasks of a batch with a
// smaller order go out first.
func (q *queue) open(batch, order int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.orders[batch], q.last = order, batch
	q.noteIdle()
}

// close ends a batch and forgets its tasks.
func (q *queue) close(batch int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.orders, batch)
	delete(q.idle, batch)
	of := func(t *taskCopy) bool { return t.key.batch == batch }
	q.waiting = slices.DeleteFunc(q.waiting, of)
	for k, t := range q.out {
		if of(t) {
			q.free(t)
			delete(q.out, k)
		}
	}
	q.serve()
}

// foremost reports whether the batch is the first of the open ones.
func (q *queue) foremost(batch int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, order := range q.orders {
		if order < q.orders[batch] {
			return false
		}
	}
	return true
}

// put adds a copy. A copy of a closed batch is dropped.
func (q *queue) put(t *taskCopy) {
	q.mu.Lock()
	defer q.mu.Unlock()
	order, open := q.orders[t.key.batch]
	if !open {
		return
	}
	q.out[t.key], t.since = t, time.Now()
	i := len(q.waiting)
	for i > 0 && q.orders[q.waiting[i-1].key.batch] > order {
		i--
	}
	q.waiting = slices.Insert(q.waiting, i, t)
	q.serve()
}

// ask records a worker's request for a task. A worker sends no more requests than it has slots. So when more
// wait, the oldest was lost on its way, and is dropped. It reports whether one was.
func (q *queue) ask(worker string, msg *nats.Msg) (dropped bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	most := q.members.asks(worker)
	if mine := q.asked[worker]; mine > 0 && mine >= most {
		i := slices.IndexFunc(q.asking, func(a *asker) bool { return a.worker == worker })
		q.asking = slices.Delete(q.asking, i, i+1)
		q.asked[worker]--
		dropped = true
	}
	a := &asker{worker, msg, time.Now().Add(askTime)}
	if !q.serveOne(a) {
		q.asking = append(q.asking, a)
		q.asked[worker]++
	}
	q.noteIdle()
	return dropped
}

// drop deletes the requests for which is reports true.
func (q *queue) drop(is func(*asker) bool) {
	q.asking = slices.DeleteFunc(q.asking, func(a *asker) bool {
		if !is(a) {
			return false
		}
		if q.asked[a.worker]--; q.asked[a.worker] == 0 {
			delete(q.asked, a.worker)
		}
		return true
	})
}

// serve gives waiting tasks to waiting workers. It runs for each task that arrives, so the order
// matters for the first worker only.
func (q *queue) serve() {
	if len(q.waiting) > 0 && len(q.asking) > 0 {
		first := q.asking[0]
		for _, a := range q.asking {
			if q.held[a.worker] < q.held[first.worker] {
				first = a
			}
		}
		served := q.serveOne(first)
		q.drop(func(a *asker) bool { return a == first && served || a != first && q.serveOne(a) })
	}
	q.noteIdle()
}

// noteIdle records, for every open batch, since when none of its tasks waits.
func (q *queue) noteIdle() {
	for batch, order := range q.orders {
		switch _, idle := q.idle[batch]; {
		case len(q.waiting) > 0 && q.orders[q.waiting[0].key.batch] <= order:
			delete(q.idle, batch)
		case !idle:
			q.idle[batch] = time.Now()
		}
	}
}

// serveOne gives an asker the first task that it may play. It reports whether the asker is done: it got a task,
// or cannot be answered.
func (q *queue) serveOne(a *asker) bool {
	if len(q.waiting) == 0 {
		return false
	}
	slots, process := q.members.slots(a.worker, q.held)
	if q.held[a.worker] >= slots {
		return false
	}
	i := slices.IndexFunc(q.waiting, func(t *taskCopy) bool {
		return !slices.Contains(t.not, a.worker) && !q.avoids(t, a.worker)
	})
	if i < 0 {
		return false
	}
	t := q.waiting[i]
	if q.answer(a.msg, t.data) != nil {
		return true // the server is not reachable; the worker will ask again
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	t.worker, t.process, t.handed = a.worker, process, time.Now()
	q.held[a.worker]++
	return true
}

// avoids reports whether others should get the copy first.
func (q *queue) avoids(t *taskCopy, worker string) bool {
	return slices.Contains(t.avoid, worker) && time.Since(t.since) < avoidTime && q.members.other(q.held, slices.Concat(t.not, t.avoid)...)
}

// other reports whether a worker that is not among the given ones plays, see membership.other.
func (q *queue) other(than ...string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.members.other(q.held, than...)
}

// sweep answers requests that have waited for askTime, until ctx is done.
func (q *queue) sweep(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, sweepTime) {
		q.mu.Lock()
		q.serve() // a worker may have slots again
		now := time.Now()
		q.drop(func(a *asker) bool {
			old := now.After(a.until)
			if old {
				_ = q.answer(a.msg, nil) // the worker asks again by itself
			}
			return old
		})
		q.mu.Unlock()
	}
}

// disposition is what the queue decides about an answer.
type disposition int

const (
	answerTaken   disposition = iota
	answerOver                // the batch is over, or this answer came before: the worker missed our reply and sends again
	answerUnasked             // the worker never had this copy, or repeats its answer too often
)

// take records that a worker has answered a copy, and returns how long the worker had it.
func (q *queue) take(worker string, k key) (disposition, time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.out[k]
	_, open := q.orders[k.batch]
	switch {
	case !open && k.batch <= q.last:
		return answerOver, 0
	case t == nil || t.worker != worker:
		return answerUnasked, 0
	case t.answered:
		if t.repeats++; t.repeats > mostRepeats {
			return answerUnasked, 0
		}
		return answerOver, 0
	}
	t.answered = true
	q.free(t)
	q.serve()
	return answerTaken, time.Since(t.handed)
}

// release no longer counts a copy among the tasks that its worker holds, because others get it too.
func (q *queue) release(t *taskCopy) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free(t)
}

// free is release for callers that hold the lock.
func (q *queue) free(t *taskCopy) {
	if t.released || t.worker == "" {
		return
	}
	t.released = true
	if q.held[t.worker]--; q.held[t.worker] <= 0 {
		delete(q.held, t.worker)
	}
}

// spoil records that the answer of a copy was unusable, so that others get its pairs.
func (q *queue) spoil(k key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t := q.out[k]; t != nil {
		t.spoilt = true
	}
}

// whereabouts is the state of a copy in the queue.
type whereabouts struct {
	worker string    // worker that holds it, "" while it waits
	handed time.Time // zero while it waits
	lost   bool      // no usable answer can be expected
}

// find returns the state of a copy. idle is the time since when no task of this batch or an earlier one has been
// waiting; zero while one waits.
func (q *queue) find(t *taskCopy) (w whereabouts, idle time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w = whereabouts{worker: t.worker, handed: t.handed}
	w.lost = t.spoilt || t.worker != "" && !t.answered && !q.members.has(t.worker, t.process)
	return w, q.idle[t.key.batch]
}

// backlog returns the number of tasks that wait for a worker, and the workers that hold the others.
func (q *queue) backlog() (waiting int, holders []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for worker := range q.held {
		holders = append(holders, q.members.label(worker))
	}
	slices.Sort(holders)
	return len(q.waiting), holders
}
