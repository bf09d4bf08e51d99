// Package match plays two sides over openings: a fixed number of pairs, or a sequential test until it ends. It
// counts and reports the results, and returns the records of the games.
package match

import (
	"context"
	"errors"
	"fmt"

	"quintune/internal/book"
	"quintune/internal/player"
	"quintune/internal/stats"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/selfplay"
)

// Side is one player of a match.
type Side struct {
	Name     string
	Player   selfplay.Contestant
	Identity string // identifies the player, such as a hash of weights; a stored pair counts only for the same identity
}

// Contestant returns the side as a contestant of a batch.
func (s *Side) Contestant() selfplay.Contestant {
	c := s.Player
	c.Name = s.Name
	return c
}

// Match is a match of two sides. Each opening is played twice, with the colours changed.
type Match struct {
	A, B        Side
	Rule        pattern.Rule
	Size        int
	Nodes       int64              // node limit of a move; 0: none
	TimeControl player.TimeControl // time and threads with which the players of both sides were made
	Openings    []book.Opening
	Seed        uint64 // for players that draw random numbers
	Purpose     string // for records of the games, such as "gate 1"

	// Keep, if not nil, is called for each pair that counts or is void, in the order of the openings and never by two
	// goroutines at a time. Pairs beyond the end of a test are left out. An error of Keep ends the match.
	Keep func(index int, r *selfplay.Result) error
}

// check returns an error that names what is wrong with the match.
func (m *Match) check() error {
	if len(m.Openings) == 0 {
		return errors.New("match: a match needs at least 1 opening")
	}
	seen := make(map[uint64]int, len(m.Openings))
	for i, o := range m.Openings {
		if first, ok := seen[o.Key]; ok {
			return fmt.Errorf("match: openings %d and %d of the match are the same position", first+1, i+1)
		}
		seen[o.Key] = i
	}
	return nil
}

// batch returns the pairs of the match, one for each opening.
func (m *Match) batch() *selfplay.Batch {
	b := &selfplay.Batch{
		Contestants: []selfplay.Contestant{m.A.Contestant(), m.B.Contestant()}, Purpose: m.Purpose,
		Rule: m.Rule, Size: m.Size, Nodes: max(1, m.Nodes), // a batch needs a node limit; players under a clock ignore it
	}
	rng := stream.New(m.Seed, "match")
	for _, o := range m.Openings {
		b.Pairings = append(b.Pairings, selfplay.Pairing{A: 0, B: 1, Opening: o.Moves, Seed: rng.Uint64()})
	}
	return b
}

// Play plays all pairs. watch, if not nil, is called after each pair with the counts so far, in the order in
// which pairs are finished. With an error, such as that of a ctx that is done, the tally holds the finished pairs.
func (m *Match) Play(ctx context.Context, runner selfplay.Runner, watch func(Tally)) (Tally, error) {
	if err := m.check(); err != nil {
		return Tally{}, err
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	keep := inOrder(func(i int, r *selfplay.Result) bool { return m.keep(i, r, stop) })
	var sofar Tally
	results, err := runner.Run(playing, m.batch(), func(i int, r *selfplay.Result) {
		sofar.Add(r)
		if watch != nil {
			watch(sofar)
		}
		keep(i, r)
	})
	if err != nil {
		return sofar, causeOf(playing, err)
	}
	var t Tally
	for i := range results {
		t.Add(&results[i])
	}
	return t, causeOf(playing, nil)
}

// PlayTest plays pairs until the test ends or the openings are used up. The test takes pairs in the order of the
// openings and ignores those beyond its end. So the tally and the verdict do not depend on the runner. watch, if not
// nil, is called after each pair of the tally, void ones too.
func (m *Match) PlayTest(ctx context.Context, runner selfplay.Runner, test *stats.Test, watch func(Tally)) (Tally, error) {
	if err := m.check(); err != nil {
		return Tally{}, err
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var t Tally
	judge := inOrder(func(i int, r *selfplay.Result) bool {
		t.Add(r)
		if !r.Void() {
			test.Add(r.Points())
		}
		if watch != nil {
			watch(t)
		}
		return m.keep(i, r, stop) && test.Verdict() == stats.Continue
	})
	_, err := runner.Run(playing, m.batch(), func(i int, r *selfplay.Result) {
		if judge(i, r); test.Verdict() != stats.Continue {
			stop(nil)
		}
	})
	if test.Verdict() != stats.Continue {
		err = nil // PlayTest itself cancelled the rest
	}
	return t, causeOf(playing, err)
}

// keep passes a pair to Keep. On an error it stops the match and returns false.
func (m *Match) keep(i int, r *selfplay.Result, stop context.CancelCauseFunc) (goOn bool) {
	if m.Keep == nil {
		return true
	}
	err := m.Keep(i, r)
	if err != nil {
		stop(err)
	}
	return err == nil
}

// causeOf returns the error of Keep if it ended the match, else err.
func causeOf(playing context.Context, err error) error {
	if cause := context.Cause(playing); cause != nil && !errors.Is(cause, context.Canceled) && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return err
}

// inOrder returns a function that takes results in any order. It calls do for them in the order of their
// indices, until do returns false.
func inOrder(do func(i int, r *selfplay.Result) bool) func(i int, r *selfplay.Result) {
	waiting := map[int]*selfplay.Result{}
	next, ended := 0, false
	return func(i int, r *selfplay.Result) {
		waiting[i] = r
		for r, ok := waiting[next]; ok && !ended; r, ok = waiting[next] {
			delete(waiting, next)
			ended = !do(next, r)
			next++
		}
	}
}
