package cluster

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

const (
	mostPairs  = 256 // greatest number of pairs in a task; a result has several hundred bytes a pair
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

// cut divides pairs into tasks, by the number of jobs of the present workers. No task is longer than a message may be: a player that
// travels by name may have the values of a thousand parameters in it.
func (d *dispatcher) cut(pairs []int) (tasks [][]int) {
	for _, part := range Cut(pairs, d.c.members.jobs(), d.c.each, d.c.config.Timing.Task) {
		tasks = slices.AppendSeq(tasks, slices.Chunk(part, d.most))
	}
	return tasks
}

// pairsIn returns how many pairs fit in a task by the names of the players in messages, with room to spare.
func pairsIn(refs []string) int {
	const opening = 2000 // bytes of a pair without its players, at most
	longest := opening
	for _, ref := range refs {
		quoted, _ := json.Marshal(ref) // a text can always be encoded
		longest = max(longest, opening+2*len(quoted))
	}
	return max(1, mostPayload/2/longest)
}

// pace updates the time of a pair.
func (d *dispatcher) pace(now time.Time) {
	d.c.each = d.c.members.pairTime(now.Add(-d.c.config.Timing.Deadline))
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
func (d *dispatcher) look(now time.Time) {
	d.pace(now)
	if !d.c.queue.foremost(d.serial) {
		d.watch.progress = now // the batch waits for an earlier one
	}
	for number, o := range d.dispatches {
		if o.split || !d.unfinished(o) {
			continue
		}
		where, idle := d.c.queue.find(o.last)
		each := d.c.each
		if idle.IsZero() { // other tasks wait, so that nobody is idle while a slower machine takes its time
			each = d.c.members.timeAt(where.worker, each)
		}
		switch {
		case where.lost:
			d.c.members.loses(where.worker, where.handed) // before the release, or a sweep could give the worker a task in between
			d.c.queue.release(o.last)
			d.c.figures.reissued.Add(1)
			d.send(number, o)
		case where.handed.IsZero():
			if len(o.not) == 0 && d.record != nil {
				continue // not a check: it waits
			}
			stalled, alone := now.Sub(d.watch.progress) > stalledAfter/2, !d.c.queue.other(o.not...)
			if stalled && alone || len(o.not) > 0 && (stalled || alone) {
				d.playHere(o) // no worker that may make the check asks for tasks
			}
		case d.c.config.Timing.Straggles(Outstanding{
			Expected: d.expected(o, each), Copies: o.copies, Handed: now.Sub(where.handed), Idle: since(idle, now),
		}):
			d.c.members.straggles(where.worker, now.Sub(where.handed)/time.Duration(len(o.pairs))) // as above
			d.c.queue.release(o.last)
			o.avoid = append(o.avoid, where.worker)
			d.reissue(number, o)
		}
	}
	d.warnStalled(now)
}

// expected returns the time that a dispatch takes by that of a pair. While none is known that may be as long as a task may take at most.
func (d *dispatcher) expected(o *dispatch, each time.Duration) time.Duration {
	if each == 0 {
		return d.c.config.Timing.Deadline
	}
	return each * time.Duration(len(o.pairs))
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
func (d *dispatcher) reissue(number int, o *dispatch) {
	if len(o.not) > 0 && (o.copies > 1 || !d.c.queue.other(o.not...)) {
		d.playHere(o)
		return
	}
	d.c.figures.reissued.Add(1)
	d.c.config.Log.Debug("a task straggles: others get it too", "batch", d.number, "task", number, "pairs", len(o.pairs), "copies", o.copies)
	if len(o.not) > 0 || len(o.pairs) == 1 {
		d.send(number, o)
		return
	}
	o.split = true
	for _, i := range o.pairs {
		if !d.have[i] {
			d.add(&dispatch{pairs: []int{i}, avoid: slices.Clone(o.avoid)})
		}
	}
}

// playHere has the coordinator make a check itself.
func (d *dispatcher) playHere(o *dispatch) {
	for _, i := range o.pairs {
		if !d.confirmed[i] {
			d.own.ask(i)
		}
	}
	o.split = true
}

// warnStalled warns when results have been missing for some seconds, and names what is missing.
func (d *dispatcher) warnStalled(now time.Time) {
	if now.Sub(d.watch.progress) < max(stalledAfter, 4*d.c.each) || now.Sub(d.watch.warned) < warnEvery {
		return
	}
	d.watch.warned = now
	d.c.config.Log.Warn("no result for "+now.Sub(d.watch.progress).Round(time.Second).String()+": "+d.missing(),
		"pairs", d.left, "address", d.c.Address())
}

// missing describes what the batch waits for.
func (d *dispatcher) missing() string {
	jobs := d.c.members.jobs()
	waiting, holders := d.c.queue.backlog()
	switch {
	case d.own.busy:
		return "this process plays a pair in dispute"
	case !d.c.conn.IsConnected():
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
