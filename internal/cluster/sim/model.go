package main

import (
	"container/heap"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"quintune/internal/cluster"
)

// model holds the settings of a simulation. Times are for one core.
type model struct {
	jobs, pairs   int
	pair          time.Duration // mean time of a pair
	spread        float64       // standard deviation of the logarithm of a pair's time
	machines      float64       // standard deviation of the logarithm of a worker's speed
	target, slack time.Duration // target time and slack of a task, see cluster.Timing
	deadline      time.Duration
	delay         time.Duration // mean time of a message: half of it is fixed, the rest exponentially distributed
	lost          float64       // share of tasks that never come back
	slow          float64       // share of workers that are slow
	slowness      float64
	audit         float64

	perTask, perPair time.Duration // coordinator's time for a task and for a pair
	perServed        time.Duration // server's time for a task
	between          time.Duration // coordinator's time between two generations
	islands          int
	inFlight         int // generations that are open at a time
	generations      int
	seed             uint64
}

// check returns an error that names the setting out of bounds.
func (m *model) check() error {
	switch {
	case m.jobs < 1 || m.pairs < 1 || m.islands < 1 || m.inFlight < 1 || m.generations < 1:
		return errors.New("jobs, pairs, islands, generations and those in flight are at least 1")
	case m.pair <= 0 || m.target <= 0 || m.delay < 0:
		return errors.New("pair and task are above 0, delay at least 0")
	case m.lost < 0 || m.lost > .5 || m.slow < 0 || m.slow > 1 || m.slowness < 1 || m.audit < 0 || m.audit > 1:
		return errors.New("lost is in [0, 0.5], slow and audit in [0, 1], slowness at least 1")
	}
	return nil
}

// messagesPerTask counts the request for the task, the task, the result and its receipt.
const messagesPerTask = 4

// summary is the result of a simulation of one island.
type summary struct {
	took                time.Duration
	playing, useful     time.Duration // time of all jobs together: all playing, and that whose result was used
	jobs                int
	tasks, messages     int
	coordinator, server time.Duration // time that they were busy
}

// idle returns the share of the jobs' time in which they had no pair.
func (s summary) idle() float64 {
	return 1 - s.playing.Seconds()/(float64(s.jobs)*s.took.Seconds())
}

// again returns the share of playing time whose result was lost or already there.
func (s summary) again() float64 { return 1 - s.useful.Seconds()/s.playing.Seconds() }

// simulate plays generations on the workers of one island.
func (m model) simulate(workers int) summary {
	workers /= m.islands
	c := &course{model: m, lots: rand.New(rand.NewPCG(m.seed, uint64(workers))), busyWith: map[int]*work{}}
	for range workers {
		speed := math.Exp(m.machines * c.lots.NormFloat64())
		if c.lots.Float64() < m.slow {
			speed /= m.slowness
		}
		for range m.jobs {
			c.speeds = append(c.speeds, speed)
		}
	}
	c.s.jobs = len(c.speeds)
	for job := range c.speeds {
		c.idle = append(c.idle, job)
	}
	c.look()
	for range m.generations { // play until this one ends, with the generations behind it in flight, as in a run of hundreds
		for len(c.open) < c.inFlight {
			c.begin()
		}
		c.finish()
	}
	c.s.took = c.now
	return c.s
}

// course is the state of a simulation.
type course struct {
	model
	lots   *rand.Rand
	speeds []float64 // [job]
	now    time.Duration
	events events
	serial int
	s      summary

	open     []*generation // oldest first
	begun    int           // generations begun so far
	waiting  []*work       // tasks in the queue; those of older generations come first
	idle     []int         // jobs without a task
	busyWith map[int]*work // tasks that the other jobs play
	freeAt   time.Duration
	arrived  time.Duration // time at which the last task came to the queue
	serverAt time.Duration
}

// generation is an open generation.
type generation struct {
	number int
	hands  []*work       // tasks without a result, in the order in which they were sent
	left   int           // tasks and audits without a result
	idleAt time.Duration // time since which none of its tasks waits, nor one of an older generation; -1: some do
}

// work is a task.
type work struct {
	of     *generation
	pairs  int
	handed time.Duration // time at which the last copy left the queue; -1: none has yet
	copies int
	done   bool
	audit  bool
}

// begin opens a generation.
func (c *course) begin() {
	g := &generation{number: c.begun, idleAt: c.now}
	c.begun++
	c.open = append(c.open, g)
	c.share(g, c.pairs, false)
}

// finish runs until the oldest generation is complete, and closes it. Tasks of it that are still being played
// are given up.
func (c *course) finish() {
	g := c.open[0]
	c.playWhile(func() bool { return g.left > 0 })
	closed := c.now + c.between
	c.s.coordinator += c.between
	c.open = c.open[1:]
	c.waiting = slices.DeleteFunc(c.waiting, func(w *work) bool { return w.of == g })
	for job := range c.speeds {
		if w := c.busyWith[job]; w != nil && w.of == g {
			delete(c.busyWith, job)
			c.idle = append(c.idle, job)
		}
	}
	c.hand()
	over := false
	c.at(closed, func() { over = true })
	c.playWhile(func() bool { return !over })
}

// playWhile runs scheduled events while the condition holds.
func (c *course) playWhile(holds func() bool) {
	for holds() {
		e := heap.Pop(&c.events).(event)
		c.now = e.at
		e.happens()
	}
}

