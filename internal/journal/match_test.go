package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"quintune/internal/match"
	"quintune/internal/match/matchtest"
	"quintune/internal/stats"
	"quintune/internal/store"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// testPairs is how many pairs the tests' matches have.
const testPairs = 24

func testMatch(t *testing.T) *Match {
	t.Helper()
	side := func(name string) match.Side {
		return match.Side{Name: name, Player: selfplay.Contestant{Name: name, Weights: weightstest.Preset(t, name)}, Identity: name}
	}
	return &Match{Match: &match.Match{
		A: side("huang"), B: side("flat"), Rule: pattern.Freestyle, Size: 9, Nodes: 30, Seed: 5,
		Openings: matchtest.Book(t, testPairs, 9).Openings, Purpose: "match",
	}, Engine: "test", Commit: "unknown"}
}

// counted counts the pairs that are played.
type counted struct {
	selfplay.Runner
	pairs int
	ended func()
}

func (c *counted) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return c.Runner.Run(ctx, b, func(i int, r *selfplay.Result) {
		c.pairs++
		done(i, r)
		c.ended()
	})
}

// goOn continues a match until the given number of pairs have been played now.
func goOn(t *testing.T, m *Match, runs string, most int) (got match.GateReport, began, played int, err error) {
	t.Helper()
	j, err := OpenMatch(runs, m)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pool := &counted{Runner: selfplay.NewPool(2)}
	pool.ended = func() {
		if pool.pairs == most {
			cancel()
		}
	}
	began = -1
	runner := j.Runner(pool, func(stored, all int) {
		if began = stored; all != testPairs {
			t.Errorf("%d pairs in all, want %d", all, testPairs)
		}
	})
	if m.Test == (stats.SPRT{}) {
		var tally match.Tally
		tally, err = m.Play(ctx, runner, nil)
		got.Report = m.Report(tally)
	} else {
		got, err = m.Gate(ctx, runner, m.Test, nil)
	}
	if closing := j.Close(); closing != nil {
		t.Fatal(closing)
	}
	return got, began, pool.pairs, err
}

// A match or test that is interrupted anywhere ends with the result of an undisturbed one, and plays no finished
// pair again.
func TestInterruptedMatchIsTheSameMatch(t *testing.T) {
	for _, test := range []struct {
		name string
		sprt stats.SPRT
	}{
		{"match", stats.SPRT{}},
		{"test", stats.SPRT{NElo0: 0, NElo1: 60, Alpha: .05, Beta: .05}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := testMatch(t)
			m.Test = test.sprt
			want, _, _, err := goOn(t, m, t.TempDir(), testPairs+1)
			if err != nil || want.Pairs == 0 {
				t.Fatalf("%+v, error %v", want, err)
			}
			runs, rng, all := t.TempDir(), rand.New(rand.NewPCG(1, 2)), 0
			for parts := 1; ; parts++ {
				got, began, played, err := goOn(t, m, runs, 1+rng.IntN(5))
				if began >= 0 && began != all {
					t.Errorf("part %d began with %d stored pairs, want %d", parts, began, all)
				}
				if all += played; all > testPairs {
					t.Fatalf("%d pairs played of %d", all, testPairs)
				}
				if errors.Is(err, context.Canceled) {
					continue
				}
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("in %d parts: %+v, error %v; want %+v", parts, got, err, want)
				}
				if parts < 2 {
					t.Error("nothing was interrupted")
				}
				break
			}
			if got, began, played, err := goOn(t, m, runs, 1); err != nil || played > 0 || began >= 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("once more: %d pairs played, %+v, error %v; want %+v", played, got, err, want)
			}
		})
	}
}

// Any change that affects the pairs or the test makes it another match.
func TestAnotherMatchBeginsAnew(t *testing.T) {
	runs := t.TempDir()
	names := map[string]string{}
	for name, change := range map[string]func(*Match){
		"as it is":  func(*Match) {},
		"player":    func(m *Match) { m.A.Name = "other" },
		"weights":   func(m *Match) { m.B.Identity = "other" },
		"rule":      func(m *Match) { m.Rule = pattern.Standard },
		"size":      func(m *Match) { m.Size = 10 },
		"nodes":     func(m *Match) { m.Nodes = 31 },
		"time":      func(m *Match) { m.Nodes, m.TimeControl.Move = 0, time.Second },
		"clock":     func(m *Match) { m.Nodes, m.TimeControl.Game = 0, time.Second },
		"increment": func(m *Match) { m.Nodes, m.TimeControl.Game, m.TimeControl.Increment = 0, time.Second, time.Second },
		"threads":   func(m *Match) { m.TimeControl.Threads = 2 },
		"seed":      func(m *Match) { m.Seed = 6 },
		"pairs":     func(m *Match) { m.Openings = m.Openings[:3] },
		"openings":  func(m *Match) { m.Openings[0], m.Openings[1] = m.Openings[1], m.Openings[0] },
		"bounds":    func(m *Match) { m.Test = stats.SPRT{NElo1: 10} },
		"purpose":   func(m *Match) { m.Purpose = "sprt" },
		"engine":    func(m *Match) { m.Engine = "tested" },
	} {
		t.Run(name, func(t *testing.T) {
			m := testMatch(t)
			change(m)
			j, err := OpenMatch(runs, m)
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			row := j.Session().Run().Name
			if other, ok := names[row]; ok {
				t.Errorf("%s is the match with another %s", row, other)
			}
			names[row] = name
		})
	}
}

