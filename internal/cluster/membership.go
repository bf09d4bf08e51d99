package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// member is what the coordinator knows of a worker.
type member struct {
	id          string // public key; on the loopback a random id
	joining     joining
	trusted     bool // the worker of this process
	joined      time.Time
	seen        time.Time
	asked       time.Time     // when it last asked for a task
	each        time.Duration // smoothed time in which it answers a pair; 0: not known
	heartbeat   heartbeat
	present     float64 // time of its jobs before it joined last, s
	busy        float64 // of that in games
	answered    float64 // time in games of the tasks that it has answered since it joined, s
	lost        bool    // too many heartbeats missed
	left        bool    // has announced that it leaves
	quarantined string  // reason; "" for a worker that is not in quarantine
	pairs       int64   // accepted from it
	audited     int64   // of these, confirmed by another party
	probed      bool    // its first task has been chosen for audit
	misdeeds    int     // messages that no honest worker sends
	floodSince  time.Time
	messages    int // weights that floods has counted since then
	straggled   int // tasks that others got too or that it lost; answers reduce it
	resting     time.Time
	gaveBack    time.Time // when it last gave a task back unplayed
	lastLoss    time.Time // when tasks in its hands were last found lost
}

// live reports whether the worker can be expected to answer tasks.
func (m *member) live() bool { return m != nil && !m.lost && !m.left && m.quarantined == "" }

// times returns how long its jobs have been present, and the part of this in games, s. Heartbeats know of tasks that were never
// answered, answers of what was played since the last heartbeat.
func (m *member) times() (present, busy float64) {
	told := m.seen.Sub(m.joined).Seconds() * float64(m.joining.Jobs)
	here := told
	if m.live() {
		here = time.Since(m.joined).Seconds() * float64(m.joining.Jobs)
	}
	return m.present + here, m.busy + min(here, max(m.answered, m.heartbeat.Busy*told))
}

// label returns the worker's name and the beginning of its key, for messages.
func (m *member) label() string { return m.joining.Name + keySuffix(m.id) }

// keySuffix returns what follows the name in a label.
func keySuffix(id string) string { return fmt.Sprintf(" (%.12s)", id) }

// membership is the list of workers. Safe for concurrent use.
type membership struct {
	mu      sync.Mutex
	members map[string]*member
	paced   bool // a pair was answered, so tasks that straggle are found
	refused []Refusal
	faults  map[string]int64 // by kind
}

// Refusal is a worker that was refused or quarantined.
type Refusal struct {
	When   time.Time `json:"when"`
	Name   string    `json:"name"`
	Key    string    `json:"key"`
	Reason string    `json:"reason"`
}

const (
	mostRefusals = 100 // refusals that are remembered
	mostMisdeeds = 20  // bad messages of a party that lead to quarantine

	floodTime    = 10 * time.Second
	mostMessages = 10_000 // weight of the messages of a party beside the work within floodTime, see floods
	mostRequests = 10     // and this many more for each of its slots
)

func newMembership() *membership {
	return &membership{members: map[string]*member{}, faults: map[string]int64{}}
}

// of returns the record of a party, and creates it where there is none.
func (ms *membership) of(id string) *member {
	m := ms.members[id]
	if m == nil {
		m = &member{id: id, joining: joining{Name: "unknown"}, left: true}
		ms.members[id] = m
	}
	return m
}

// admit adds a worker. A process that had the same key before is replaced. It reports whether to log this: a key
// that joins again and again is not logged every time.
func (ms *membership) admit(id string, j joining, trusted bool) (fresh bool) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m, now := ms.of(id), time.Now()
	fresh = now.Sub(m.joined) > time.Second
	if m.joined.IsZero() {
		m.asked = now // it is about to ask
	}
	m.present, m.busy = m.times()
	m.answered = 0
	m.joining, m.trusted, m.joined, m.seen, m.lost, m.left, m.heartbeat = j, trusted, now, now, false, false, heartbeat{}
	return fresh
}

// alive records a heartbeat and returns the answer for the worker.
func (ms *membership) alive(id string, b heartbeat) heartbeatAnswer {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.members[id]
	switch {
	case m == nil || m.joining.Instance == "":
		return heartbeatAnswer{}
	case m.quarantined != "":
		return heartbeatAnswer{Known: true, Refused: m.quarantined}
	case m.joining.Instance != b.Instance:
		return heartbeatAnswer{Known: true, Refused: "another process has joined with the same key"}
	}
	m.seen, m.heartbeat, m.lost, m.left = time.Now(), b.bounded(), false, b.Leaving
	return heartbeatAnswer{Known: true}
}

// quarantinedFor returns why the worker was quarantined, "" where it was not.
func (ms *membership) quarantinedFor(id string) string {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if m := ms.members[id]; m != nil {
		return m.quarantined
	}
	return ""
}

// quarantine accepts nothing more from a party. A name in q is that of a party of an earlier process, "" leaves the one that it has
// given. It returns false where the party was in quarantine already.
func (ms *membership) quarantine(q Refusal) (label string, fresh bool) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.of(q.Key)
	if m.quarantined != "" {
		return m.label(), false
	}
	m.joining.Name = cmp.Or(q.Name, m.joining.Name)
	q.Name, m.quarantined = m.joining.Name, q.Reason
	if m.seen.IsZero() {
		m.seen = q.When
	}
	ms.refuse(q)
	return m.label(), true
}

