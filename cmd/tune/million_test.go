//go:build long && linux

package main

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/selfplay"
)

// invented is a Runner whose games take no time.
type invented struct{}

// Run returns games of forty plies.
func (invented) Run(_ context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results := make([]selfplay.Result, len(b.Pairings))
	for i := range results {
		for g := range results[i].Games {
			moves := append([]board.Cell{}, b.Pairings[i].Opening...)
			for k := len(moves); k < 40; k++ {
				moves = append(moves, board.At(k%b.Size, (i+k)%b.Size))
			}
			results[i].Games[g] = selfplay.Game{Outcome: board.Outcome(1 + (i+g)%3), Moves: moves, Nodes: 30_000}
		}
		done(i, &results[i])
	}
	return results, nil
}

// addGames adds games to a stored run as if the run had played them.
func addGames(t *testing.T, name string, games int) {
	t.Helper()
	db, err := store.Open("runs")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	row, err := db.Run(name)
	if err != nil {
		t.Fatal(err)
	}
	record, err := db.Record(row)
	if err != nil {
		t.Fatal(err)
	}
	data, err := db.State(row)
	if err != nil {
		t.Fatal(err)
	}
	var state run.State
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	s, err := db.Resume(row, record)
	if err != nil {
		t.Fatal(err)
	}
	batch := &selfplay.Batch{Size: row.Size, Nodes: 1000, Purpose: "generation", Contestants: []selfplay.Contestant{{Name: "a"}, {Name: "b"}}}
	for i := range 500 {
		batch.Pairings = append(batch.Pairings, selfplay.Pairing{A: 0, B: 1, Opening: []board.Cell{board.At(i%row.Size, 0)}})
	}
	for played := 0; played < games; played += 2 * len(batch.Pairings) {
		if _, err := s.Runner(invented{}).Run(context.Background(), batch, func(int, *selfplay.Result) {}); err != nil {
			t.Fatal(err)
		}
		if err := s.CloseStep(store.Step{State: &state}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAMillionGames reads a run with a million stored games. It logs the times, since they depend on the
// machine; list and report should take 5 s at most. It checks the memory.
func TestAMillionGames(t *testing.T) {
	const mostMemory = 300 << 20 // bytes
	p := built(t)
	p.start(quick("run", "--budget", "400games", "--name", "r", "--quiet")...).done()
	addGames(t, "r", 1_000_000)
	info, err := os.Stat("runs/" + store.FileName)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the database has %.0f MB", float64(info.Size())/1e6)
	for _, args := range [][]string{{"list"}, {"show", "r"}, {"report", "r"}, {"export", "r", "--format", "json", "-o", "checkpoint.json"}} {
		began := time.Now()
		looking := p.start(args...)
		looking.done()
		memory := looking.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		t.Logf("%v: %v, %.0f MB of memory", args, time.Since(began).Round(time.Millisecond), float64(memory)/1e6)
		if memory > mostMemory {
			t.Errorf("%v takes %d MB of memory", args, memory>>20)
		}
	}
}

// memoryOf returns the memory of a process, bytes.
func memoryOf(t *testing.T, process int) int64 {
	t.Helper()
	status := string(read(t, "/proc/"+strconv.Itoa(process)+"/status"))
	_, rest, _ := strings.Cut(status, "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0 // the process is just ending
	}
	kilobytes, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// TestMemoryDoesNotGrow plays 200 000 short games. Their memory at the end may be at most 1.1 times that after
// 10 000 games. The optimiser is SPSA, which does not end a run before its budget. There is no fit, whose labels take more memory than
// all that follows.
func TestMemoryDoesNotGrow(t *testing.T) {
	const early, late, all, growth = 10_000, 190_000, 200_000, 1.1
	p := built(t)
	running := p.start(quick("run", "--budget", strconv.Itoa(all)+"games", "--optimizer", "spsa", "--warm-start", "0", "--no-gate", "--name", "r", "--quiet")...)
	var first, last []int64
	for {
		log, err := os.ReadFile("runs/r/log")
		games := 0
		if at := strings.LastIndex(string(log), "games="); err == nil && at >= 0 {
			text, _, _ := strings.Cut(string(log)[at+len("games="):], "/")
			games, _ = strconv.Atoi(text)
		}
		switch {
		case games >= early && games < 2*early:
			first = append(first, memoryOf(t, running.Process.Pid))
		case games >= late:
			last = append(last, memoryOf(t, running.Process.Pid))
		}
		select {
		case err := <-running.ended:
			if err != nil {
				t.Fatalf("%v: %s", err, running.log.String())
			}
			a, b := mean(first), mean(last)
			t.Logf("%.1f MB after %d games, %.1f MB after %d", a/1e6, early, b/1e6, late)
			if a == 0 || b == 0 || b > growth*a {
				t.Errorf("memory grew from %.0f to %.0f bytes; 0 stands for a run that ended too soon", a, b)
			}
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// mean returns the mean of the samples above 0.
func mean(samples []int64) float64 {
	sum, n := 0.0, 0.0
	for _, s := range samples {
		if s > 0 {
			sum, n = sum+float64(s), n+1
		}
	}
	return sum / max(1, n)
}
