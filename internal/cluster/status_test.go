package cluster

import (
	"strings"
	"testing"
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
	if s.Wrong() != 7 || (&Status{}).Busy() != 0 {
		t.Errorf("%d faults; nobody is busy for %v", s.Wrong(), (&Status{}).Busy())
	}
	text := s.Text()
	for _, want := range []string{"2 workers with 4 jobs, 80 % of their time in games", "77 pairs to come", "(5 reissued)", "refused: old", "its engine is another"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	if a, b, c := strings.Index(text, "lost worker: 2"), strings.Index(text, "quarantine: 1"), strings.Index(text, "worker refused: 4"); a < 0 || b < a || c < b {
		t.Errorf("the faults are not in order: %s", text)
	}
}