// misbehaved records a message that no honest party sends, and returns the number of them so far.
func (ms *membership) misbehaved(id, kind string) int {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.faults[kind]++
	m := ms.of(id)
	m.misdeeds++
	return m.misdeeds
}

// floods counts a message beside the work, and reports whether the party has sent more of them than any honest one does: a worker
// repeats requests that were lost, each once in some seconds, and misses the end of a batch with the tasks in its hands. weight is
// 1, and more for a long or a rare message.
func (ms *membership) floods(id string, weight int) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m, now := ms.of(id), time.Now()
	jobs := m.joining.Jobs
	if jobs == 0 {
		jobs = MaxJobs // it may come from another run, with the results of that
	}
	if now.Sub(m.floodSince) > floodTime {
		m.floodSince, m.messages = now, 0
	}
	m.messages += weight
	return m.messages > mostMessages+mostRequests*slotsOf(jobs)
}

// turnAway records a worker that was not admitted. It returns the number of reasons so far; fresh is false where the
// same refusal was recorded before.
func (ms *membership) turnAway(name, id, reason string) (fresh bool, reasons int) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	for _, old := range ms.refused {
		if old.Key != id {
			continue
		}
		if old.Reason == reason {
			return false, 0
		}
		reasons++
	}
	ms.refuse(Refusal{time.Now(), name, id, reason})
	return true, reasons + 1
}

func (ms *membership) refuse(refusal Refusal) {
	ms.refused = append(ms.refused, refusal)
	if len(ms.refused) > mostRefusals {
		ms.refused = ms.refused[1:]
	}
}

// fault counts something that went wrong.
func (ms *membership) fault(kind string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.faults[kind]++
}

// expire marks the workers without a heartbeat since the given time as lost, and returns their labels.
func (ms *membership) expire(since time.Time) []string {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	var gone []string
	for _, m := range ms.members {
		if m.live() && m.seen.Before(since) {
			m.lost = true
			ms.faults["lost worker"]++
			gone = append(gone, m.label())
		}
	}
	slices.Sort(gone)
	return gone
}

// jobs returns the number of pairs that the live workers can play at a time.
func (ms *membership) jobs() (jobs int) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	for _, m := range ms.members {
		if m.live() {
			jobs += m.joining.Jobs
		}
	}
	return jobs
}

// times returns how long the jobs of all workers have been present, those included that have left, and the part of this in games, s.
func (ms *membership) times() (present, busy float64) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	for _, m := range ms.members {
		here, played := m.times()
		present += here
		busy += played
	}
	return present, busy
}

// played adds the time in games of a task that a worker has answered. It cannot be longer than the worker had the task.
func (ms *membership) played(id string, took, had time.Duration) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if m := ms.members[id]; m != nil {
		m.answered += min(max(0, took), had).Seconds()
	}
}

// other reports whether there is a worker that is not among the given ones and plays: it holds tasks or has asked for one lately.
// held is the number of tasks of each. A key that only sends heartbeats is none to wait for.
func (ms *membership) other(held map[string]int, than ...string) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	return ms.otherThan(held, than...)
}

// otherThan is other for callers that hold the lock.
func (ms *membership) otherThan(held map[string]int, than ...string) bool {
	now := time.Now()
	for id, m := range ms.members {
		if m.live() && (held[id] > 0 || now.Sub(m.asked) < nextTime) && !slices.Contains(than, id) {
			return true
		}
	}
	return false
}

// has reports whether the given process of a worker is live.
func (ms *membership) has(id, process string) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.members[id]
	return m.live() && m.joining.Instance == process
}

// admitted reports whether messages of the worker are accepted.
func (ms *membership) admitted(id string) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.members[id]
	return m != nil && m.joining.Instance != "" && m.quarantined == ""
}

// label names a worker for people.
func (ms *membership) label(id string) string {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	return ms.of(id).label()
}

// probe reports whether a result must be audited because it is the first of a worker that is not in this
// process.
func (ms *membership) probe(id string) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.of(id)
	probe := !m.trusted && !m.probed
	m.probed = true
	return probe
}

// count adds accepted pairs of a worker.
func (ms *membership) count(id string, pairs int) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if m := ms.members[id]; m != nil {
		m.pairs += int64(pairs)
	}
}

// confirm counts a pair of a worker that another party confirmed.
func (ms *membership) confirm(id string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if m := ms.members[id]; m != nil {
		m.audited++
	}
}

// list returns the workers for the status, sorted by name and key.
func (ms *membership) list() (workers []WorkerStatus, refused []Refusal, faults map[string]int64) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	for _, m := range ms.members {
		if m.joining.Instance != "" || m.quarantined != "" {
			workers = append(workers, m.status())
		}
	}
	slices.SortFunc(workers, func(a, b WorkerStatus) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	return workers, slices.Clone(ms.refused), maps.Clone(ms.faults)
}
