package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/pattern"
	"quintune/selfplay"
)

// Tasks contain every pair once. They take a few seconds where there are enough pairs, and get smaller towards
// the end of a batch.
func TestCut(t *testing.T) {
	tests := []struct {
		pairs, jobs int
		each        time.Duration
		first, last int // pairs of the first and the last task
	}{
		{pairs: 3000, jobs: 4, each: 30 * time.Millisecond, first: 100, last: 1}, // 3 s
		{pairs: 3000, jobs: 4, each: time.Second, first: 3, last: 1},             // 3 s
		{pairs: 3000, jobs: 4, each: time.Minute, first: 1, last: 1},
		{pairs: 3000, jobs: 4, each: time.Millisecond, first: 251, last: 1}, // a third of a job's share
		{pairs: 9000, jobs: 4, each: time.Millisecond, first: mostPairs, last: 1},
		{pairs: 3000, jobs: 4, first: firstPairs, last: 1}, // time of a pair not known yet
		{pairs: 30, jobs: 100, each: time.Millisecond, first: 1, last: 1},
		{pairs: 1, jobs: 0, each: time.Millisecond, first: 1, last: 1},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%d pairs of %v for %d jobs", test.pairs, test.each, test.jobs), func(t *testing.T) {
			pairs := make([]int, test.pairs)
			for i := range pairs {
				pairs[i] = i
			}
			tasks := Cut(pairs, test.jobs, test.each, 3*time.Second)
			if got := slices.Concat(tasks...); !slices.Equal(got, pairs) {
				t.Errorf("%+v: the tasks hold %d pairs, or others", test, len(got))
			}
			if first, last := len(tasks[0]), len(tasks[len(tasks)-1]); first != test.first || last != test.last {
				t.Errorf("%+v: the tasks have %d to %d pairs", test, first, last)
			}
			for i := 1; i < len(tasks); i++ {
				if len(tasks[i]) > len(tasks[i-1]) {
					t.Errorf("%+v: task %d is larger than the one before", test, i)
				}
			}
		})
	}
}

// A task of players with a great many values is not longer than a message may be: the server would not take it, and nobody could play it.
func TestTasksOfPlayersWithManyValues(t *testing.T) {
	outside, batch := besides(t, func() selfplay.Player { return fouling{} }, pattern.Renju, 200)
	for i := range batch.Pairings {
		engine := batch.Contestants[0]
		engine.Remote = EnginePrefix + fmt.Sprintf(`{"parameter%d":%s}`, i, strings.Repeat("1", 80<<10))
		batch.Contestants = append(batch.Contestants, engine)
		batch.Pairings[i].A = len(batch.Contestants) - 1
	}
	c := open(t, Config{Jobs: 1, Outside: outside})
	until(t, "the worker of the process is there", func() bool { return c.Workers() == 1 })
	c.playing.Lock()
	c.each = time.Microsecond // known from an earlier batch
	c.playing.Unlock()
	if _, err := c.Run(patient(t), batch, nil); err != nil {
		t.Error(err)
	}
}

// A task straggles two and a half times its expected time after it was handed out, 5/4 of that time after no
// other task waits, and at the deadline. Each copy that is out doubles the first two times.
func TestStraggles(t *testing.T) {
	timing := Timing{Slack: time.Second, Deadline: time.Minute}
	tests := []struct {
		name string
		o    Outstanding
		want bool
	}{
		{"others wait", Outstanding{4 * time.Second, 1, 10 * time.Second, -1}, false},
		{"others wait, too long", Outstanding{4 * time.Second, 1, 12 * time.Second, -1}, true},
		{"nothing waits", Outstanding{4 * time.Second, 1, 5 * time.Second, 5 * time.Second}, false},
		{"nothing waits, too long", Outstanding{4 * time.Second, 1, 7 * time.Second, 7 * time.Second}, true},
		{"nothing waits of late", Outstanding{4 * time.Second, 1, 7 * time.Second, time.Second}, false},
		{"a second copy", Outstanding{4 * time.Second, 2, 11 * time.Second, 11 * time.Second}, false},
		{"a second copy, too long", Outstanding{4 * time.Second, 2, 13 * time.Second, 13 * time.Second}, true},
		{"beyond the deadline", Outstanding{time.Hour, 1, 61 * time.Second, -1}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := timing.Straggles(test.o); got != test.want {
				t.Errorf("%+v: straggles %v, want %v", test.o, got, test.want)
			}
		})
	}
}

