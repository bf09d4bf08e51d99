package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// calm returns a model in which nothing varies and nothing is lost.
func calm() model {
	m := standard()
	m.spread, m.machines, m.lost, m.slow, m.audit, m.delay, m.between = 0, 0, 0, 0, 0, 0, 0
	return m
}

func TestOneWorkerIsBusyAllTheTime(t *testing.T) {
	m := calm()
	s := m.simulate(1)
	want := time.Duration(m.generations*m.pairs) * m.pair
	if s.playing != want || s.useful != want {
		t.Errorf("played %v, of use %v, want %v", s.playing, s.useful, want)
	}
	if s.idle() > .001 {
		t.Errorf("idle %.4f", s.idle())
	}
}

func TestWorkersShareTheWork(t *testing.T) {
	m := calm()
	one, ten := m.simulate(1).took, m.simulate(10).took
	if ratio := one.Seconds() / ten.Seconds(); math.Abs(ratio-10) > .3 {
		t.Errorf("ten workers are %.2f times as fast as one", ratio)
	}
}

func TestTroubleCostsTimeAndLosesNothing(t *testing.T) {
	calmly := calm().simulate(100)
	for name, change := range map[string]func(*model){
		"losses": func(m *model) { m.lost = .05 },
		"slow":   func(m *model) { m.slow, m.slowness = .1, 10 },
		"delay":  func(m *model) { m.delay = 200 * time.Millisecond },
		"audits": func(m *model) { m.audit = .2 },
		"spread": func(m *model) { m.spread, m.machines = 1, .5 },
	} {
		t.Run(name, func(t *testing.T) {
			m := calm()
			change(&m)
			s := m.simulate(100)
			if s.took <= calmly.took {
				t.Errorf("%s: %v, without %v", name, s.took, calmly.took)
			}
			if s.useful > s.playing || s.idle() < 0 {
				t.Errorf("%s: %+v", name, s)
			}
		})
	}
}

func TestTable(t *testing.T) {
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := run([]string{"-workers", "10,100", "-pairs", "300", "-islands", "2"}, out); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() || strings.Count(first.String(), "\n") != 4 {
		t.Errorf("%s\n%s", &first, &second)
	}
	for _, args := range [][]string{{"-workers", "x"}, {"-workers", "1", "-islands", "2"}, {"-lost", "1"}, {"-pairs", "0"}, {"-delay", "-1s"}, {"-none"}} {
		if err := run(args, &first); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

// With the number of generations in flight that the tuner chooses, few jobs are idle. The cases are 1 000
// workers with pairs of 15 000 nodes, and 100 workers with quick pairs.
func TestGenerationsInFlightKeepWorkersBusy(t *testing.T) {
	for _, test := range []struct {
		workers, inFlight int
		pair              time.Duration
		least             float64 // least share of the time in games
	}{{1000, 3, 450 * time.Millisecond, .95}, {100, 4, 30 * time.Millisecond, .90}} {
		t.Run(fmt.Sprintf("%d workers", test.workers), func(t *testing.T) {
			m := standard()
			m.pairs, m.inFlight, m.pair, m.generations = 4096, test.inFlight, test.pair, 12
			s := m.simulate(test.workers)
			if busy := 1 - s.idle(); busy < test.least {
				t.Errorf("%d workers: %.1f %% of their time in games, want %.0f %%", test.workers, 100*busy, 100*test.least)
			}
			if s.again() > .05 {
				t.Errorf("%d workers: %.1f %% of the playing is for nothing", test.workers, 100*s.again())
			}
			m.inFlight = 1
			if one := m.simulate(test.workers); one.idle() < 4*s.idle() {
				t.Errorf("%d workers: idle %.3f with one in flight, %.3f with %d", test.workers, one.idle(), s.idle(), test.inFlight)
			}
		})
	}
}
