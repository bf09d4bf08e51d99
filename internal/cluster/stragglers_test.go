package cluster

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
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

// The time of a pair grows again after answers that took nearly none, so tasks do not straggle for ever.
func TestPaceRecovers(t *testing.T) {
	for _, answered := range []time.Duration{1, 2, 7, time.Microsecond} {
		t.Run(answered.String(), func(t *testing.T) {
			c := open(t, Config{})
			r := dispatcherOf(t, c, testBatch(t, 1))
			for _, took := range []time.Duration{answered, time.Second} {
				for range 100 {
					r.pace(took)
				}
			}
			if c.each < time.Second/2 {
				t.Errorf("after 100 answers of %v and 100 of a second, a pair is expected to take %v", answered, c.each)
			}
		})
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
			c.members.members["honest"].asked = time.Now().Add(time.Hour)
			c.members.pace()
			r := dispatcherOf(t, c, testBatch(t, pairs))
			r.dispatch(everyPair(r.batch), nil)
			m := c.members.members["thief"]
			for turn := range 3 {
				for range pairs {
					c.queue.ask("thief", &nats.Msg{})
				}
				test.lose(c.members, turn)
				r.look(time.Now())
				c.members.alive("thief", heartbeat{Instance: m.joining.Instance})
			}
			if got := c.figures.tasks.Load(); got != 2*pairs {
				t.Errorf("%d tasks were sent for %d pairs that were lost at one time", got, pairs)
			}
			for losses := 1; losses < 8; losses++ {
				want := min(time.Second<<(losses-1), longestRest)
				if pause := time.Until(m.resting); m.straggled != losses || pause > want || pause < want-time.Second {
					t.Errorf("after %d losses: %d count, and it rests for %v, want %v", losses, m.straggled, pause, want)
				}
				m.resting = time.Time{}
				for range pairs {
					c.queue.ask("thief", &nats.Msg{})
				}
				test.lose(c.members, losses+10)
				r.look(time.Now())
				c.members.alive("thief", heartbeat{Instance: m.joining.Instance})
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
	for _, a := range []received{{"slow", key{copy: 1}, answer{Pairs: whole.Pairs[:1]}}, {"thawed", key{}, whole}} {
		if err := r.take(&a); err != nil {
			t.Fatal(err)
		}
	}
	if faults := c.Status().Faults; r.left != 0 || len(faults) > 0 {
		t.Errorf("%d of %d pairs are missing, faults %v", r.left, pairs, faults)
	}
}
