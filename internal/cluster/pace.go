package cluster

import (
	"slices"
	"time"
)

// pace records an answer of a worker, for each pair of it: took is the time that the worker reports, had the time for which it had the
// task. A task waits for one other at the worker at most, so half of had counts at least: a false report makes no worker quick. Messages
// may have been slow, so that half alone raises nothing.
func (ms *membership) pace(id string, took, had time.Duration) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	const weight = 4
	m, least := ms.of(id), had/2
	if m.each > 0 {
		least = min(least, m.each)
	}
	each := max(1, least, min(took, had))
	if m.each == 0 {
		m.each = each
	}
	m.each += (each - m.each) / weight
	ms.paced = true
}

// pairTime returns the time of a pair at the middle one of the workers, of two at the quicker one, so that a worker that takes its
// time lengthens it for nobody. Workers that have not asked for a task since the given time do not count. It is 0 where no time is known.
func (ms *membership) pairTime(since time.Time) time.Duration {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	var times []time.Duration
	for _, m := range ms.members {
		if m.live() && m.each > 0 && m.asked.After(since) {
			times = append(times, m.each)
		}
	}
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[(len(times)-1)/2]
}

// slowest is how many times as long as at the others a pair may take at a slower machine that is waited for. Chosen, not measured.
const slowest = 4

// timeAt returns the time of a pair at the worker, at least each and at most slowest times each, which is that of the others.
func (ms *membership) timeAt(id string, each time.Duration) time.Duration {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if m := ms.members[id]; m != nil {
		return min(max(m.each, each), slowest*each)
	}
	return each
}

// slotsOf returns the number of tasks that a worker holds at a time: a few more than jobs, so that the next task
// is there when a job becomes free.
func slotsOf(jobs int) int { return jobs + max(1, jobs/4) }

// firstSlots is the number of tasks that a worker of another process may hold while the time of a pair is not known: before the
// deadline nobody else gets those that it does not answer.
const firstSlots = 8

// slots returns the number of tasks that the worker may hold now, and its process. held is as for other. A worker whose tasks straggle
// or are lost gets one at a time until it answers one, or two in a row where there were several. If there are other workers, the
// pauses before its next task grow while it answers none.
func (ms *membership) slots(id string, held map[string]int) (slots int, process string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.members[id]
	switch {
	case !m.live():
		return 0, ""
	case m.straggled == 0 && !ms.paced && !m.trusted:
		return min(firstSlots, slotsOf(m.joining.Jobs)), m.joining.Instance
	case m.straggled == 0:
		return slotsOf(m.joining.Jobs), m.joining.Instance
	case time.Now().Before(m.resting) && ms.otherThan(held, id), time.Since(m.gaveBack) < afterReturn:
		return 0, m.joining.Instance
	}
	return 1, m.joining.Instance
}

// asks records that a worker asks for a task. It returns the number of tasks that the worker may hold when it answers well, 0 for
// one that is not there.
func (ms *membership) asks(id string) (mostSlots int) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.members[id]
	if !m.live() {
		return 0
	}
	m.asked = time.Now()
	return slotsOf(m.joining.Jobs)
}

const (
	longestRest   = time.Minute // before a worker that does not answer gets its next task
	afterReturn   = time.Second // before one that gave a task back does, though it is the only one
	mostStraggled = 10          // tasks beyond which the pauses do not grow
)

// straggles records that a task of the worker was given to others too. each is the time for which it has had the task, for each pair
// of it. Where that is long for this worker, too, its time of a pair is forgotten: either it plays nothing, or pairs take longer now.
func (ms *membership) straggles(id string, each time.Duration) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.of(id)
	if each > 2*m.each { // pace counts half of the time for which a task was had at least
		m.each = 0
	}
	m.penalize()
}

// givesBack is straggles for a task that the worker gave back unplayed. Even as the only one it gets no other for a second: each copy
// is kept to the end of the batch.
func (ms *membership) givesBack(id string, each time.Duration) {
	ms.straggles(id, each)
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.of(id).gaveBack = time.Now()
}

// loses records that a task of the worker is lost: its process was replaced, left or is silent, or its answer was
// unreadable. Tasks that are lost at the same time count once, as an honest worker that starts again loses all that
// it had in hand.
func (ms *membership) loses(id string, handed time.Time) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if m := ms.of(id); handed.After(m.lastLoss) {
		m.lastLoss = time.Now()
		m.penalize()
	}
}

// penalize keeps tasks from the worker for a while, each time for longer until it answers.
func (m *member) penalize() {
	m.resting = time.Now().Add(min(time.Second<<m.straggled, longestRest))
	m.straggled = min(m.straggled+1, mostStraggled)
}

// answers records that the worker has answered a task. After several that it kept two answers in a row are needed, so that who
// hoards tasks cannot go on with one now and then.
func (ms *membership) answers(id string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.of(id)
	if m.straggled = min(m.straggled, 2) - 1; m.straggled < 0 {
		m.straggled = 0
	}
	m.resting = time.Time{}
}
