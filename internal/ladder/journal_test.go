package ladder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quintune/internal/journal"
	"quintune/internal/store"
	"quintune/pattern"
	"quintune/selfplay"
)

// storedLadder plays a ladder and returns its journal's path and content.
func storedLadder(t *testing.T) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ladder.db")
	standing(t, testConfig(3), path, 1)
	return path, mustRead(t, path)
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustWrite(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Wherever a ladder was interrupted, it goes on behind the last finished pair; so it does with more pairs, and with fewer.
func TestInterruptedLadderGoesOn(t *testing.T) {
	want := standing(t, testConfig(3), "", 1)
	for stop := 1; stop <= 9; stop += 2 {
		t.Run(fmt.Sprint(stop), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ladder.db")
			ctx, cancel := context.WithCancel(t.Context())
			finished := 0
			err := play(ctx, t, mustNew(t, testConfig(3)), path, 1, func() {
				if finished++; finished == stop {
					cancel()
				}
			})
			if stop < 9 && !errors.Is(err, context.Canceled) {
				t.Errorf("interrupted after %d pairs: %v", stop, err)
			}
			l := mustNew(t, testConfig(3))
			j, err := l.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n, all := l.Pairs(); n < stop || n > stop+1 || all != 9 {
				t.Errorf("%d of %d pairs are kept of %d", n, all, stop)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				j, err := mustNew(t, testConfig(2)).OpenFile(path)
				if err != nil {
					t.Fatal(err)
				}
				defer j.Close()
				if row := j.Session().Run(); row.Budget != 2*3*5 || row.Open != row.Budget {
					t.Errorf("the ladder with most pairs has %d of %d games", row.Open, row.Budget)
				}
			}()
			for _, pairs := range []int{3, 5, 2, 3} {
				got := standing(t, testConfig(pairs), path, 1)
				if pairs == 3 && !reflect.DeepEqual(got, want) {
					t.Errorf("%+v, want %+v", got, want)
				}
				if got.Finished != 3*pairs {
					t.Errorf("%d pairs finished of 3×%d", got.Finished, pairs)
				}
			}
		})
	}
}

// A ladder that was stopped at more pairs and ended with fewer is not open.
func TestALadderThatEndedWithFewerPairs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ladder.db")
	ctx, cancel := context.WithCancel(t.Context())
	if err := play(ctx, t, mustNew(t, testConfig(40)), path, 1, cancel); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	standing(t, testConfig(2), path, 1)
	j, err := mustNew(t, testConfig(2)).OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if row := j.Session().Run(); row.Open < row.Budget {
		t.Errorf("%d of %d games, want all", row.Open, row.Budget)
	}
}

// Several ladders are in the database of one folder, each under a name of its own.
func TestLaddersOfAFolder(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	for _, seed := range []uint64{3, 4, 3} {
		c := testConfig(2)
		c.Seed = seed
		l := mustNew(t, c)
		j, err := l.Open(runs)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(l.Play(t.Context(), selfplay.NewPool(1), j, nil), j.Close())
		if n, all := l.Pairs(); err != nil || n != all || j.Path() != filepath.Join(runs, store.FileName) {
			t.Errorf("%d of %d pairs in %s: %v", n, all, j.Path(), err)
		}
	}
	db, err := store.OpenToRead(runs)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if list, err := db.Runs(); err != nil || len(list) != 0 {
		t.Errorf("ladders are listed as runs: %+v, %v", list, err)
	}
}

func TestJournalRefusals(t *testing.T) {
	path, data := storedLadder(t)
	damaged := bytes.Clone(data)
	for i := 4096; i < len(damaged); i++ {
		damaged[i] ^= 0x55
	}
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"another file":  {[]byte(`{"weights": 1}`), "not a database of a ladder"},
		"short file":    {[]byte("x"), "not a database of a ladder"},
		"old journal":   {[]byte(`1c291ca3 {"format":"quintune.ladder/1","commit":"x"}` + "\n"), "journal of an older version"},
		"damage":        {damaged, "damaged"},
		"torn database": {data[:5000], "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ending := range []string{"-wal", "-shm"} {
				_ = os.Remove(path + ending)
			}
			mustWrite(t, path, test.data)
			_, err := mustNew(t, testConfig(3)).OpenFile(path)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want one with the path and %q", err, test.want)
			}
			if !bytes.Equal(mustRead(t, path), test.data) {
				t.Error("the file was changed")
			}
		})
	}
	runs := t.TempDir()
	l := mustNew(t, testConfig(1))
	e, err := l.config.entry()
	if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, filepath.Join(runs, "ladder-"+journal.ID(e.Record)+".jsonl"), nil)
	if _, err := l.Open(runs); err == nil || !strings.Contains(err.Error(), "journal of an older version") {
		t.Errorf("an old journal among the runs: %v", err)
	}
}

// A journal of another ladder is refused by what is different.
func TestOtherLaddersAreRefused(t *testing.T) {
	path, _ := storedLadder(t)
	for want, change := range map[string]func(*Config){
		"3 players, not 2":                        func(c *Config) { c.Players = c.Players[:2] },
		`player 1 "good", not "middling"`:         func(c *Config) { c.Players[0], c.Players[1] = c.Players[1], c.Players[0] },
		`another "good": "skill 90", not "other"`: func(c *Config) { c.Players[0].Identity = "other" },
		"gauntlet , not good":                     func(c *Config) { c.Gauntlet = 0 },
		"rule freestyle, not standard":            func(c *Config) { c.Rule = pattern.Standard },
		"size 9, not 10":                          func(c *Config) { c.Size = 10 },
		"nodes 5, not 6":                          func(c *Config) { c.Nodes = 6 },
		"nodes 5, not 0":                          func(c *Config) { c.Nodes, c.TimeControl.Move = 0, 1e9 },
		"threads 1, not 2":                        func(c *Config) { c.TimeControl.Threads = 2 },
		"nodes 5, not 0: ":                        func(c *Config) { c.Nodes, c.TimeControl.Game = 0, 1e9 },
		"seed 3, not 4":                           func(c *Config) { c.Seed = 4 },
		"openings ":                               func(c *Config) { c.Book.Openings = c.Book.Openings[1:] },
		"engine signature test, not tested":       func(c *Config) { c.Engine = "tested" },
	} {
		t.Run(want, func(t *testing.T) {
			c := testConfig(3)
			change(&c)
			if _, err := mustNew(t, c).OpenFile(path); err == nil || !strings.Contains(err.Error(), "begun with "+want) {
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
}

func TestOneProcessPlaysALadder(t *testing.T) {
	path, _ := storedLadder(t)
	j, err := mustNew(t, testConfig(3)).OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mustNew(t, testConfig(3)).OpenFile(path); err == nil || !strings.Contains(err.Error(), "played by another process") {
		t.Errorf("a second opening: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = mustNew(t, testConfig(3)).OpenFile(path); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
