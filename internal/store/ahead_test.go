package store

import (
	"context"
	"errors"
	"testing"

	"quintune/internal/run"
	"quintune/selfplay"
)

// Pairs of a batch that were played before the batch's step belong to that step, as if they had been played
// there, after an interruption too.
func TestPairsAheadBelongToTheirStep(t *testing.T) {
	batch := sampleBatch(t, 20, 15)
	want := newDB(t)
	alone := begin(t, want, "r")
	closeStep(t, alone, false)
	if _, err := alone.Runner(&player{}).Run(context.Background(), batch, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		ahead   int  // pairs played before the interruption
		stopped bool // the interruption comes while they are played
	}{{"all", 20, false}, {"some", 7, true}} {
		t.Run(test.name, func(t *testing.T) {
			db := newDB(t)
			s := begin(t, db, "r")
			_, err := s.Ahead(3, &player{onlyTo: test.ahead}).Run(context.Background(), batch, nil)
			if test.stopped != errors.Is(err, errEnough) {
				t.Fatalf("error %v", err)
			}
			if n := countGames(t, db, s.Run()); n != 0 {
				t.Errorf("%d games have a step, want none", n)
			}
			closeStep(t, s, false)
			db = reopen(t, db)
			s = resume(t, db, "r")
			if r := s.Run(); r.Open != 2*test.ahead {
				t.Errorf("%d games are stored, want %d", r.Open, 2*test.ahead)
			}
			rest := &player{}
			if _, err := s.Runner(rest).Run(context.Background(), batch, nil); err != nil {
				t.Fatal(err)
			}
			if rest.pairs != 20-test.ahead {
				t.Errorf("%d pairs were played, want %d", rest.pairs, 20-test.ahead)
			}
			if got, want := exported(t, db, s), exported(t, want, alone); got != want {
				t.Errorf("the games differ:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Pairs of several batches ahead are kept apart. A run that is done keeps none.
func TestBatchesAheadAreApart(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "r")
	for number := range 3 {
		if _, err := s.Ahead(number, &player{}).Run(context.Background(), sampleBatch(t, 5+number, 15), nil); err != nil {
			t.Fatal(err)
		}
	}
	other := sampleBatch(t, 9, 15) // the run has gone another way since
	if _, err := s.Ahead(1, &player{}).Run(context.Background(), other, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ pairs, stored int }{{5, 5}, {6, 0}, {7, 7}, {9, 9}} {
		rest := &player{}
		if _, err := s.Runner(rest).Run(context.Background(), sampleBatch(t, test.pairs, 15), nil); err != nil {
			t.Fatal(err)
		}
		if rest.pairs != test.pairs-test.stored {
			t.Errorf("%d pairs: %d are played beside %d stored ones, want the others", test.pairs, rest.pairs, test.stored)
		}
	}
	if _, err := s.Ahead(4, &player{}).Run(context.Background(), sampleBatch(t, 8, 15), nil); err != nil {
		t.Fatal(err)
	}
	closeStep(t, s, true)
	if left := batchesAhead(t, db); left != 0 {
		t.Errorf("%d batches are left ahead of a run that is done", left)
	}
}

// batchesAhead returns the number of stored batches that no step has taken.
func batchesAhead(t *testing.T, db *DB) (n int) {
	t.Helper()
	if err := db.sql.QueryRow("SELECT count(*) FROM batches WHERE step = ?", aheadStep).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Pairs ahead are deleted when no step will take them, or when the pairs of the run are not to be believed.
func TestPairsAheadAreDropped(t *testing.T) {
	for _, test := range []struct {
		name string
		drop func(*Session) error
		left int
	}{
		{"a step", func(s *Session) error { return s.CloseStep(Step{State: &run.State{}}) }, 1},
		{"the evolution has ended", func(s *Session) error { return s.CloseStep(Step{State: &run.State{Outcome: run.Outcome{Ended: 10}}}) }, 0},
		{"the final gate", func(s *Session) error { return s.CloseStep(Step{State: &run.State{Gates: []run.Gate{{Final: true}}}}) }, 0},
		{"forgotten", (*Session).Forget, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := newDB(t)
			s := begin(t, db, "r")
			if _, err := s.Ahead(2, &player{}).Run(t.Context(), sampleBatch(t, 5, 15), nil); err != nil {
				t.Fatal(err)
			}
			if err := test.drop(s); err != nil {
				t.Fatal(err)
			}
			r, err := db.Run("r")
			if left := batchesAhead(t, db); err != nil || left != test.left || r.Open != 10*test.left {
				t.Errorf("%d batches are left ahead and %d games open, want %d and %d; error %v", left, r.Open, test.left, 10*test.left, err)
			}
		})
	}
}

func closeStep(t *testing.T, s *Session, done bool) {
	t.Helper()
	if err := s.CloseStep(Step{State: &run.State{Outcome: run.Outcome{Done: done}}}); err != nil {
		t.Fatal(err)
	}
}

func countGames(t *testing.T, db *DB, r Run) (n int) {
	t.Helper()
	if err := db.Games(r, func(*Game) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// exported returns the stored games of a run, with their keys.
func exported(t *testing.T, db *DB, s *Session) (list string) {
	t.Helper()
	err := db.Games(s.Run(), func(g *Game) error {
		list += g.Key.String() + " " + g.Purpose + " " + plainResults([]selfplay.Result{{Games: [2]selfplay.Game{g.Game}}}) + "\n"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
