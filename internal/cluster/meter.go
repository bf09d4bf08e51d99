package cluster

import (
	"sync"
	"time"
)

// meter measures events a second over the last half minute, or since its first event where that is later. Safe for
// concurrent use.
type meter struct {
	mu     sync.Mutex
	first  time.Time // of the first event
	counts [meterSeconds]int64
	stamp  [meterSeconds]int64 // the second that a count is of
}

const meterSeconds = 30

// add counts events.
func (m *meter) add(now time.Time, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first.IsZero() {
		m.first = now
	}
	second := now.Unix()
	i := second % meterSeconds
	if m.stamp[i] != second {
		m.stamp[i], m.counts[i] = second, 0
	}
	m.counts[i] += n
}

// rate returns the events a second.
func (m *meter) rate(now time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var sum int64
	for i, second := range m.stamp {
		if now.Unix()-second < meterSeconds {
			sum += m.counts[i]
		}
	}
	return float64(sum) / min(meterSeconds, max(1, now.Sub(m.first).Seconds()))
}
