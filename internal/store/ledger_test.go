package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// contents returns the content of a ledger as text.
func contents(t *testing.T, l *Ledger) string {
	t.Helper()
	text := ""
	if err := l.EachBatch(func(number, pairs int) error { text += fmt.Sprintf("task %d of %d\n", number, pairs); return nil }); err != nil {
		t.Fatal(err)
	}
	err := l.EachPair(func(number, pair int, author string, digest uint64, confirmed bool) error {
		text += fmt.Sprintf("%d.%d by %s: %x %v\n", number, pair, author, digest, confirmed)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = l.EachQuarantine(func(key, name, reason string, since time.Time) error {
		text += fmt.Sprintf("%s %s %s %v\n", key, name, reason, since.Year())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// succeeding returns a function that ends the test at an error.
func succeeding(t *testing.T) func(error) {
	return func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The next process reads what was stored in a ledger. When a run goes back, its pairs and their authors are
// deleted in one transaction.
func TestLedger(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "r")
	l := s.Ledger()
	must := succeeding(t)
	first := 0
	for n := range 3 {
		must(l.AddMark(n, fmt.Appendf(nil, "state %d", n)))
		must(l.AddBatch(n, 2, fmt.Appendf(nil, "task %d", n)))
		must(l.AddPairs(n, "worker", []int{0, 1}, []uint64{1<<64 - 1, uint64(n)}))
		must(l.ConfirmPairs(n, []int{1}))
		if _, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 4, 15), nil); err != nil {
			t.Fatal(err)
		}
		must(s.CloseStep(sampleStep(n)))
		if n == 0 {
			first = s.Run().Steps
		}
	}
	must(l.Quarantine("key", "liar", "forged", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)))
	must(l.Quarantine("key", "liar", "slow", time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC))) // the first reason stays
	other := begin(t, db, "other").Ledger()
	must(other.AddBatch(0, 1, []byte("task of another run")))

	db = reopen(t, db)
	s = resume(t, db, "r")
	l = s.Ledger()
	want := ""
	for n := range 3 {
		want += fmt.Sprintf("task %d of 2\n", n)
	}
	for n := range 3 {
		want += fmt.Sprintf("%d.0 by worker: ffffffffffffffff false\n%d.1 by worker: %x true\n", n, n, n)
	}
	want += "key liar forged 2026\n"
	if got := contents(t, l); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if task, err := l.Batch(1); err != nil || string(task) != "task 1" {
		t.Errorf("task %q, error %v", task, err)
	}
	number, state, err := l.Mark(1)
	if err != nil || number != 1 || string(state) != "state 1" {
		t.Errorf("mark %d %q, error %v", number, state, err)
	}

	must(s.Rewind(first, sampleStep(0).State))
	const left = "task 0 of 2\n0.0 by worker: ffffffffffffffff false\n0.1 by worker: 0 true\nkey liar forged 2026\n"
	if got := contents(t, l); got != left {
		t.Errorf("after going back to task 1: got\n%swant\n%s", got, left)
	}
	if n := countGames(t, db, s.Run()); n != 8 {
		t.Errorf("%d games are left, want 8", n)
	}
	if number, _, err := l.Mark(5); err != nil || number != 1 {
		t.Errorf("mark %d, error %v", number, err)
	}
	if task, err := other.Batch(0); err == nil {
		t.Errorf("a closed database gives %q", task)
	}
	if r, err := db.Run("other"); err != nil {
		t.Error(err)
	} else if tasks := contents(t, resume(t, db, r.Name).Ledger()); tasks != "task 0 of 1\n" {
		t.Errorf("another run has lost its tasks: %s", tasks)
	}
}

// A run that was interrupted within a step marks the same state once more. Going back to it deletes all tasks of the step,
// and Mark tells the first of them: the coordinator forgets the same ones.
func TestMarksOfOneStep(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "r")
	l := s.Ledger()
	must := succeeding(t)
	must(l.AddMark(0, []byte("begin")))
	must(l.AddBatch(0, 1, []byte("task 0")))
	must(s.CloseStep(sampleStep(0)))
	closed := s.Run().Steps
	must(l.AddMark(1, []byte("state")))
	must(l.AddBatch(1, 1, []byte("task 1"))) // interrupted
	must(l.AddMark(2, []byte("state")))
	must(l.AddBatch(2, 1, []byte("task 2")))
	number, state, err := l.Mark(2)
	if err != nil || number != 1 || string(state) != "state" {
		t.Errorf("mark %d %q, error %v; want 1 \"state\"", number, state, err)
	}
	must(s.Rewind(closed, sampleStep(0).State))
	if got := contents(t, l); got != "task 0 of 1\n" {
		t.Errorf("after going back: %s, want task 0 of 1 alone", got)
	}
}

// A ledger that was changed in the database is refused, with the run and the row: it takes no more memory than a sound one.
func TestDamagedLedgerIsRefused(t *testing.T) {
	for _, test := range []struct{ name, change, want string }{
		{"many pairs", "UPDATE tasks SET pairs = 1 << 62", "batch 0 with 4611686018427387904 pairs"},
		{"pairs below 0", "UPDATE tasks SET pairs = -1", "batch 0 with -1 pairs"},
		{"great number", "INSERT INTO tasks VALUES (1, 1 << 40, 1, x'00')", "batch 1099511627776 with 1 pairs"},
		{"number below 0", "INSERT INTO tasks VALUES (1, -1, 1, x'00')", "batch -1 with 1 pairs"},
		{"pair of no batch", "DELETE FROM tasks", "pair 0 of batch 0, which has 0 pairs"},
		{"pair beyond its batch", "UPDATE authors SET pair = 2", "pair 2 of batch 0, which has 2 pairs"},
		{"pair below 0", "UPDATE authors SET pair = -1", "pair -1 of batch 0"},
		{"state before a batch below 0", "UPDATE marks SET number = -1", "before batch -1"},
		{"batch that is not packed", "UPDATE tasks SET task = x'00'", "reading batch 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := newDB(t)
			l := begin(t, db, "r").Ledger()
			must := succeeding(t)
			must(l.AddMark(0, []byte("state")))
			must(l.AddBatch(0, 2, []byte("batch")))
			must(l.AddPairs(0, "worker", []int{0}, []uint64{1}))
			execute(t, db, "PRAGMA foreign_keys = 0; "+test.change)
			err := l.EachBatch(func(int, int) error { return nil })
			err = errors.Join(err, l.EachPair(func(int, int, string, uint64, bool) error { return nil }))
			_, _, marked := l.Mark(0)
			_, packed := l.Batch(0)
			if err = errors.Join(err, marked, packed); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "run r") {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// What unpacks to more than the bound is refused before it fills the memory.
func TestUnpackIsBounded(t *testing.T) {
	packed, err := pack(make([]byte, 1000))
	if err != nil {
		t.Fatal(err)
	}
	if data, err := unpack(packed, 1000); err != nil || len(data) != 1000 {
		t.Errorf("%d bytes, error %v", len(data), err)
	}
	if _, err := unpack(packed, 999); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "more than 999 bytes") {
		t.Errorf("error %v", err)
	}
}