// The time that a worker needs for a pair grows again after answers that took nearly none, so tasks do not straggle for ever.
func TestPaceRecovers(t *testing.T) {
	for _, answered := range []time.Duration{0, 1, 2, 7, time.Microsecond} {
		t.Run(answered.String(), func(t *testing.T) {
			m := newMembership()
			m.admit("a", joining{Name: "a", Instance: "1", Jobs: 1}, false)
			for _, took := range []time.Duration{answered, time.Second} {
				for range 100 {
					m.pace("a", took, took)
				}
			}
			if got := m.pairTime(time.Time{}); got < time.Second/2 {
				t.Errorf("after 100 answers of %v and 100 of a second, a pair is expected to take %v", answered, got)
			}
		})
	}
}

// The time of a pair is that at the middle one of the workers that play. What one of them reports is bounded by how long it had the task.
func TestPairTime(t *testing.T) {
	const had = time.Second
	for _, test := range []struct {
		name  string
		tooks []time.Duration // [worker]: what each reports; each had the task for a second
		quiet int             // number of workers, the first ones, that have asked for nothing lately
		want  time.Duration
	}{
		{"none", nil, 0, 0},
		{"one", []time.Duration{800 * time.Millisecond}, 0, 800 * time.Millisecond},
		{"the quicker of two", []time.Duration{900 * time.Millisecond, 600 * time.Millisecond}, 0, 600 * time.Millisecond},
		{"the middle of three", []time.Duration{900 * time.Millisecond, 600 * time.Millisecond, 800 * time.Millisecond}, 0, 800 * time.Millisecond},
		{"who plays no more does not count", []time.Duration{600 * time.Millisecond, 900 * time.Millisecond}, 1, 900 * time.Millisecond},
		{"no time", []time.Duration{1}, 0, had / 2},
		{"less than none", []time.Duration{-1}, 0, had / 2},
		{"years", []time.Duration{1 << 62}, 0, had},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMembership()
			for i, took := range test.tooks {
				id := fmt.Sprint(i)
				m.admit(id, joining{Name: id, Instance: "1", Jobs: 1}, false)
				for range 10 {
					m.pace(id, took, had)
				}
				if i < test.quiet {
					m.members[id].asked = time.Now().Add(-time.Hour)
				}
			}
			if got := m.pairTime(time.Now().Add(-time.Minute)); got != test.want {
				t.Errorf("a pair takes %v, want %v", got, test.want)
			}
		})
	}
}

