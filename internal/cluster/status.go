package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// States of a worker.
const (
	StateWorking     = "working"
	StateLost        = "lost"
	StateLeft        = "left"
	StateQuarantined = "quarantined"
)

// WorkerStatus is one worker of a Status.
type WorkerStatus struct {
	Name      string    `json:"name"`
	Key       string    `json:"key"`
	State     string    `json:"state"`
	Reason    string    `json:"reason,omitempty"` // of a quarantine
	Local     bool      `json:"local"`            // in the coordinator's process
	Version   string    `json:"version"`
	Signature string    `json:"signature"`
	Jobs      int       `json:"jobs"`
	Joined    time.Time `json:"joined"`
	Seen      time.Time `json:"seen"`
	Held      int       `json:"held"` // tasks in hand
	Games     int64     `json:"games"`
	Pairs     int64     `json:"pairs"`            // accepted
	Audited   int64     `json:"audited"`          // pairs that were confirmed
	Speed     float64   `json:"pairs_per_second"` // of late
	Busy      float64   `json:"busy"`             // share of its jobs' time in games, 0 to 1
}

// Status is the state of a cluster at one moment, for people, the dashboard and the metrics.
type Status struct {
	Session string    `json:"session"`
	Since   time.Time `json:"since"`
	Address string    `json:"address"` // where workers join, "" where nobody can
	Engine  string    `json:"engine"`

	Workers []WorkerStatus   `json:"workers"`
	Refused []Refusal        `json:"refused"`
	Faults  map[string]int64 `json:"faults"` // by kind

	Batch    int     `json:"batch"`   // batches begun
	Pending  int     `json:"pending"` // pairs of the open batch without a result
	Pairs    int64   `json:"pairs"`   // accepted in all
	Tasks    int64   `json:"tasks"`   // sent, copies included
	Results  int64   `json:"results"`
	Reissued int64   `json:"reissued"`   // copies of tasks that straggle or were lost
	Repeated int64   `json:"duplicates"` // pairs that had a result already
	Audits   int64   `json:"audits"`     // pairs played a second time, to compare
	Disputes int64   `json:"disputes"`   // pairs whose results differed
	Speed    float64 `json:"pairs_per_second"`
}

// Working returns the number of workers of which results may be expected, and of their jobs.
func (s *Status) Working() (workers, jobs int) {
	for i := range s.Workers {
		if s.Workers[i].State == StateWorking {
			workers++
			jobs += s.Workers[i].Jobs
		}
	}
	return workers, jobs
}

// Busy returns the share of the working workers' time, job by job, that they were in games since they joined, 0 to 1.
func (s *Status) Busy() float64 {
	var busy float64
	var jobs int
	for i := range s.Workers {
		if w := &s.Workers[i]; w.State == StateWorking {
			busy += w.Busy * float64(w.Jobs)
			jobs += w.Jobs
		}
	}
	return busy / float64(max(1, jobs))
}

// Wrong returns the number of faults of all kinds.
func (s *Status) Wrong() (faults int64) {
	for _, n := range s.Faults {
		faults += n
	}
	return faults
}

// status returns the member for people.
func (m *member) status() WorkerStatus {
	s := WorkerStatus{
		Name: m.joining.Name, Key: m.id, State: StateWorking, Reason: m.quarantined, Local: m.trusted,
		Version: m.joining.Version, Signature: m.joining.Signature, Jobs: m.joining.Jobs, Joined: m.joined, Seen: m.seen,
		Held: m.heartbeat.Held, Games: 2 * m.pairs, Pairs: m.pairs, Audited: m.audited, Speed: m.heartbeat.Speed, Busy: m.heartbeat.Busy,
	}
	switch {
	case m.quarantined != "":
		s.State = StateQuarantined
	case m.lost:
		s.State = StateLost
	case m.left:
		s.State = StateLeft
	}
	return s
}

// Text tells the status to people.
func (s *Status) Text() string {
	var b strings.Builder
	workers, jobs := s.Working()
	fmt.Fprintf(&b, "engine %s, since %s, workers join at %s\n", s.Engine, s.Since.Format(time.DateTime), orNone(s.Address))
	fmt.Fprintf(&b, "%d workers with %d jobs, %.0f %% of their time in games, %.1f pairs/s; batch %d: %d pairs to come\n",
		workers, jobs, 100*s.Busy(), s.Speed, s.Batch, s.Pending)
	fmt.Fprintf(&b, "pairs %d, tasks %d (%d reissued), duplicates %d, audited %d, disputes %d\n",
		s.Pairs, s.Tasks, s.Reissued, s.Repeated, s.Audits, s.Disputes)
	for _, w := range s.Workers {
		fmt.Fprintf(&b, "  %-20s %-12.12s %-11s jobs %-3d pairs %-8d %6.1f/s  busy %3.0f %%  audited %-6d held %-3d seen %s ago\n",
			w.Name, w.Key, w.State, w.Jobs, w.Pairs, w.Speed, 100*w.Busy, w.Audited, w.Held,
			time.Since(w.Seen).Round(time.Second))
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Faults)) {
		fmt.Fprintf(&b, "fault: %s: %d\n", kind, s.Faults[kind])
	}
	for _, r := range s.Refused {
		fmt.Fprintf(&b, "refused: %s (%.12s): %s\n", r.Name, r.Key, r.Reason)
	}
	return b.String()
}

func orNone(address string) string {
	if address == "" {
		return "no address"
	}
	return address
}
