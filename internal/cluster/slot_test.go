package cluster

import (
	"fmt"
	"testing"
	"time"

	"quintune/selfplay"
)

// A task is ended early when its next pair would bring it to one and a half times the expected time, or beyond
// the deadline.
func TestTooSlow(t *testing.T) {
	w := &worker{}
	w.deadline.Store(int64(time.Minute))
	tests := []struct {
		name   string
		waited time.Duration // before the first pair
		expect time.Duration // of a pair
		pairs  int           // pairs played, of ten
		took   time.Duration
		want   bool
	}{
		{"as expected", 0, time.Second, 5, 5 * time.Second, false},
		{"a little slow", 0, time.Second, 5, 7 * time.Second, false},
		{"much too slow", 0, time.Second, 5, 13 * time.Second, true},
		{"too slow, but short", 0, 10 * time.Millisecond, 5, 200 * time.Millisecond, false},
		{"not known how long", 0, 0, 5, 20 * time.Second, false},
		{"beyond the deadline", 0, 10 * time.Second, 5, 45 * time.Second, true},
		{"waited long", 40 * time.Second, 10 * time.Second, 1, 9 * time.Second, true},
		{"waited a little", 10 * time.Second, 10 * time.Second, 1, 9 * time.Second, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			u := &unpacked{task: &task{Expect: test.expect, Pairs: make([]pair, 10)}, got: time.Now().Add(-test.waited - test.took)}
			if got := w.tooSlow(u, test.pairs, test.took); got != test.want {
				t.Errorf("after %d pairs in %v: too slow %v, want %v", test.pairs, test.took, got, test.want)
			}
		})
	}
}

// A task that has waited for a job until shortly before its deadline is given back, not begun.
func TestTaskThatHasWaitedTooLongIsGivenBack(t *testing.T) {
	w := &worker{config: &WorkerConfig{}, pools: make(chan selfplay.Runner, 1)}
	w.pools <- selfplay.NewPool(1)
	w.deadline.Store(int64(time.Minute))
	batch := testBatch(t, 1)
	plain := taskOf(batch, []string{"baseline:random", "baseline:random", "baseline:random"}, []int{0})
	for waited, played := range map[time.Duration]int{0: 1, 50 * time.Second: 0} {
		t.Run("waited "+waited.String(), func(t *testing.T) {
			a, err := w.prepareAndPlay(t.Context(), t.Context(), &unpacked{task: plain, got: time.Now().Add(-waited)})
			if err != nil || len(a.Pairs) != played {
				t.Errorf("after %v: %+v, %v", waited, a, err)
			}
		})
	}
}

// Pauses double up to a bound, and differ at random between workers.
func TestBackoff(t *testing.T) {
	for n, want := range map[int]time.Duration{-1: firstPause, 1: firstPause, 2: 2 * firstPause, 4: 8 * firstPause, 9: mostPause, 1000: mostPause} {
		t.Run(fmt.Sprintf("attempt %d", n), func(t *testing.T) {
			seen := map[time.Duration]bool{}
			for range 200 {
				got := backoff(n)
				seen[got] = true
				if got < want/2 || got > want {
					t.Fatalf("attempt %d: %v, want %v to %v", n, got, want/2, want)
				}
			}
			if len(seen) < 10 {
				t.Errorf("attempt %d: %d different pauses of 200", n, len(seen))
			}
		})
	}
}
