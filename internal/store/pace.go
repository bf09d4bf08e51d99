package store

import "time"

// latest is the longest time that a finished pair waits for its commit.
const latest = 500 * time.Millisecond

// commitShare is the share of the time that commits may take. Where they would take more, several pairs share a
// commit. A commit takes a twentieth of a millisecond of processor time, a pair of usual games a thousand times
// as much.
const commitShare = .25

// quickPairs is the number of pairs a second from which on several may share a commit. Pairs of usual length are
// slower, so a machine that is merely busy commits each pair at once.
const quickPairs = 50

// pace decides when finished pairs are committed. Each is committed at once, so that a killed process loses
// none, unless pairs are finished so fast that commits would slow the games down. It measures time, but no
// result depends on that.
type pace struct {
	began time.Time
	spent time.Duration // time spent on commits since then
	pairs float64       // pairs finished since then
}

// forgotten is the time after which the counts so far are halved, so that the last seconds weigh most.
const forgotten = 10 * time.Second

// due reports whether there is time for a commit.
func (p *pace) due() bool {
	if p.began.IsZero() {
		p.began = time.Now()
	}
	p.pairs++
	passed := time.Since(p.began)
	if passed > forgotten {
		p.began, p.spent, p.pairs = p.began.Add(passed/2), p.spent/2, p.pairs/2
		passed /= 2
	}
	if p.pairs <= quickPairs*(passed+latest).Seconds() {
		return true
	}
	return float64(p.spent) <= commitShare*float64(passed+latest)
}

// took counts the time of a commit.
func (p *pace) took(d time.Duration) { p.spent += d }
