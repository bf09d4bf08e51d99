package cluster

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// desk is a queue that records its answers as worker and task.
type desk struct {
	*queue
	members *membership
	said    []string
}

func newDesk(jobs map[string]int) *desk {
	d := &desk{members: newMembership()}
	for id, n := range jobs {
		d.members.admit(id, joining{Name: id, Instance: "1", Jobs: n}, true)
	}
	d.queue = newQueue(d.members, func(m *nats.Msg, data []byte) error {
		d.said = append(d.said, m.Subject+" "+string(data))
		return nil
	})
	d.open(1, 0)
	return d
}

// task puts a copy into the queue.
func (d *desk) task(number int, not ...string) *taskCopy {
	t := &taskCopy{key: key{"s", 1, number, 0}, data: fmt.Append(nil, number), not: not}
	d.put(t)
	return t
}

func (d *desk) asks(workers ...string) {
	for _, w := range workers {
		d.ask(w, &nats.Msg{Subject: w})
	}
}

// expect compares the answers since the last call with want.
func (d *desk) expect(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(d.said, want) {
		t.Errorf("said %q, want %q", d.said, want)
	}
	d.said = nil
}

// take answers a copy.
func (d *desk) take(worker string, k key) disposition {
	taken, _ := d.queue.take(worker, k)
	return taken
}

func TestQueue(t *testing.T) {
	tests := []struct {
		name string
		run  func(t *testing.T, d *desk)
	}{
		{"tasks wait for workers", func(t *testing.T, d *desk) {
			d.task(1)
			d.task(2)
			d.asks("a", "b")
			d.expect(t, "a 1", "b 2")
		}},
		{"workers wait for tasks", func(t *testing.T, d *desk) {
			d.asks("a", "b")
			d.task(1)
			d.task(2)
			d.expect(t, "a 1", "b 2")
		}},
		{"who holds the fewest tasks is served first", func(t *testing.T, d *desk) {
			d.asks("a", "a", "b", "b")
			for i := range 4 {
				d.task(i)
			}
			d.expect(t, "a 0", "b 1", "a 2", "b 3")
		}},
		{"an audit is not for its author", func(t *testing.T, d *desk) {
			d.task(1, "a")
			d.task(2)
			d.asks("a", "b")
			d.expect(t, "a 2", "b 1")
		}},
		{"no more tasks than slots", func(t *testing.T, d *desk) {
			for i := range 4 {
				d.task(i)
			}
			d.asks("a", "a", "a")
			d.expect(t, "a 0", "a 1")
			if d.take("a", key{"s", 1, 0, 0}) != answerTaken {
				t.Error("an answer is not taken")
			}
			d.expect(t, "a 2")
		}},
		{"a straggler gets one at a time", func(t *testing.T, d *desk) {
			d.task(0)
			d.asks("a")
			d.asks("b")
			d.expect(t, "a 0")
			d.members.straggles("a", 0)
			d.release(d.out[key{"s", 1, 0, 0}])
			d.task(1, "b")
			d.asks("a")
			d.expect(t) // a gets no task: b is there
			d.members.quarantine(Refusal{Key: "b", Reason: "x"})
			d.serve()
			d.expect(t, "a 1")
			d.task(2)
			d.asks("a")
			d.expect(t)
			d.members.answers("a")
			d.serve()
			d.expect(t, "a 2")
		}},
		{"tasks of an earlier batch come first", func(t *testing.T, d *desk) {
			d.open(2, -1)
			d.open(3, 5)
			for _, batch := range []int{3, 1, 2, 4} {
				d.put(&taskCopy{key: key{"s", batch, 0, 0}, data: fmt.Append(nil, batch)})
			}
			if d.foremost(1) || !d.foremost(2) {
				t.Error("batch 2 comes before batch 1")
			}
			if _, idle := d.find(d.out[key{"s", 1, 0, 0}]); !idle.IsZero() {
				t.Error("batch 1 is idle while a task of batch 2 waits")
			}
			d.asks("a", "b")
			d.expect(t, "a 2", "b 1")
			if _, idle := d.find(d.out[key{"s", 1, 0, 0}]); idle.IsZero() {
				t.Error("batch 1 is not idle, and none of its tasks waits")
			}
			d.queue.close(2)
			if d.take("a", key{"s", 2, 0, 0}) != answerOver || d.take("b", key{"s", 1, 0, 0}) != answerTaken {
				t.Error("which batches are open")
			}
			d.asks("a")
			d.expect(t, "a 3")
		}},
		{"who is not admitted gets nothing", func(t *testing.T, d *desk) {
			d.task(1)
			d.asks("stranger")
			d.expect(t)
		}},
		{"an old request is answered without a task", func(t *testing.T, d *desk) {
			d.asks("a")
			d.asking[0].until = time.Now().Add(-time.Second)
			ctx := t.Context()
			go d.sweep(ctx)
			until(t, "the request is answered", func() bool {
				d.mu.Lock()
				defer d.mu.Unlock()
				return len(d.said) == 1
			})
			d.mu.Lock()
			defer d.mu.Unlock()
			d.expect(t, "a ")
		}},
		{"answers", func(t *testing.T, d *desk) {
			d.task(1)
			d.asks("a")
			for _, answer := range []struct {
				worker string
				key    key
				want   disposition
			}{
				{"b", key{"s", 1, 1, 0}, answerUnasked},
				{"a", key{"s", 1, 2, 0}, answerUnasked},
				{"a", key{"s", 2, 1, 0}, answerUnasked},
				{"a", key{"s", 0, 1, 0}, answerOver},
				{"a", key{"s", 1, 1, 0}, answerTaken},
				{"a", key{"s", 1, 1, 0}, answerOver},
			} {
				if got := d.take(answer.worker, answer.key); got != answer.want {
					t.Errorf("%s answers %v: %v, want %v", answer.worker, answer.key, got, answer.want)
				}
			}
			for range mostRepeats {
				d.take("a", key{"s", 1, 1, 0})
			}
			if got := d.take("a", key{"s", 1, 1, 0}); got != answerUnasked {
				t.Errorf("the same answer again and again: %v", got)
			}
		}},
		{"a lost worker", func(t *testing.T, d *desk) {
			c := d.task(1)
			if where, idle := d.find(c); where.lost || where.worker != "" || !idle.IsZero() {
				t.Errorf("in the queue: %+v, %v", where, idle)
			}
			d.asks("a")
			if where, idle := d.find(c); where.lost || where.worker != "a" || idle.IsZero() {
				t.Errorf("in hand: %+v, %v", where, idle)
			}
			if _, holders := d.backlog(); !slices.Equal(holders, []string{"a (a)"}) {
				t.Errorf("in the hands of %q", holders)
			}
			d.members.admit("a", joining{Name: "a", Instance: "2", Jobs: 1}, true)
			if where, _ := d.find(c); !where.lost {
				t.Errorf("another process has the key: %+v", where)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, newDesk(map[string]int{"a": 1, "b": 1})) })
	}
}