// add sends a task to the queue.
func (c *course) add(w *work) {
	w.of.left++
	w.of.hands = append(w.of.hands, w)
	c.enqueue(w)
}

// share adds pairs as tasks.
func (c *course) share(g *generation, pairs int, audit bool) {
	for _, part := range cluster.Cut(make([]int, pairs), len(c.speeds), c.pair, c.target) {
		c.add(&work{of: g, pairs: len(part), audit: audit})
	}
}

// enqueue spends the coordinator's and the server's time for a task and puts it into the queue.
func (c *course) enqueue(w *work) {
	w.copies++
	w.handed = -1
	c.s.tasks++
	at := c.busy(&c.freeAt, c.perTask/2, &c.s.coordinator)
	c.arrived = max(c.arrived, at+c.way()) // tasks on one connection stay in order
	c.at(c.arrived, func() {
		if !slices.Contains(c.open, w.of) {
			return
		}
		i := len(c.waiting)
		for i > 0 && c.waiting[i-1].of.number > w.of.number {
			i--
		}
		c.waiting = slices.Insert(c.waiting, i, w)
		c.hand()
	})
}

// busy reserves time on a resource that does one thing at a time, and returns the time at which this is done.
func (c *course) busy(free *time.Duration, cost time.Duration, sum *time.Duration) time.Duration {
	*free = max(*free, c.now) + cost
	*sum += cost
	return *free
}

// hand gives waiting tasks to idle jobs.
func (c *course) hand() {
	for len(c.waiting) > 0 && len(c.idle) > 0 {
		w, job := c.waiting[0], c.idle[0]
		c.waiting, c.idle = c.waiting[1:], c.idle[1:]
		if w.done && !w.audit {
			c.idle = append(c.idle, job)
			continue
		}
		w.handed = c.now
		c.play(w, job)
	}
	for _, g := range c.open {
		switch {
		case len(c.waiting) > 0 && c.waiting[0].of.number <= g.number:
			g.idleAt = -1
		case g.idleAt < 0:
			g.idleAt = c.now
		}
	}
}

// play simulates a job with a task: the message to it, the pairs, the message back. Meanwhile the next task is
// fetched.
func (c *course) play(w *work, job int) {
	c.s.messages += messagesPerTask
	served := c.busy(&c.serverAt, c.perServed, &c.s.server)
	played, took := c.pairsOf(w, job)
	ends := served + took
	if len(c.waiting) == 0 { // no task could be fetched in advance
		ends += c.way()
	}
	lost := c.lots.Float64() < c.lost
	c.busyWith[job] = w
	c.at(ends, func() {
		if c.busyWith[job] != w { // given up
			return
		}
		delete(c.busyWith, job)
		c.s.playing += took
		c.idle = append(c.idle, job)
		c.hand()
		if !lost {
			c.at(c.now+c.way(), func() { c.result(w, played, took) })
		}
	})
}

// result simulates the coordinator's handling of a result.
func (c *course) result(w *work, played int, took time.Duration) {
	at := c.busy(&c.freeAt, c.perTask/2+time.Duration(played)*c.perPair, &c.s.coordinator)
	c.at(at, func() {
		if w.done {
			return
		}
		w.done = true
		w.of.left--
		if unplayed := w.pairs - played; unplayed > 0 {
			c.share(w.of, unplayed, w.audit)
		}
		if !w.audit {
			c.s.useful += took
			if c.lots.Float64() < c.audit {
				c.share(w.of, played, true)
			}
		}
	})
}

// pairsOf returns the number of pairs of a task that a job plays, and the time this takes. A slow job stops
// early.
func (c *course) pairsOf(w *work, job int) (played int, took time.Duration) {
	for played < w.pairs {
		x := math.Exp(c.spread*c.lots.NormFloat64() - c.spread*c.spread/2)
		took += time.Duration(float64(c.pair) * x / c.speeds[job])
		played++
		if next := took + took/time.Duration(played); next > 500*time.Millisecond && next > c.pair*time.Duration(w.pairs)*3/2 {
			break
		}
	}
	return played, took
}

// lookEvery is how often the coordinator looks for stragglers.
const lookEvery = 200 * time.Millisecond

// look sends straggling tasks again, with the cluster's own policy.
func (c *course) look() {
	for _, g := range c.open {
		c.lookAt(g)
	}
	c.at(c.now+lookEvery, c.look)
}

// lookAt sends the straggling tasks of a generation again.
func (c *course) lookAt(g *generation) {
	idle := time.Duration(-1)
	if g.idleAt >= 0 {
		idle = c.now - g.idleAt
	}
	timing := cluster.Timing{Task: c.target, Slack: c.slack, Deadline: c.deadline}
	open, split := g.hands[:0], 0
	for _, w := range g.hands {
		if w.done {
			continue
		}
		open = append(open, w)
		straggles := w.handed >= 0 && timing.Straggles(cluster.Outstanding{
			Expected: c.pair * time.Duration(w.pairs), Copies: w.copies, Handed: c.now - w.handed, Idle: idle,
		})
		switch {
		case straggles && w.pairs > 1: // each of its pairs becomes a task of its own; a later answer to the whole task is not counted
			w.done = true
			g.left--
			split += w.pairs
		case straggles:
			c.enqueue(w)
		}
	}
	g.hands = open
	for range split {
		c.add(&work{of: g, pairs: 1})
	}
}

// way returns the time of a message.
func (c *course) way() time.Duration {
	return c.delay/2 + time.Duration(float64(c.delay/2)*c.lots.ExpFloat64())
}
