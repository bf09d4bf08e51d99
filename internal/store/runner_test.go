package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"quintune/selfplay"
)

// reopen closes a database and opens it again, as a new process does.
func reopen(t testing.TB, db *DB) *DB {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return openDB(t, filepath.Dir(db.Path()))
}

func resume(t testing.TB, db *DB, name string) *Session {
	t.Helper()
	r, err := db.Run(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := db.Resume(r, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStoredPairsAreNotPlayedAgain(t *testing.T) {
	for _, size := range []int{15, 20} {
		t.Run(fmt.Sprintf("size %d", size), func(t *testing.T) {
			batch := sampleBatch(t, 30, size)
			want, err := (&player{faults: true}).Run(context.Background(), batch, nil)
			if err != nil {
				t.Fatal(err)
			}
			for stopped := 1; stopped < 30; stopped += 7 {
				db := newDB(t)
				s := begin(t, db, "r")
				if _, err := s.Runner(&player{faults: true, onlyTo: stopped}).Run(context.Background(), batch, nil); !errors.Is(err, errEnough) {
					t.Fatalf("error %v", err)
				}
				db = reopen(t, db)
				if r, err := db.Run("r"); err != nil || r.Open != 2*stopped {
					t.Errorf("%d games are stored, want %d; error %v", r.Open, 2*stopped, err)
				}
				rest, reported := &player{faults: true}, map[int]bool{}
				got, err := resume(t, db, "r").Runner(rest).Run(context.Background(), batch, func(i int, r *selfplay.Result) {
					reported[i] = true
					if plainResults([]selfplay.Result{*r}) != plainResults(want[i:i+1]) {
						t.Errorf("pair %d is reported as %+v, want %+v", i, *r, want[i])
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if plainResults(got) != plainResults(want) {
					t.Errorf("stopped after %d pairs: other results", stopped)
				}
				if rest.pairs != 30-stopped || len(reported) != 30 {
					t.Errorf("stopped after %d pairs: %d played, %d reported", stopped, rest.pairs, len(reported))
				}
			}
		})
	}
}

func TestPairsOfAnotherBatchAreDropped(t *testing.T) {
	sample := func() *selfplay.Batch {
		b := sampleBatch(t, 10, 15)
		b.Contestants = append(b.Contestants, selfplay.Contestant{Name: "genome 1", Identity: "width=1"}) // an engine from outside
		return b
	}
	for name, change := range map[string]func(b *selfplay.Batch){
		"nodes":   func(b *selfplay.Batch) { b.Nodes++ },
		"weights": func(b *selfplay.Batch) { b.Contestants[0].Weights.Values[3]++ },
		"opening": func(b *selfplay.Batch) { b.Pairings[4].Opening = b.Pairings[5].Opening },
		"seed":    func(b *selfplay.Batch) { b.Pairings[4].Seed = 99 },
		"colours": func(b *selfplay.Batch) { b.Pairings[4].A, b.Pairings[4].B = 1, 0 },
		"rule":    func(b *selfplay.Batch) { b.Rule++ },
		"length":  func(b *selfplay.Batch) { b.Pairings = b.Pairings[:9] },
		"size":    func(b *selfplay.Batch) { b.Size++ },
		"end":     func(b *selfplay.Batch) { b.PlayOut = !b.PlayOut },
		"name":    func(b *selfplay.Batch) { b.Contestants[2].Name = "genome 2" },
		"values":  func(b *selfplay.Batch) { b.Contestants[2].Identity = "width=2" },
	} {
		t.Run(name, func(t *testing.T) {
			db := newDB(t)
			if _, err := begin(t, db, "r").Runner(&player{}).Run(context.Background(), sample(), nil); err != nil {
				t.Fatal(err)
			}
			batch := sample()
			change(batch)
			p := &player{}
			if _, err := resume(t, db, "r").Runner(p).Run(context.Background(), batch, nil); err != nil {
				t.Fatal(err)
			}
			if p.pairs != len(batch.Pairings) {
				t.Errorf("another %s: %d of %d pairs were played, want all", name, p.pairs, len(batch.Pairings))
			}
		})
	}
}

func TestAStepHoldsSeveralBatches(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "r")
	first, second := sampleBatch(t, 4, 15), sampleBatch(t, 6, 15)
	for _, b := range []*selfplay.Batch{first, second} {
		if _, err := s.Runner(&player{}).Run(context.Background(), b, nil); err != nil {
			t.Fatal(err)
		}
	}
	s = resume(t, db, "r")
	p := &player{}
	for _, b := range []*selfplay.Batch{first, second} {
		if _, err := s.Runner(p).Run(context.Background(), b, nil); err != nil {
			t.Fatal(err)
		}
	}
	if p.pairs != 0 {
		t.Errorf("%d pairs were played again, want none", p.pairs)
	}
	// When a step ends after its first batch, nothing of a second batch stays.
	s = resume(t, db, "r")
	if _, err := s.Runner(p).Run(context.Background(), first, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.CloseStep(sampleStep(0)); err != nil {
		t.Fatal(err)
	}
	if n := countGames(t, db, s.Run()); n != 8 {
		t.Errorf("%d games, want 8", n)
	}
	if _, err := s.Runner(p).Run(context.Background(), first, nil); err != nil || p.pairs != 4 {
		t.Errorf("the next step took pairs of the last one: %d played, error %v", p.pairs, err)
	}
}

func TestAForgottenStepIsPlayedAnew(t *testing.T) {
	s := begin(t, newDB(t), "r")
	p := &player{}
	for range 2 {
		if _, err := s.Runner(p).Run(context.Background(), sampleBatch(t, 4, 15), nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Forget(); err != nil {
			t.Fatal(err)
		}
	}
	if p.pairs != 8 {
		t.Errorf("%d pairs were played, want 8", p.pairs)
	}
	if n := countGames(t, s.db, s.Run()); n != 0 {
		t.Errorf("%d games are stored, want none", n)
	}
}

// Pairs that wait for their commit are forgotten with the others.
func TestWaitingPairsAreForgottenToo(t *testing.T) {
	for name, forget := range map[string]func(s *Session) error{
		"forget": (*Session).Forget,
		"rewind": func(s *Session) error { return s.Rewind(0, sampleStep(0).State) },
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, newDB(t), "r")
			batch := sampleBatch(t, 4, 15)
			results, err := (&player{}).Run(context.Background(), batch, nil)
			if err != nil {
				t.Fatal(err)
			}
			x, _, _, err := s.OpenBatch(batch, "hash")
			if err != nil {
				t.Fatal(err)
			}
			s.waiting = append(s.waiting, finished{x.row, 0, batch.Pairings[0], &results[0]})
			if err := forget(s); err != nil {
				t.Fatal(err)
			}
			if err := s.Flush(); err != nil || countGames(t, s.db, s.Run()) != 0 {
				t.Errorf("%d games are stored, error %v", countGames(t, s.db, s.Run()), err)
			}
		})
	}
}

func TestInterruptedBatchKeepsWhatWasPlayed(t *testing.T) {
	db := newDB(t)
	ctx, cancel := context.WithCancel(context.Background())
	p := &player{after: func(pairs int) {
		if pairs == 5 {
			cancel()
		}
	}}
	batch := sampleBatch(t, 10, 15)
	if _, err := begin(t, db, "r").Runner(p).Run(ctx, batch, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	// A cancelled context ends the batch, but the stored pairs are reported first.
	reported := 0
	_, err := resume(t, db, "r").Runner(p).Run(ctx, batch, func(int, *selfplay.Result) { reported++ })
	if !errors.Is(err, context.Canceled) || reported != 5 || p.pairs != 5 {
		t.Errorf("%d reported, %d played, error %v", reported, p.pairs, err)
	}
}

func TestPairsThatCannotBeStoredStopTheGames(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "r")
	if _, err := db.sql.Exec("CREATE TRIGGER full BEFORE INSERT ON games WHEN NEW.pair > 990 BEGIN SELECT raise(FAIL, 'no room'); END"); err != nil {
		t.Fatal(err)
	}
	p := &player{}
	_, err := s.Runner(p).Run(context.Background(), sampleBatch(t, 1000, 15), nil)
	if err == nil || p.pairs >= 1000 {
		t.Fatalf("%d pairs were played, error %v", p.pairs, err)
	}
	if err := s.CloseStep(sampleStep(0)); err == nil {
		t.Error("the step was closed without its pairs")
	}
	if err := s.Flush(); err == nil {
		t.Error("the error was forgotten")
	}
}

// before reports whether a key comes before another.
func (k Key) before(other Key) bool {
	return slices.Compare([]int{k.Step, k.Part, k.Pair, k.Number}, []int{other.Step, other.Part, other.Pair, other.Number}) < 0
}

func TestGamesAreReadInOrder(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "r")
	begin(t, db, "other")
	for n := range 2 {
		if _, err := s.Runner(&player{faults: true}).Run(context.Background(), sampleBatch(t, 10, 15), nil); err != nil {
			t.Fatal(err)
		}
		if err := s.CloseStep(sampleStep(n)); err != nil {
			t.Fatal(err)
		}
	}
	var all []Game
	collect := func(g *Game) error { all = append(all, *g); return nil }
	if err := db.Games(s.Run(), collect); err != nil {
		t.Fatal(err)
	}
	const games = 2 * (20 + 8) // including four discarded first attempts
	if len(all) != games {
		t.Fatalf("%d games, want %d", len(all), games)
	}
	for i := 1; i < len(all); i++ {
		if !all[i-1].Key.before(all[i].Key) {
			t.Errorf("game %v comes after %v", all[i].Key, all[i-1].Key)
		}
	}
	if g := all[1]; g.Players != [2]string{"huang", "player 1"} || g.Key != (Key{0, 0, 0, 1}) || g.Purpose != "generation 0" || g.Opening != 1 {
		t.Errorf("game %+v, want 0.0.0.1 of generation 0, huang against player 1, with an opening of 1", g)
	}
	stop := errors.New("stop")
	if err := db.Games(s.Run(), func(*Game) error { return stop }); err != stop { // as it is: no fault of the database
		t.Errorf("error %v", err)
	}
}

func TestDeletedRunsAndGames(t *testing.T) {
	db := newDB(t)
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, db, name)
			if _, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 10, 15), nil); err != nil {
				t.Fatal(err)
			}
			if err := s.CloseStep(sampleStep(0)); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 3, 15), nil); err != nil {
				t.Fatal(err)
			}
		})
	}
	count := func(name string) int {
		r, err := db.Run(name)
		if err != nil {
			t.Fatal(err)
		}
		return countGames(t, db, r)
	}
	a, err := db.Run("a")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.DeleteGames(a); err != nil {
		t.Fatal(err)
	}
	if count("a") != 6 || count("b") != 26 {
		t.Errorf("%d and %d games are left, want 6 and 26", count("a"), count("b"))
	}
	if err := db.DeleteRun(a); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Run("a"); !errors.Is(err, ErrNoRun) {
		t.Errorf("error %v", err)
	}
	if err := db.Compact(); err != nil {
		t.Error(err)
	}
	if err := db.Check(); err != nil || count("b") != 26 {
		t.Errorf("%d games, error %v", count("b"), err)
	}
	for _, table := range []string{"records", "generations", "champions", "checks", "gates", "validations"} {
		t.Run(table, func(t *testing.T) {
			var n int
			if err := db.sql.QueryRow("SELECT count(*) FROM " + table + " WHERE run <> (SELECT id FROM runs)").Scan(&n); err != nil || n != 0 {
				t.Errorf("%d rows of the deleted run in %s, error %v", n, table, err)
			}
		})
	}
}
