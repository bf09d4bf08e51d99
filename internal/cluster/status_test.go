package cluster

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestStatus(t *testing.T) {
	s := &Status{
		Workers: []WorkerStatus{
			{Name: "big", State: StateWorking, Jobs: 3, Busy: .9, Pairs: 12},
			{Name: "small", State: StateWorking, Jobs: 1, Busy: .5},
			{Name: "gone", State: StateLost, Jobs: 8},
		},
		Refused: []Refusal{{Name: "old", Reason: "its engine is another"}},
		Faults:  map[string]int64{"quarantine": 1, "lost worker": 2, "worker refused": 4},
		Pending: 77, Reissued: 5,
	}
	if workers, jobs := s.Working(); workers != 2 || jobs != 4 {
		t.Errorf("%d workers with %d jobs work", workers, jobs)
	}
	if got := s.Busy(); got < .8-1e-9 || got > .8+1e-9 {
		t.Errorf("they are busy for %v of their time", got)
	}
	if s.FaultCount() != 7 || (&Status{}).Busy() != 0 {
		t.Errorf("%d faults; nobody is busy for %v", s.FaultCount(), (&Status{}).Busy())
	}
	text := s.Text()
	for _, want := range []string{"2 workers with 4 jobs, 80 % of their time in games", "77 pairs to come", "(5 reissued)", "refused: old", "its engine is another"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %s", want, text)
			}
		})
	}
	if a, b, c := strings.Index(text, "lost worker: 2"), strings.Index(text, "quarantine: 1"), strings.Index(text, "worker refused: 4"); a < 0 || b < a || c < b {
		t.Errorf("the faults are not in order: %s", text)
	}
}

// The time of jobs is that of the whole run: workers count that have left or joined again, and what was played since the last
// heartbeat.
func TestTimeOfJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ms := newMembership()
		want := func(busy, present float64) {
			t.Helper()
			if here, played := ms.times(); math.Abs(here-present)+math.Abs(played-busy) > 1e-9 {
				t.Errorf("%v s of %v s in games, want %v of %v", played, here, busy, present)
			}
		}
		sign := func(id string, busy float64, leaving bool) {
			ms.alive(id, heartbeat{Instance: id, Busy: busy, Leaving: leaving})
		}
		want(0, 0)
		ms.admit("big", joining{Instance: "big", Jobs: 3}, false)
		ms.admit("small", joining{Instance: "small", Jobs: 1}, false)
		time.Sleep(time.Second)
		ms.played("big", time.Second, 2*time.Second)
		ms.played("big", time.Hour, time.Second)
		want(2, 4)
		time.Sleep(9 * time.Second)
		sign("big", .9, true)
		time.Sleep(60 * time.Second)
		want(27, 30+70)
		sign("small", .1, false)
		time.Sleep(30 * time.Second)
		want(27+7, 30+100)
		ms.admit("big", joining{Instance: "big", Jobs: 1}, false) // again, with other jobs
		time.Sleep(10 * time.Second)
		sign("big", .5, false)
		want(27+5+7, 30+10+110)
		ms.quarantine(Refusal{Key: "small", Reason: "forged"}) // there until its last heartbeat
		want(27+5+7, 30+10+70)
	})
}

func TestMeter(t *testing.T) {
	var m meter
	begin := time.Unix(1_000_000, 0)
	if got := m.rate(begin); got != 0 {
		t.Errorf("%v events a second before the first", got)
	}
	for second := range 100 {
		m.add(begin.Add(time.Duration(second)*time.Second), 6)
		m.add(begin.Add(time.Duration(second)*time.Second+time.Millisecond), 1)
	}
	for _, test := range []struct {
		after time.Duration
		want  float64
	}{
		{99 * time.Second, 7}, {99*time.Second + 15*time.Second, 3.5}, {200 * time.Second, 0},
	} {
		t.Run("after "+test.after.String(), func(t *testing.T) {
			if got := m.rate(begin.Add(test.after)); got != test.want {
				t.Errorf("after %v: %v events a second, want %v", test.after, got, test.want)
			}
		})
	}
	var young meter
	young.add(begin, 10)
	young.add(begin.Add(2*time.Second), 10)
	if got := young.rate(begin.Add(4 * time.Second)); got != 5 {
		t.Errorf("20 events in the first 4 seconds are %v a second", got)
	}
}
