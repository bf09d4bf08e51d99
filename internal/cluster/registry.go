package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"
)

// member is a worker as the coordinator knows it.
type member struct {
	id          string // public key, or a random one on the loopback
	joining     joining
	trusted     bool // in this process
	joined      time.Time
	seen        time.Time
	beat        beat
	lost        bool   // no sign of life
	left        bool   // said goodbye
	quarantined string // why; "" for none
	tasks       int64  // results accepted
	pairs       int64
	games       int64
	audited     int64 // pairs that another worker has confirmed
	probed      bool  // its first task has been chosen for an audit
}

// live says whether tasks may be expected of the worker.
func (m *member) live() bool { return !m.lost && !m.left && m.quarantined == "" }

// label names the worker for people.
func (m *member) label() string { return fmt.Sprintf("%s (%.12s)", m.joining.Name, m.id) }

// registry knows the workers. Safe for concurrent use.
type registry struct {
	mu      sync.Mutex
	members map[string]*member
	refused []Refusal
	faults  map[string]int64 // by kind
}

// Refusal is a worker that was turned away, or put out.
type Refusal struct {
	When   time.Time `json:"when"`
	Name   string    `json:"name"`
	Key    string    `json:"key"`
	Reason string    `json:"reason"`
}

// mostRefusals is how many are remembered.
const mostRefusals = 100

func newRegistry() *registry {
	return &registry{members: map[string]*member{}, faults: map[string]int64{}}
}

// admit takes a worker in; a process that had the key before is replaced.
func (r *registry) admit(id string, j joining, trusted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[id]
	if m == nil {
		m = &member{id: id}
		r.members[id] = m
	}
	now := time.Now()
	m.joining, m.trusted, m.joined, m.seen, m.lost, m.left, m.beat = j, trusted, now, now, false, false, beat{}
}

// alive notes a sign of life; it returns what the worker is told.
func (r *registry) alive(id string, b beat) pulse {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[id]
	switch {
	case m == nil:
		return pulse{}
	case m.quarantined != "":
		return pulse{Known: true, Refused: m.quarantined}
	case m.joining.Instance != b.Instance:
		return pulse{Known: true, Refused: "another process has joined with the same key"}
	}
	m.seen, m.beat, m.lost, m.left = time.Now(), b, false, b.Leaving
	return pulse{Known: true}
}

// quarantinedFor returns why the worker was put out, "" where it was not.
func (r *registry) quarantinedFor(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.members[id]; m != nil {
		return m.quarantined
	}
	return ""
}

// quarantine puts a worker out for the rest of the run; it returns false where it was out before.
func (r *registry) quarantine(id, reason string) (label string, fresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[id]
	if m == nil {
		m = &member{id: id, joining: joining{Name: "unknown"}}
		r.members[id] = m
	}
	if m.quarantined != "" {
		return m.label(), false
	}
	m.quarantined = reason
	r.refuse(Refusal{time.Now(), m.joining.Name, id, reason})
	return m.label(), true
}

// turnAway notes a worker that was not admitted; it returns false where the same was noted before.
func (r *registry) turnAway(name, id, reason string) (fresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, old := range r.refused {
		if old.Key == id && old.Reason == reason {
			return false
		}
	}
	r.refuse(Refusal{time.Now(), name, id, reason})
	return true
}

func (r *registry) refuse(refusal Refusal) {
	r.refused = append(r.refused, refusal)
	if len(r.refused) > mostRefusals {
		r.refused = r.refused[1:]
	}
}

// fault counts something that went wrong.
func (r *registry) fault(kind string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[kind]++
}

// expire marks the workers without a sign of life since the time, and returns their labels.
func (r *registry) expire(since time.Time) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var gone []string
	for _, m := range r.members {
		if m.live() && m.seen.Before(since) {
			m.lost = true
			r.faults["lost worker"]++
			gone = append(gone, m.label())
		}
	}
	slices.Sort(gone)
	return gone
}

// jobs returns how many pairs the live workers play at a time, and how many workers they are.
func (r *registry) jobs() (jobs, workers int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.members {
		if m.live() {
			jobs += m.joining.Jobs
			workers++
		}
	}
	return jobs, workers
}

// other says whether a live worker is none of the named.
func (r *registry) other(than []string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, m := range r.members {
		if m.live() && !slices.Contains(than, id) {
			return true
		}
	}
	return false
}

// standing says whether results of the worker are taken, whether this one has to be audited because it is the
// first of a worker elsewhere, and its name for people.
func (r *registry) standing(id string) (admitted, probe bool, label string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[id]
	if m == nil || m.quarantined != "" {
		return false, false, id
	}
	probe = !m.trusted && !m.probed
	m.probed = true
	return true, probe, m.label()
}

// count notes accepted pairs of a worker.
func (r *registry) count(id string, pairs int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.members[id]; m != nil {
		m.tasks++
		m.pairs += int64(pairs)
		m.games += 2 * int64(pairs)
	}
}

// confirm notes pairs of a worker that were found right.
func (r *registry) confirm(id string, pairs int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.members[id]; m != nil {
		m.audited += int64(pairs)
	}
}

// list returns the workers for the status, by name and key.
func (r *registry) list() (workers []WorkerStatus, refused []Refusal, faults map[string]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.members {
		workers = append(workers, m.status())
	}
	slices.SortFunc(workers, func(a, b WorkerStatus) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	faults = map[string]int64{}
	for kind, n := range r.faults {
		faults[kind] = n
	}
	return workers, slices.Clone(r.refused), faults
}
