//go:build system

package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/engine"
	"quintune/pattern"
	"quintune/selfplay"
)

// brain copies the folder of the small engine, compiles it and returns the folder.
func brain(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/brain")); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("cc", "-O2", "-o", "brain", "brain.c", "-lm")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// values returns those of a file with the first three set.
func values(f *engine.File, numbers ...float64) engine.Values {
	v := f.Start()
	for i, n := range numbers {
		v[i].Number = n
	}
	return v
}

// pairs returns pairs of the contestants among themselves, each on an opening of its own.
func pairs(contestants []selfplay.Contestant, n int) *selfplay.Batch {
	b := &selfplay.Batch{Contestants: contestants, Rule: pattern.Freestyle, Size: 15, Nodes: 500}
	for i := range n {
		k := len(contestants)
		b.Pairings = append(b.Pairings, selfplay.Pairing{
			A: i % k, B: (i + 1 + i/k%max(1, k-1)) % k, Opening: []board.Cell{board.At(7, 7), board.At(i%15, i/15%7)},
		})
	}
	return b
}

// play plays pairs of the contestants among themselves.
func play(t *testing.T, workers int, contestants []selfplay.Contestant, n int) []selfplay.Result {
	t.Helper()
	results, err := selfplay.NewPool(workers).Run(t.Context(), pairs(contestants, n), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range results {
		for _, g := range results[i].Games {
			if g.Fault != nil {
				t.Fatalf("pair %d: %v", i, g.Fault)
			}
		}
	}
	return results
}

// Values reach the engine in every way, so all ways give the same games with one worker and with two.
func TestWaysToPassValuesGiveEqualGames(t *testing.T) {
	dir := brain(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var first [][]board.Cell
	for i, name := range []string{"params.yaml", "argument.yaml", "environment.yaml", "template.yaml", "weights.yaml"} {
		t.Run(name, func(t *testing.T) {
			f, err := engine.Read(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			h := engine.NewHost(f, 1+i%2)
			begun := time.Now()
			results := play(t, 1+i%2, []selfplay.Contestant{
				h.Contestant("start", f.Start()), h.Contestant("better", values(f, 60, 0.8, 5)), h.Contestant("best", values(f, 80, 1, 6)),
			}, 30)
			t.Logf("%s: %d games in %v", name, 2*len(results), time.Since(begun))
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			var games [][]board.Cell
			for i := range results {
				games = append(games, results[i].Games[0].Moves, results[i].Games[1].Moves)
			}
			if first == nil {
				first = games
			} else if !slices.EqualFunc(games, first, slices.Equal) {
				t.Errorf("%s gives other games than params.yaml", name)
			}
		})
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if n := runtime.NumGoroutine(); n > 10 {
		t.Errorf("%d goroutines are left", n)
	}
}

// The engine is strongest at the optimum that brain.c declares, weaker half way to it, and weakest at the start.
func TestBrainIsStrongestAtItsOptimum(t *testing.T) {
	f, err := engine.Read(filepath.Join(brain(t), "params.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	h := engine.NewHost(f, 2)
	defer h.Close()
	at := []selfplay.Contestant{h.Contestant("best", values(f, 80, 1, 6)), h.Contestant("better", values(f, 40, 0.6, 3.5)), h.Contestant("start", f.Start())}
	for i := range 2 {
		points := 0
		results := play(t, 2, at[i:i+2], 100)
		for k := range results {
			p := results[k].Points()
			if k%2 == 1 { // the other is A
				p = 4 - p
			}
			points += p
		}
		t.Logf("%s scores %.1f %% against %s", at[i].Name, float64(points)/4, at[i+1].Name)
		if points < 4*60 {
			t.Errorf("%s scores %d of %d against %s, want 60 %%", at[i].Name, points, 4*100, at[i+1].Name)
		}
	}
}

// A check measures a speed also where a pair takes longer than the measurement.
func TestSpeedOfSlowGames(t *testing.T) {
	f, err := engine.Read(filepath.Join(brain(t), "argument.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	c := engine.CheckConfig{Size: 15, Rule: pattern.Freestyle, Nodes: 500, Workers: 2, For: time.Microsecond}
	told := 0
	c.Played = func(games int) {
		if games != told+2 {
			t.Errorf("%d games are told after %d", games, told)
		}
		told = games
	}
	for i := range 2 * engine.LeastOpenings {
		c.Openings = append(c.Openings, []board.Cell{board.At(7, 7), board.At(i, 0)})
	}
	r, err := engine.Check(t.Context(), f, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.GamesPerMinute <= 0 || told == 0 {
		t.Errorf("%g games a minute, %d were told", r.GamesPerMinute, told)
	}
}
