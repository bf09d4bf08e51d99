package cluster

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// queue hands out copies of tasks to the workers that ask for them, first come, first served. Safe for concurrent
// use.
type queue struct {
	members *membership
	answer  func(*nats.Msg, []byte) error // without bytes: no task for now

	mu      sync.Mutex
	batch   int               // serial of the open batch, 0 for none
	waiting []*taskCopy       // for a worker
	asking  []*asker          // for a task
	out     map[key]*taskCopy // of the open batch, waiting ones included
	held    map[string]int    // copies in hand, by worker
	idle    time.Time         // since when nothing waits; zero: something does
}

// taskCopy is one copy of a task. All but key, data and not are the queue's.
type taskCopy struct {
	key      key
	data     []byte
	not      []string // workers that must not play it: they have
	worker   string   // that has it, "" while it waits
	process  string   // of the worker
	handed   time.Time
	answered bool
	released bool // it no longer takes one of the worker's slots
	spoilt   bool // its answer cannot be read
	repeats  int  // of its answer
}

// asker is a worker that waits for a task.
type asker struct {
	worker string
	msg    *nats.Msg
	until  time.Time
}

const (
	askTime   = 3 * time.Second        // a request for a task is kept for so long
	sweepTime = 250 * time.Millisecond // between two looks for requests that are older

	mostRepeats = 20 // of an answer by an honest worker that does not hear from us
)

func newQueue(members *membership, answer func(*nats.Msg, []byte) error) *queue {
	return &queue{members: members, answer: answer, out: map[key]*taskCopy{}, held: map[string]int{}}
}

// open begins a batch.
func (q *queue) open(batch int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.batch, q.waiting, q.idle = batch, nil, time.Now()
	clear(q.out)
	clear(q.held)
}

// close ends the open batch: its tasks are forgotten.
func (q *queue) close() { q.open(0) }

// put adds a copy.
func (q *queue) put(t *taskCopy) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.out[t.key] = t
	q.waiting = append(q.waiting, t)
	q.serve()
}

// ask is a worker's request for a task. A worker that waits with more requests than it has slots has lost the oldest.
func (q *queue) ask(worker string, msg *nats.Msg) {
	q.mu.Lock()
	defer q.mu.Unlock()
	slots, _ := q.members.slots(worker)
	mine := 0
	for _, a := range q.asking {
		if a.worker == worker {
			mine++
		}
	}
	if mine > 0 && mine >= slots {
		i := slices.IndexFunc(q.asking, func(a *asker) bool { return a.worker == worker })
		q.asking = slices.Delete(q.asking, i, i+1)
	}
	a := &asker{worker, msg, time.Now().Add(askTime)}
	if !q.serveOne(a) {
		q.asking = append(q.asking, a)
	}
	q.noteIdle()
}

// serve gives waiting tasks to waiting workers.
func (q *queue) serve() {
	if len(q.waiting) > 0 {
		q.asking = slices.DeleteFunc(q.asking, q.serveOne)
	}
	q.noteIdle()
}

// noteIdle notes since when nothing waits.
func (q *queue) noteIdle() {
	switch {
	case len(q.waiting) > 0:
		q.idle = time.Time{}
	case q.idle.IsZero():
		q.idle = time.Now()
	}
}

// serveOne gives an asker the first task that it may play. It reports whether the asker is done with.
func (q *queue) serveOne(a *asker) bool {
	if len(q.waiting) == 0 {
		return false
	}
	slots, process := q.members.slots(a.worker)
	if q.held[a.worker] >= slots {
		return false
	}
	i := slices.IndexFunc(q.waiting, func(t *taskCopy) bool { return !slices.Contains(t.not, a.worker) })
	if i < 0 {
		return false
	}
	t := q.waiting[i]
	if q.answer(a.msg, t.data) != nil {
		return true // the server is away, and the worker asks again
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	t.worker, t.process, t.handed = a.worker, process, time.Now()
	q.held[a.worker]++
	return true
}

// sweep answers requests that have waited long enough, until ctx is done.
func (q *queue) sweep(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, sweepTime) {
		q.mu.Lock()
		q.serve() // a worker may have got its slots back
		now := time.Now()
		q.asking = slices.DeleteFunc(q.asking, func(a *asker) bool {
			old := now.After(a.until)
			if old {
				_ = q.answer(a.msg, nil) // it asks again by itself
			}
			return old
		})
		q.mu.Unlock()
	}
}

// What the queue makes of an answer.
type disposition int

const (
	answerTaken   disposition = iota
	answerOver                // of a batch that is over, or again: whoever does not hear from us sends again
	answerUnasked             // of a copy that the worker never had, or again and again
)

// take notes that a worker has answered a copy.
func (q *queue) take(worker string, k key) disposition {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.out[k]
	switch {
	case k.batch < q.batch || q.batch == 0:
		return answerOver
	case t == nil || t.worker != worker:
		return answerUnasked
	case t.answered:
		if t.repeats++; t.repeats > mostRepeats {
			return answerUnasked
		}
		return answerOver
	}
	t.answered = true
	q.free(t)
	q.serve()
	return answerTaken
}

// release counts a copy no longer among those that its worker has in hand: others get it too.
func (q *queue) release(t *taskCopy) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free(t)
}

func (q *queue) free(t *taskCopy) {
	if t.released || t.worker == "" {
		return
	}
	t.released = true
	if q.held[t.worker]--; q.held[t.worker] <= 0 {
		delete(q.held, t.worker)
	}
}

// spoil notes that the answer of a copy is of no use.
func (q *queue) spoil(k key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t := q.out[k]; t != nil {
		t.spoilt = true
	}
}

// whereabouts is what the queue knows of a copy.
type whereabouts struct {
	worker string    // that has it, "" while it waits
	handed time.Time // zero while it waits
	lost   bool      // no answer of use is to be expected
}

// find returns where a copy is, and since when nothing waits in the queue.
func (q *queue) find(t *taskCopy) (w whereabouts, idle time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w = whereabouts{worker: t.worker, handed: t.handed}
	w.lost = t.spoilt || t.worker != "" && !t.answered && !q.members.has(t.worker, t.process)
	return w, q.idle
}

// backlog returns the number of tasks that wait for a worker, and the workers that have others in hand.
func (q *queue) backlog() (waiting int, holders []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for worker := range q.held {
		holders = append(holders, q.members.label(worker))
	}
	slices.Sort(holders)
	return len(q.waiting), holders
}
