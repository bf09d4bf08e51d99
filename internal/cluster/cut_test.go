package cluster

import (
	"slices"
	"testing"
	"time"
)

// Tasks hold every pair once, take a few seconds where there are pairs enough, and are smaller at the end.
func TestCut(t *testing.T) {
	tests := []struct {
		pairs, jobs int
		each        time.Duration
		first, last int // sizes of tasks
	}{
		{pairs: 3000, jobs: 4, each: 30 * time.Millisecond, first: 100, last: 1}, // 3 s
		{pairs: 3000, jobs: 4, each: time.Second, first: 3, last: 1},             // 3 s
		{pairs: 3000, jobs: 4, each: time.Minute, first: 1, last: 1},
		{pairs: 3000, jobs: 4, each: time.Millisecond, first: 251, last: 1}, // a job's third
		{pairs: 9000, jobs: 4, each: time.Millisecond, first: mostPairs, last: 1},
		{pairs: 3000, jobs: 4, first: firstPairs, last: 1}, // not known yet
		{pairs: 30, jobs: 100, each: time.Millisecond, first: 1, last: 1},
		{pairs: 1, jobs: 0, each: time.Millisecond, first: 1, last: 1},
	}
	for _, test := range tests {
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
	}
}
