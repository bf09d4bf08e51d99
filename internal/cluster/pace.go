package cluster

import (
	"slices"
	"time"
)

// pace records an answer of a worker, for each pair of it: took is the time that the worker reports, had the time for which it had the
// task. A task waits for one other at the worker at most. So a report of less than half of had lowers nothing, but messages may have been
// slow, so it raises nothing either.
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
