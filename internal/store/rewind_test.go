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
	var marks []run.Progress
	play := func(size int) *player {
		t.Helper()
		p := &player{}
		if _, err := s.Runner(p).Run(context.Background(), sampleBatch(t, 10, size), nil); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for generation := range 3 {
		marks = append(marks, s.Run().Progress)
		play(15 + generation)
		if err := s.CloseStep(sampleStep(generation)); err != nil {
			t.Fatal(err)
		}
	}
	play(18) // pairs of a step that stays open
	if err := s.Rewind(marks[1], []byte(`{"at":1}`)); err != nil {
		t.Fatal(err)
	}
	db = reopen(t, db)
	r, err := db.Run("r")
	if err != nil || r.Steps != marks[1].Steps || r.Games != marks[1].Games || r.Generations != marks[1].Generations || r.Open != 0 || r.Done {
		t.Errorf("%+v, want %+v; error %v", r.Progress, marks[1], err)
	}
	if state, err := db.State(r); err != nil || string(state) != `{"at":1}` {
		t.Errorf("state %s, error %v", state, err)
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
}