func TestOneProcessPlaysAMatch(t *testing.T) {
	runs := t.TempDir()
	j, err := OpenMatch(runs, testMatch(t))
	if err != nil {
		t.Fatal(err)
	}
	want := "match " + j.Session().Run().Name + " is being played by another process"
	if _, err := OpenMatch(runs, testMatch(t)); err == nil || err.Error() != want {
		t.Errorf("a second opening: %v, want %q", err, want)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = OpenMatch(runs, testMatch(t)); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// Nothing is left of a match that ended before its first pair, unless it was interrupted.
func TestNothingIsLeftOfAMatchWithoutPairs(t *testing.T) {
	for _, test := range []struct {
		name    string
		playing error
		left    int
	}{
		{"done", nil, 0},
		{"failed", errors.New("no openings"), 0},
		{"a player fails", match.ErrFails, 0},
		{"interrupted", fmt.Errorf("match: %w", context.Canceled), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs := t.TempDir()
			j, err := OpenMatch(runs, testMatch(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := j.End(test.playing); err != nil {
				t.Fatal(err)
			}
			db, err := store.Open(runs)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if kept, err := db.Kept(); err != nil || len(kept) != test.left {
				t.Errorf("%d rows are left, want %d, error %v", len(kept), test.left, err)
			}
		})
	}
}

// A state that is damaged, or of something else, is refused by its name and left as it is.
func TestDamagedMatchesAreRefused(t *testing.T) {
	runs := t.TempDir()
	if _, _, _, err := goOn(t, testMatch(t), runs, testPairs+1); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(runs, store.FileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	for i := 4096; i < len(damaged); i++ {
		damaged[i] ^= 0x55
	}
	start := bytes.Index(whole, []byte(`{"purpose":"match"`))
	if start < 0 {
		t.Fatal("the record is not where the test looks for it")
	}
	changed := bytes.Clone(whole)
	copy(changed[start:], `{"purpose":"watch"`)
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"another file", []byte(strings.Repeat("x", 5000)), "not a database"},
		{"damage", damaged, "damaged"},
		{"torn", whole[:5000], "damaged"},
		{"changed record", changed, "damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, ending := range []string{"-wal", "-shm"} {
				_ = os.Remove(path + ending)
			}
			if err := os.WriteFile(path, test.data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := OpenMatch(runs, testMatch(t))
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want one with the path and %q", err, test.want)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, test.data) {
				t.Errorf("the file was changed; error %v", err)
			}
		})
	}
}

// A row under the name of a match that holds another one is refused.
func TestForeignMatchIsRefused(t *testing.T) {
	runs := t.TempDir()
	j, err := OpenMatch(runs, testMatch(t))
	if err != nil {
		t.Fatal(err)
	}
	row := j.Session().Run()
	if _, err := j.db.Resume(row, []byte(`{"purpose":"something else"}`)); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenMatch(runs, testMatch(t)); err == nil || !strings.Contains(err.Error(), row.Name+" holds another match") {
		t.Errorf("error %v", err)
	}
}

// change changes the database of a folder.
func change(t *testing.T, runs, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(runs, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(statement)
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A damaged match is listed as such beside the others, and can be deleted.
func TestADamagedMatchIsListed(t *testing.T) {
	whole := t.TempDir()
	for _, seed := range []uint64{1, 2} {
		m := testMatch(t)
		m.Seed = seed
		if _, _, _, err := goOn(t, m, whole, testPairs+1); err != nil {
			t.Fatal(err)
		}
	}
	const first = " WHERE run = (SELECT min(id) FROM runs)"
	changed := func(record string) string {
		return fmt.Sprintf("UPDATE records SET record = '%s', sum = '%x'", record, sha256.Sum256([]byte(record))) + first
	}
	for name, statement := range map[string]string{
		"checksum":  "UPDATE records SET sum = 'x'" + first,
		"no record": "DELETE FROM records" + first,
		"no JSON":   changed("{"),
		"no test":   changed(`{"test":[5,0],"pairs":24}`),
		"ladder":    changed("[]") + "; UPDATE runs SET kind = 'ladder' WHERE id = (SELECT min(id) FROM runs)",
	} {
		t.Run(name, func(t *testing.T) {
			runs := t.TempDir()
			if err := os.CopyFS(runs, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			change(t, runs, statement)
			db, err := store.Open(runs)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			list, err := List(db, runs)
			if err != nil || len(list) != 2 || !list[0].Damaged || list[1].Damaged || list[0].Pairs != testPairs {
				t.Fatalf("%+v, error %v", list, err)
			}
			if err := Remove(db, runs, &list[0]); err != nil {
				t.Error(err)
			}
			if left, err := List(db, runs); err != nil || len(left) != 1 || left[0].Name != list[1].Name {
				t.Errorf("left are %+v, error %v", left, err)
			}
		})
	}
}

// Void pairs do not count.
func TestCountedPairs(t *testing.T) {
	runs := t.TempDir()
	if _, _, _, err := goOn(t, testMatch(t), runs, testPairs+1); err != nil {
		t.Fatal(err)
	}
	change(t, runs, "UPDATE pairs SET points = NULL WHERE pair < 5")
	j, err := OpenMatch(runs, testMatch(t))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if n, err := j.Counted(); err != nil || n != testPairs-5 {
		t.Errorf("%d pairs count, want %d; error %v", n, testPairs-5, err)
	}
}