// A slower machine gets its own time while other tasks wait, up to four times that of the others.
func TestTimeOfSlowerWorkers(t *testing.T) {
	m := newMembership()
	for id, each := range map[string]time.Duration{"quick": time.Second, "slow": 3 * time.Second, "slower": time.Minute, "new": 0} {
		m.admit(id, joining{Name: id, Instance: "1", Jobs: 1}, false)
		if each > 0 {
			m.pace(id, each, each)
		}
	}
	const each = 2 * time.Second
	for id, want := range map[string]time.Duration{"quick": each, "slow": 3 * time.Second, "slower": 4 * each, "new": each, "nobody": each} {
		if got := m.timeAt(id, each); got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

// A worker that answers each task with one right pair, just before others would get the task too, cannot lengthen the time after which
// they do. When its tasks straggle after all, its time is forgotten.
func TestLateAnswersLengthenNothing(t *testing.T) {
	const pairs, usual = 60, 30 * time.Millisecond
	c, batch := open(t, Config{Timing: Timing{Heartbeat: time.Hour}}), testBatch(t, pairs)
	results := byPool(t, batch)
	for _, id := range []string{"honest", "thief"} {
		c.members.admit(id, joining{Name: id, Instance: "1", Jobs: MaxJobs}, true)
	}
	r := dispatcherOf(t, c, batch)
	answers := func(worker string, pair int, took time.Duration) {
		r.add(&dispatch{pairs: []int{pair}})
		a := &received{worker: worker, key: key{task: pair}, answer: answer{Pairs: []played{send(pair, &results[pair], batch)}, Took: took}, had: took}
		if err := r.take(a); err != nil {
			t.Fatal(err)
		}
	}
	answers("thief", 0, time.Minute) // before anybody else
	for pair := 1; pair < pairs; pair += 2 {
		answers("honest", pair, usual)
		r.pace(time.Now())
		limit := r.expected(r.dispatches[pair], c.each)*5/4 + c.config.Timing.Slack
		if limit > 2*c.config.Timing.Slack {
			t.Fatalf("after %d answers a task of one pair straggles after %v", pair, limit)
		}
		if pair+1 < pairs {
			answers("thief", pair+1, limit*88/100)
		}
	}
	if c.each != usual {
		t.Errorf("a pair is expected to take %v, want %v", c.each, usual)
	}
	c.members.straggles("honest", 2*usual)
	if r.pace(time.Now()); c.each != usual {
		t.Errorf("a pair is expected to take %v after a worker took its %v twice", c.each, usual)
	}
	c.members.straggles("honest", 3*usual)
	if r.pace(time.Now()); c.each <= usual {
		t.Errorf("a pair is expected to take %v after a worker took thrice its %v", c.each, usual)
	}
}

// A worker cannot have every task sent again and again by losing what it has in hand: after the first loss it gets one
// task at a time, after pauses that double. An honest worker that starts again pauses once, however many tasks it had.
func TestLostTasksCountAgainstTheirWorker(t *testing.T) {
	const pairs = 60
	tests := []struct {
		name string
		lose func(r *membership, turn int)
	}{
		{"joins again", func(r *membership, turn int) {
			r.admit("thief", joining{Name: "thief", Instance: fmt.Sprint(turn + 2), Jobs: MaxJobs}, false)
		}},
		{"leaves and comes back", func(r *membership, _ int) { r.alive("thief", heartbeat{Instance: "1", Leaving: true}) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := open(t, Config{Timing: Timing{Heartbeat: time.Hour}})
			for _, id := range []string{"honest", "thief"} {
				c.members.admit(id, joining{Name: id, Instance: "1", Jobs: MaxJobs}, false)
			}
			c.members.with("honest", func(m *member) {
				m.asked = time.Now().Add(time.Hour)
				c.members.paced = true
			})
			r := dispatcherOf(t, c, testBatch(t, pairs))
			r.dispatch(everyPair(r.batch), nil)
			back := func() {
				instance := ""
				c.members.with("thief", func(m *member) { instance = m.joining.Instance })
				c.members.alive("thief", heartbeat{Instance: instance})
			}
			// loses has the worker ask for tasks and lose them, and returns the time at which that is noticed.
			loses := func(turn int) (at time.Time) {
				for range pairs {
					c.queue.ask("thief", &nats.Msg{})
				}
				test.lose(c.members, turn)
				at = time.Now()
				r.look(at)
				return at
			}
			// rests checks the pause after a loss, and lengthens it, since the machine may be busy.
			rests := func(losses int, at time.Time) {
				want := min(time.Second<<(losses-1), longestRest)
				c.members.with("thief", func(m *member) {
					if pause := m.resting.Sub(at); m.straggled != losses || pause < want || pause > want+time.Since(at) {
						t.Errorf("after %d losses: %d count, and it rests for %v, want %v", losses, m.straggled, pause, want)
					}
					m.resting = time.Now().Add(time.Hour)
				})
				back()
			}
			rests(1, loses(0))
			for turn := 1; turn < 3; turn++ {
				loses(turn)
				back()
			}
			if got := c.figures.tasks.Load(); got != 2*pairs {
				t.Errorf("%d tasks were sent for %d pairs that were lost at one time", got, pairs)
			}
			for losses := 2; losses < 9; losses++ {
				c.members.with("thief", func(m *member) { m.resting = time.Time{} })
				rests(losses, loses(losses+10))
			}
			if got := c.figures.tasks.Load(); got != 2*pairs+7 {
				t.Errorf("%d tasks were sent, want one more for each pause", got-2*pairs)
			}
		})
	}
}

// A worker that was taken for lost answers its task after another has given a part of it back: all of its pairs count, and it
// has done nothing wrong.
func TestLateAnswerToATaskOfWhichAPartWasGivenBack(t *testing.T) {
	const pairs = 4
	c, batch := open(t, Config{Timing: Timing{Heartbeat: time.Hour}}), testBatch(t, pairs)
	played, whole := byPool(t, batch), answer{}
	for i := range played {
		whole.Pairs = append(whole.Pairs, send(i, &played[i], batch))
	}
	for _, id := range []string{"thawed", "slow"} {
		c.members.admit(id, joining{Name: id, Instance: "1", Jobs: 1}, true)
	}
	r := dispatcherOf(t, c, batch)
	r.add(&dispatch{pairs: everyPair(batch)})
	for _, a := range []received{{worker: "slow", key: key{copy: 1}, answer: answer{Pairs: whole.Pairs[:1]}}, {worker: "thawed", answer: whole}} {
		if err := r.take(&a); err != nil {
			t.Fatal(err)
		}
	}
	if faults := c.Status().Faults; r.left != 0 || len(faults) > 0 {
		t.Errorf("%d of %d pairs are missing, faults %v", r.left, pairs, faults)
	}
}

// A part of a task that arrives after others have got its pairs has nothing sent a third time.
func TestLatePartOfATask(t *testing.T) {
	const pairs = 4
	c, batch := open(t, Config{Timing: Timing{Heartbeat: time.Hour}}), testBatch(t, pairs)
	c.members.admit("slow", joining{Name: "slow", Instance: "1", Jobs: 1}, true)
	r := dispatcherOf(t, c, batch)
	r.add(&dispatch{pairs: everyPair(batch)})
	r.reissue(0, r.dispatches[0])
	first := byPool(t, batch)[0]
	if err := r.take(&received{worker: "slow", answer: answer{Pairs: []played{send(0, &first, batch)}}}); err != nil {
		t.Fatal(err)
	}
	if got := len(r.dispatches); got != 1+pairs {
		t.Errorf("%d tasks were made of %d pairs, want %d", got, pairs, 1+pairs)
	}
}

// A worker that gives a task back gets no other for a second, even where it is the only one: copies without end would be kept.
func TestReturnedTaskIsFollowedByAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMembership()
		m.admit("a", joining{Name: "a", Instance: "1", Jobs: 8}, false)
		m.givesBack("a", 0)
		if n, _ := m.slots("a", nil); n != 0 {
			t.Errorf("%d slots at once", n)
		}
		time.Sleep(afterReturn)
		if n, _ := m.slots("a", nil); n != 1 {
			t.Errorf("%d slots after the pause, want 1", n)
		}
	})
}

// Two jobs of a worker may count their first pairs in another order than that in which they took the time.
func TestMeterTakesTimesInAnyOrder(t *testing.T) {
	var m meter
	now := time.Now()
	m.add(now.Add(1100*time.Millisecond), 1)
	m.add(now, 1)
	if got := m.rate(now.Add(2 * time.Second)); got <= 0 {
		t.Errorf("the rate is %v", got)
	}
}
