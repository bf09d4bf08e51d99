package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/internal/text"
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
	Reason    string    `json:"reason,omitempty"` // of the quarantine
	Local     bool      `json:"local"`            // in the coordinator's process
	Version   string    `json:"version"`
	Signature string    `json:"signature"`
	Jobs      int       `json:"jobs"`
	Joined    time.Time `json:"joined"`
	Seen      time.Time `json:"seen"`
	Held      int       `json:"held"` // tasks in hand
	Games     int64     `json:"games"`
	Pairs     int64     `json:"pairs"`            // accepted from it
	Audited   int64     `json:"audited"`          // of these, confirmed by another party
	Speed     float64   `json:"pairs_per_second"` // in the last half minute
	Busy      float64   `json:"busy"`             // share of its jobs' time spent in games, 0 to 1
}

// Status is the state of a cluster at one moment, for people, the dashboard and the metrics.
type Status struct {
	Session string    `json:"session"`
	Since   time.Time `json:"since"`
	Address string    `json:"address"` // address at which workers join, "" where none can
	Engine  string    `json:"engine"`

	Workers []WorkerStatus   `json:"workers"`
	Refused []Refusal        `json:"refused"`
	Faults  map[string]int64 `json:"faults"` // by kind

	Batch    int     `json:"batch"`   // batches begun
	Pending  int     `json:"pending"` // pairs of the open batches without a result, those that are played again for a check included
	Pairs    int64   `json:"pairs"`   // accepted pairs of all batches
	Tasks    int64   `json:"tasks"`   // tasks sent, copies included
	Results  int64   `json:"results"`
	Reissued int64   `json:"reissued"`   // copies of tasks that straggled or were lost
	Repeated int64   `json:"duplicates"` // results for pairs that had one already
	Audits   int64   `json:"audits"`     // pairs played a second time for comparison
	Disputes int64   `json:"disputes"`   // pairs whose results differed
	Speed    float64 `json:"pairs_per_second"`
}

// Working returns the number of live workers and of their jobs.
func (s *Status) Working() (workers, jobs int) {
	for i := range s.Workers {
		if s.Workers[i].State == StateWorking {
			workers++
			jobs += s.Workers[i].Jobs
		}
	}
	return workers, jobs
}

// Busy returns the share of time, from 0 to 1, that the jobs of the live workers have spent in games since they
// joined.
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

// FaultCount returns the number of faults of all kinds, lost and refused workers included.
func (s *Status) FaultCount() (faults int64) {
	for _, n := range s.Faults {
		faults += n
	}
	return faults
}

// status returns the member as shown to people.
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

// Text returns the status as text for people.
func (s *Status) Text() string {
	var b strings.Builder
	workers, jobs := s.Working()
	fmt.Fprintf(&b, "engine %s, since %s, workers join at %s\n", s.Engine, text.Time(s.Since), cmp.Or(s.Address, "no address"))
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

// statusTime bounds the wait for a status.
const statusTime = 5 * time.Second

// Ask returns the status of the run that uses the cluster at the address.
func Ask(ctx context.Context, url string, creds *Creds, log *slog.Logger) (*Status, error) {
	l := link{url: url, creds: creds, id: "O" + newNonce()[:12], name: ObserverName, log: log}
	if creds != nil {
		l.id = creds.Key()
	}
	permitted, deny := context.WithCancel(ctx)
	defer deny()
	l.denied = deny
	conn, err := l.connect(func(error) {})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	within, cancel := context.WithTimeout(permitted, statusTime)
	defer cancel()
	reply, err := conn.RequestWithContext(within, statusPrefix+l.id, nil)
	if errors.Is(err, nats.ErrNoResponders) { // of a server that takes headers
		return nil, fmt.Errorf("cluster: no run uses the cluster at %s", l.shown())
	}
	if denied := conn.LastError(); err != nil && errors.Is(denied, nats.ErrPermissionViolation) {
		return nil, l.forbidden(denied, ObserverName, CoordinatorName)
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && conn.LastError() == nil {
		return nil, fmt.Errorf("cluster: no run uses the cluster at %s, or it has not answered within %v", l.shown(), statusTime)
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %s: %w", l.shown(), err)
	}
	var s Status
	if err := json.Unmarshal(reply.Data, &s); err != nil {
		return nil, fmt.Errorf("cluster: the status of %s: %w", l.shown(), err)
	}
	return &s, nil
}

// meter measures events a second over the last half minute, or since the first event if that is later. Safe for
// concurrent use.
type meter struct {
	mu     sync.Mutex
	first  time.Time // time of the first event
	counts [meterSeconds]int64
	stamp  [meterSeconds]int64 // for each count its second, from first
}

const meterSeconds = 30

// add counts events.
func (m *meter) add(now time.Time, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first.IsZero() {
		m.first = now
	}
	second := m.second(now)
	i := second % meterSeconds
	if m.stamp[i] != second {
		m.stamp[i], m.counts[i] = second, 0
	}
	m.counts[i] += n
}

// second returns the number of the current second since first, 0 for a time before. It does not use the wall clock, which may jump.
func (m *meter) second(now time.Time) int64 { return max(0, int64(now.Sub(m.first)/time.Second)) }

// rate returns the events a second.
func (m *meter) rate(now time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var sum int64
	for i, second := range m.stamp {
		if m.second(now)-second < meterSeconds {
			sum += m.counts[i]
		}
	}
	return float64(sum) / min(meterSeconds, max(1, now.Sub(m.first).Seconds()))
}
