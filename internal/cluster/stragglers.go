package cluster

import (
	"slices"
	"strings"
	"time"
)

const (
	mostPairs  = 256 // greatest number of pairs in a task; a result has some hundred bytes a pair
	firstPairs = 2   // number of pairs in a task while the time of a pair is not known
	// share is the number of tasks into which a job's share of the remaining pairs is cut. So the last tasks of a batch
	// are small, and all jobs end at about the same time (guided self-scheduling, Polychronopoulos and Kuck 1987).
	share = 3
)

// Cut divides pairs into tasks of about the target time. jobs is the number of jobs that play; each is the time
// of a pair, 0 where it is not known yet.
func Cut(pairs []int, jobs int, each, target time.Duration) [][]int {
	most := firstPairs
	if each > 0 {
		most = int(min(max(1, target/each), mostPairs))
	}
	var tasks [][]int
	for len(pairs) > 0 {
		n := len(pairs)/(share*max(1, jobs)) + 1
		n = min(n, most, len(pairs))
		tasks = append(tasks, pairs[:n])
		pairs = pairs[n:]
	}
	return tasks
}

// cut divides pairs into tasks, by the number of jobs of the present workers.
func (c *Coordinator) cut(pairs []int) [][]int {
	return Cut(pairs, c.members.jobs(), c.each, c.config.Timing.Task)
}

// leastPace is the least time that a pair is taken to last. From a time of a few nanoseconds the steps of pace would round to none.
const leastPace = time.Microsecond

// pace updates the smoothed time of a pair. One answer changes it by a part at most, since a worker may report any time.
func (r *dispatcher) pace(each time.Duration) {
	if each <= 0 {
		return
	}
	each = max(each, leastPace)
	const weight, most = 8, 4
	if r.c.each == 0 {
		r.c.each = each
		r.c.members.pace()
	}
	r.c.each += (min(each, most*r.c.each) - r.c.each) / weight
}

// Outstanding is a task that a worker holds and has not answered.
type Outstanding struct {
	Expected time.Duration // time that its pairs take
	Copies   int           // number of copies sent, 1 or more
	Handed   time.Duration // time since the last copy was handed out
	Idle     time.Duration // how long no other task has waited for a worker; negative: some wait
}

// Straggles reports whether other workers should get the task too. It should when enough time has passed since
// it was handed out for the task itself and for one that the worker played before it. While no task waits, jobs
// are idle, so the task's own time is enough, counted from then (the backup tasks of MapReduce, Dean and
// Ghemawat 2004). Each copy that is out doubles these times.
func (t Timing) Straggles(o Outstanding) bool {
	doubled := min(o.Copies-1, 6)
	return o.Handed > t.Deadline || o.Handed > (o.Expected*5/2+t.Slack)<<doubled ||
		min(o.Handed, o.Idle) > (o.Expected*5/4+t.Slack)<<doubled
}

// watch holds what a dispatcher remembers of the progress of its batch.
type watch struct {
	progress time.Time // time of the last result, or of the beginning
	warned   time.Time
}

const (
	stalledAfter = 10 * time.Second // a warning follows this time without a result, or four times the time of a pair if that is longer
	warnEvery    = 30 * time.Second
)

// look sends straggling and lost tasks again, and warns when no results arrive.
func (r *dispatcher) look(now time.Time) {
	if !r.c.queue.foremost(r.serial) {
		r.watch.progress = now // the batch waits for an earlier one
	}
	for number, o := range r.dispatches {
		if o.split || !r.unfinished(o) {
			continue
		}
		where, idle := r.c.queue.find(o.last)
		switch {
		case where.lost:
			r.c.queue.release(o.last)
			r.c.members.loses(where.worker, where.handed)
			r.c.figures.reissued.Add(1)
			r.send(number, o)
		case where.handed.IsZero():
			stalled := now.Sub(r.watch.progress) > stalledAfter/2
			if len(o.not) > 0 && (stalled || !r.c.members.other(o.not)) || r.record == nil && stalled && r.c.members.jobs() == 0 {
				r.playHere(o) // no worker that may make the check asks for tasks
			}
		case r.c.config.Timing.Straggles(Outstanding{
			Expected: r.expected(o), Copies: o.copies, Handed: now.Sub(where.handed), Idle: since(idle, now),
		}):
			r.c.queue.release(o.last)
			r.c.members.straggles(where.worker)
			o.avoid = append(o.avoid, where.worker)
			r.reissue(number, o)
		}
	}
	r.warnStalled(now)
}

// expected returns the time that a dispatch takes. While none has been answered that may be as long as a task may take at most.
func (r *dispatcher) expected(o *dispatch) time.Duration {
	if r.c.each == 0 {
		return r.c.config.Timing.Deadline
	}
	return r.c.each * time.Duration(len(o.pairs))
}

// since returns the time from then to now, negative where then is zero.
func since(then, now time.Time) time.Duration {
	if then.IsZero() {
		return -1
	}
	return now.Sub(then)
}

// reissue sends a straggling task to other workers: each pair as a task of its own, or another copy of a single
// pair. A check of another worker's results that nobody answers is played by the coordinator.
func (r *dispatcher) reissue(number int, o *dispatch) {
	if len(o.not) > 0 && (o.copies > 1 || !r.c.members.other(o.not)) {
		r.playHere(o)
		return
	}
	r.c.figures.reissued.Add(1)
	r.c.config.Log.Debug("a task straggles: others get it too", "batch", r.number, "task", number, "pairs", len(o.pairs), "copies", o.copies)
	if len(o.not) > 0 || len(o.pairs) == 1 {
		r.send(number, o)
		return
	}
	o.split = true
	for _, i := range o.pairs {
		if !r.have[i] {
			r.add(&dispatch{pairs: []int{i}, avoid: slices.Clone(o.avoid)})
		}
	}
}

// playHere has the coordinator make a check itself.
func (r *dispatcher) playHere(o *dispatch) {
	for _, i := range o.pairs {
		if !r.confirmed[i] {
			r.own.ask(i)
		}
	}
	o.split = true
}

// warnStalled warns when results have been missing for some seconds, and names what is missing.
func (r *dispatcher) warnStalled(now time.Time) {
	if now.Sub(r.watch.progress) < max(stalledAfter, 4*r.c.each) || now.Sub(r.watch.warned) < warnEvery {
		return
	}
	r.watch.warned = now
	r.c.config.Log.Warn("no result for "+now.Sub(r.watch.progress).Round(time.Second).String()+": "+r.missing(),
		"pairs", r.left, "address", r.c.Address())
}

// missing describes what the batch waits for.
func (r *dispatcher) missing() string {
	jobs := r.c.members.jobs()
	waiting, holders := r.c.queue.backlog()
	switch {
	case r.own.busy:
		return "this process plays a pair in dispute"
	case !r.c.conn.IsConnected():
		return "the server is away"
	case jobs == 0:
		return "no worker is there: the run waits"
	case len(holders) > 0:
		return "tasks are in the hands of " + strings.Join(holders[:min(len(holders), 5)], ", ")
	case waiting > 0:
		return "no worker asks for the tasks that wait"
	}
	return "the results of the workers do not arrive"
}
