package cluster

import (
	"fmt"
	"slices"
	"testing"
	"time"
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
