package main

import (
	"container/heap"
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"quintune/internal/cluster"
)

// model holds the settings of a simulation. Times are those of one core.
type model struct {
	jobs, pairs   int
	pair          time.Duration // mean of a pair
	spread        float64       // sd of the logarithm of a pair's time
	machines      float64       // sd of the logarithm of a worker's speed
	target, slack time.Duration // of tasks, see cluster.Timing
	deadline      time.Duration
	delay         time.Duration // mean of a message's way, exponential on top of half of it
	lost          float64       // share of tasks that never come back
	slow          float64       // share of workers that are slow
	slowness      float64
	audit         float64

	perTask, perPair time.Duration // of the coordinator
	perServed        time.Duration // of the server, for a task
	between          time.Duration // of the coordinator, between two generations
	islands          int
	generations      int
	seed             uint64
}

// check names what is out of bounds.
func (m *model) check() error {
	switch {
	case m.jobs < 1 || m.pairs < 1 || m.islands < 1 || m.generations < 1:
		return errors.New("jobs, pairs, islands and generations are at least 1")
	case m.pair <= 0 || m.target <= 0 || m.delay < 0:
		return errors.New("pair and task are above 0, delay at least 0")
	case m.lost < 0 || m.lost > .5 || m.slow < 0 || m.slow > 1 || m.slowness < 1 || m.audit < 0 || m.audit > 1:
		return errors.New("lost is in [0, 0.5], slow and audit in [0, 1], slowness at least 1")
	}
	return nil
}

// messagesPerTask: the request for the task, the task, the result and its receipt.
const messagesPerTask = 4

// summary is the result of a simulation of one island.
type summary struct {
	took                time.Duration
	playing, useful     time.Duration // of all jobs together
	jobs                int
	tasks, messages     int
	coordinator, server time.Duration // busy
}

// idle is the share of the jobs' time without a pair.
func (s summary) idle() float64 {
	return 1 - s.playing.Seconds()/(float64(s.jobs)*s.took.Seconds())
}

// again is the share of the playing whose result was there already, or that was lost.
func (s summary) again() float64 { return 1 - s.useful.Seconds()/s.playing.Seconds() }

// simulate plays generations on an island's part of the workers.
func (m model) simulate(workers int) summary {
	workers /= m.islands
	c := &course{model: m, lots: rand.New(rand.NewPCG(m.seed, uint64(workers)))}
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
	for range m.generations {
		c.generation()
	}
	c.s.took = c.now
	return c.s
}

// course is the state of a running simulation.
type course struct {
	model
	lots   *rand.Rand
	speeds []float64 // of jobs
	now    time.Duration
	events events
	serial int
	s      summary

	waiting  []*work // tasks in the queue
	idle     []int   // jobs without a task
	hands    []*work // tasks without a result, in the order of their sending
	left     int     // tasks and audits without a result
	freeAt   time.Duration
	arrived  time.Duration // when the last task came to the queue
	serverAt time.Duration
	idleAt   time.Duration // since when nothing waits; -1: something does
}

// work is a task.
type work struct {
	pairs  int
	handed time.Duration // the last copy left the queue; -1: not yet
	copies int
	done   bool
	audit  bool
}

// generation plays one batch to its end.
func (c *course) generation() {
	c.idle = c.idle[:0]
	for job := range c.speeds {
		c.idle = append(c.idle, job)
	}
	// What workers still play of the generation before is given up.
	c.events, c.hands, c.left, c.idleAt = nil, nil, 0, c.now
	c.freeAt, c.serverAt = c.now, c.now
	c.share(c.pairs, false)
	c.look()
	for c.left > 0 {
		e := heap.Pop(&c.events).(event)
		c.now = e.at
		e.happens()
	}
	c.now += c.between
	c.s.coordinator += c.between
}

// add sends a task to the queue.
func (c *course) add(w *work) {
	c.left++
	c.hands = append(c.hands, w)
	c.enqueue(w)
}

// share adds pairs as tasks.
func (c *course) share(pairs int, audit bool) {
	for _, part := range cluster.Cut(make([]int, pairs), len(c.speeds), c.pair, c.target) {
		c.add(&work{pairs: len(part), audit: audit})
	}
}

// enqueue costs the coordinator and the server their time, then the task waits.
func (c *course) enqueue(w *work) {
	w.copies++
	w.handed = -1
	c.s.tasks++
	at := c.busy(&c.freeAt, c.perTask/2, &c.s.coordinator)
	c.arrived = max(c.arrived, at+c.way()) // one connection keeps their order
	c.at(c.arrived, func() {
		c.waiting = append(c.waiting, w)
		c.hand()
	})
}

// busy takes time of something that does one thing after the other; it returns when that is over.
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
	switch {
	case len(c.waiting) > 0:
		c.idleAt = -1
	case c.idleAt < 0:
		c.idleAt = c.now
	}
}

// play is a job's part: the way to it, the pairs, the way back. The next task is fetched while it plays.
func (c *course) play(w *work, job int) {
	c.s.messages += messagesPerTask
	served := c.busy(&c.serverAt, c.perServed, &c.s.server)
	played, took := c.pairsOf(w, job)
	ends := served + took
	if len(c.waiting) == 0 { // nothing was there to fetch beforehand
		ends += c.way()
	}
	lost := c.lots.Float64() < c.lost
	c.at(ends, func() {
		c.s.playing += took
		c.idle = append(c.idle, job)
		c.hand()
		if !lost {
			c.at(c.now+c.way(), func() { c.result(w, played, took) })
		}
	})
}

// result is the coordinator's part.
func (c *course) result(w *work, played int, took time.Duration) {
	at := c.busy(&c.freeAt, c.perTask/2+time.Duration(played)*c.perPair, &c.s.coordinator)
	c.at(at, func() {
		if w.done {
			return
		}
		w.done = true
		c.left--
		if unplayed := w.pairs - played; unplayed > 0 {
			c.share(unplayed, w.audit)
		}
		if !w.audit {
			c.s.useful += took
			if c.lots.Float64() < c.audit {
				c.share(played, true)
			}
		}
	})
}

// pairsOf returns how many pairs of a task a job plays, and how long it takes: a slow one ends early.
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

// look sends straggling tasks again, by the policy of the cluster.
func (c *course) look() {
	idle := time.Duration(-1)
	if c.idleAt >= 0 {
		idle = c.now - c.idleAt
	}
	timing := cluster.Timing{Task: c.target, Slack: c.slack, Deadline: c.deadline}
	open, split := c.hands[:0], 0
	for _, w := range c.hands {
		if w.done {
			continue
		}
		open = append(open, w)
		straggles := w.handed >= 0 && timing.Straggles(cluster.Outstanding{
			Expected: c.pair * time.Duration(w.pairs), Copies: w.copies, Handed: c.now - w.handed, Idle: idle,
		})
		switch {
		case straggles && w.pairs > 1: // each of its pairs becomes a task; an answer to the whole that comes later is not counted
			w.done = true
			c.left--
			split += w.pairs
		case straggles:
			c.enqueue(w)
		}
	}
	c.hands = open
	for range split {
		c.add(&work{pairs: 1})
	}
	c.at(c.now+lookEvery, c.look)
}

// way is the time of a message.
func (c *course) way() time.Duration {
	return c.delay/2 + time.Duration(float64(c.delay/2)*c.lots.ExpFloat64())
}
