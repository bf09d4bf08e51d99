package store

import (
	"context"
	"testing"

	"quintune/internal/run"
)

// After a rewind the run has nothing of the later steps, and closes them again.
func TestRewind(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "r")
	steps, states := []int{0}, []*run.State{{}}
	play := func(size int) *player {
		t.Helper()
		p := &player{}
		if _, err := s.Runner(p).Run(context.Background(), sampleBatch(t, 10, size), nil); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for generation := range 3 {
		play(15 + generation)
		step := sampleStep(generation)
		if err := s.CloseStep(step); err != nil {
			t.Fatal(err)
		}
		steps, states = append(steps, s.Run().Steps), append(states, step.State)
	}
	play(18) // pairs of a step that stays open
	if err := s.Rewind(steps[1], states[1]); err != nil {
		t.Fatal(err)
	}
	db = reopen(t, db)
	r, err := db.Run("r")
	if err != nil || r.Steps != 1 || r.Games != 20 || r.Generations != 1 || r.Open != 0 || r.Done {
		t.Errorf("%+v; error %v", r.Progress, err)
	}
	if state, err := db.State(r); err != nil || string(state) != marshal(states[1]) {
		t.Errorf("state %s, error %v", state, err)
	}
	if left, err := db.Generations(r); err != nil || len(left) != 1 {
		t.Errorf("%d generations are left, want 1; error %v", len(left), err)
	}
	s = resume(t, db, "r")
	var left int
	if err := db.sql.QueryRow("SELECT count(*) FROM batches").Scan(&left); err != nil || left != 1 {
		t.Errorf("%d batches are left, want that of the first step; error %v", left, err)
	}
	if p := play(16); p.pairs != 10 {
		t.Errorf("%d pairs of the taken back step were played anew", p.pairs)
	}
	if err := s.CloseStep(sampleStep(1)); err != nil {
		t.Fatal(err)
	}
	if r, err := db.Run("r"); err != nil || r.Steps != 2 {
		t.Errorf("%+v, error %v", r.Progress, err)
	}
	if err := s.Rewind(steps[0], states[0]); err != nil {
		t.Fatal(err)
	}
	r, err = db.Run("r")
	if champion, failure := db.Champion(r, r.Generations); err != nil || failure != nil || champion != nil || r.Steps != 0 {
		t.Errorf("at the beginning: champion %v, %+v; errors %v, %v, want none, no step", champion, r.Progress, err, failure)
	}
}