// A worker that does not answer a task gets it again only after others had the chance, and at once where there are no others.
func TestTasksGoToOthersFirst(t *testing.T) {
	d := newDesk(map[string]int{"hoarder": 1, "other": 1})
	c := &taskCopy{key: key{"s", 1, 0, 1}, data: []byte("again"), avoid: []string{"hoarder"}}
	d.asks("other", "other", "other")
	d.task(1, "hoarder")
	d.task(2, "hoarder")
	d.expect(t, "other 1", "other 2") // it has no room for more
	d.put(c)
	d.asks("hoarder")
	d.expect(t)
	c.since = time.Now().Add(-avoidTime)
	d.serve()
	d.expect(t, "hoarder again")
	d.members.quarantine(Refusal{Key: "other", Reason: "it lied"})
	d.put(&taskCopy{key: key{"s", 1, 1, 1}, data: []byte("alone"), avoid: []string{"hoarder"}})
	d.asks("hoarder")
	d.expect(t, "hoarder alone")
}

// After it has kept several tasks a worker gets one at a time, until it answers two in a row. After one an answer is enough.
func TestTwoAnswersInARow(t *testing.T) {
	m := newMembership()
	m.admit("a", joining{Name: "a", Instance: "1", Jobs: 8}, false)
	slots := func() int {
		n, _ := m.slots("a", nil)
		return n
	}
	m.paced = true
	for range 20 {
		m.straggles("a", 0)
	}
	if n := slots(); n != 1 {
		t.Errorf("%d slots after it kept tasks, want 1", n)
	}
	m.answers("a")
	if n := slots(); n != 1 {
		t.Errorf("%d slots after one answer, want 1", n)
	}
	m.straggles("a", 0)
	m.answers("a")
	m.answers("a")
	if n := slots(); n != slotsOf(8) {
		t.Errorf("%d slots after two answers, want %d", n, slotsOf(8))
	}
	m.straggles("a", 0)
	m.answers("a")
	if n := slots(); n != slotsOf(8) {
		t.Errorf("%d slots after one kept task and an answer, want %d", n, slotsOf(8))
	}
}

// While the time of a pair is not known a worker of another process gets a few tasks, however many jobs it has.
func TestFirstSlots(t *testing.T) {
	for _, test := range []struct {
		jobs           int
		trusted, paced bool
		want           int
	}{
		{1, false, false, 2},
		{MaxJobs, false, false, firstSlots},
		{MaxJobs, false, true, slotsOf(MaxJobs)},
		{MaxJobs, true, false, slotsOf(MaxJobs)},
	} {
		t.Run(fmt.Sprintf("%+v", test), func(t *testing.T) {
			m := newMembership()
			m.admit("a", joining{Name: "a", Instance: "1", Jobs: test.jobs}, test.trusted)
			if test.paced {
				m.paced = true
			}
			if got, _ := m.slots("a", nil); got != test.want {
				t.Errorf("%d slots, want %d", got, test.want)
			}
		})
	}
}
