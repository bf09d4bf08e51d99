package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quintune/internal/run"
)

// Resuming a run and reading its games refuse a pair that was changed in the database, or has lost a game, and
// name it.
func TestDamagedPairsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name, change string
		old          bool // refused in an old row without a checksum too
	}{
		{"result of a game", "UPDATE games SET result = CASE result WHEN 'B' THEN 'W' ELSE 'B' END WHERE pair = 4 AND game = 1", true},
		{"result that is none", "UPDATE games SET result = 'X' WHERE pair = 4 AND game = 0", true},
		{"points", "UPDATE pairs SET points = 1 - points WHERE pair = 4", true},
		{"points of a void pair", "UPDATE pairs SET points = NULL WHERE pair = 4", true},
		{"a game that is gone", "DELETE FROM games WHERE pair = 4 AND game = 1", true},
		{"the first game that is gone", "DELETE FROM games WHERE pair = 4 AND game = 0", true},
		{"both games that are gone", "DELETE FROM games WHERE pair = 4", true},
		{"move off the board", "UPDATE games SET moves = x'f0' WHERE pair = 4 AND game = 0", true},
		{"move", "UPDATE games SET moves = x'0102' WHERE pair = 4 AND game = 0", false},
		{"plies", "UPDATE games SET plies = plies + 1 WHERE pair = 4 AND game = 0", false},
		{"nodes", "UPDATE games SET nodes = nodes + 1 WHERE pair = 4 AND game = 0", false},
		{"proof", "UPDATE games SET adjudicated = 1 - adjudicated WHERE pair = 4 AND game = 0", false},
		{"fault", "UPDATE games SET fault = 'crash', faulty = 'B' WHERE pair = 4 AND game = 0", false},
		{"colours", "UPDATE pairs SET a = 1, b = 0 WHERE pair = 4", false},
		{"opening", "UPDATE pairs SET opening = 3 WHERE pair = 4", false},
		{"worker", "UPDATE pairs SET worker = 'another' WHERE pair = 4", false},
	} {
		for _, old := range []bool{false, true} {
			if old && !test.old {
				continue
			}
			t.Run(fmt.Sprintf("%s, stored by an older program: %v", test.name, old), func(t *testing.T) {
				db := newDB(t)
				s := begin(t, db, "r")
				if _, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 10, 15), nil); err != nil {
					t.Fatal(err)
				}
				if old {
					execute(t, db, "UPDATE pairs SET sum = NULL")
				}
				if err := db.Games(s.Run(), func(*Game) error { return nil }); err != nil {
					t.Fatal(err)
				}
				execute(t, db, test.change)
				_, resuming := resume(t, db, "r").Runner(&player{}).Run(context.Background(), sampleBatch(t, 10, 15), nil)
				exporting := db.Games(s.Run(), func(g *Game) error {
					if g.Key.Pair >= 4 {
						t.Errorf("game %v is handed out", g.Key)
					}
					return nil
				})
				for doing, err := range map[string]error{"resume": resuming, "export": exporting} {
					if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "pair 0.0.4 (generation 0)") || !strings.Contains(err.Error(), db.Path()) {
						t.Errorf("%s: error %v", doing, err)
					}
				}
			})
		}
	}
}

// A changed digit in weights is refused; those that an older version has stored have no checksum.
func TestDamagedWeightsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name, change string
		damaged      bool
	}{
		{"as stored", "", false},
		{"champion", "UPDATE champions SET weights = '[5,-7]'", true},
		{"set", `UPDATE sets SET file = '{"a":2}'`, true},
		{"without checksums", "UPDATE champions SET weights = '[5,-7]', sum = NULL; UPDATE sets SET sum = NULL", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := newDB(t)
			s := begin(t, db, "r")
			if err := errors.Join(s.CloseStep(sampleStep(0)), s.SaveSet(run.Candidate, []byte(`{"a":1}`))); err != nil {
				t.Fatal(err)
			}
			execute(t, db, test.change)
			_, generations := db.Generations(s.Run())
			_, champion := db.Champion(s.Run(), 1)
			_, set := db.Set(s.Run(), run.Candidate)
			if test.name != "set" && (errors.Is(generations, ErrDamaged) != test.damaged || errors.Is(champion, ErrDamaged) != test.damaged) {
				t.Errorf("generations: %v, champion: %v, want damage: %v", generations, champion, test.damaged)
			}
			if test.name != "champion" && errors.Is(set, ErrDamaged) != test.damaged {
				t.Errorf("set: %v, want damage: %v", set, test.damaged)
			}
		})
	}
}

// A pair that was moved to another index or batch is refused, and so is one whose batch got another label.
func TestMisplacedPairsAreRefused(t *testing.T) {
	for _, test := range []struct{ name, change string }{
		{"index", "PRAGMA defer_foreign_keys=1; UPDATE pairs SET pair = 11 WHERE pair = 9; UPDATE games SET pair = 11 WHERE pair = 9"},
		{"batch", "UPDATE batches SET step = 7"},
		{"purpose", "UPDATE batches SET purpose = 'gate 0'"},
		{"purpose that is not printable", "UPDATE batches SET purpose = 'gate' || char(27) || '[31m'"},
		{"players", `UPDATE batches SET players = '["huang",""]'`},
		{"nodes", "UPDATE batches SET nodes = 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := newDB(t)
			s := begin(t, db, "r")
			if _, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 10, 15), nil); err != nil {
				t.Fatal(err)
			}
			execute(t, db, "BEGIN; "+test.change+"; COMMIT")
			err := db.Games(s.Run(), func(*Game) error { return nil })
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "checksum") || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("error %q", err)
			}
		})
	}
}

func execute(t *testing.T, db *DB, script string) {
	t.Helper()
	if _, err := db.sql.Exec(script); err != nil {
		t.Fatal(err)
	}
}
