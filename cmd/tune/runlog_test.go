package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/internal/run"
)

// A log has a line for every closed step and two for labels, however many events there are.
func TestLogOfLabels(t *testing.T) {
	folder := t.TempDir()
	log := newRunLog(folder)
	e := run.Event{Stage: run.StageEvolution, Games: 8192, Budget: 100_000, Phase: "fit"}
	log.event(e)
	e.Stage, e.Positions = run.StageLabels, 40_000
	for e.Labelled = 0; e.Labelled <= e.Positions; e.Labelled += 200 {
		log.event(e)
	}
	log.event(run.Event{Stage: run.StageEvolution, Closed: true, Games: 8192, Budget: 100_000, Phase: "fit", Generation: 1})
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(read(t, filepath.Join(folder, "log")))), "\n")
	want := []string{
		"msg=labels games=8192/100000 generation=0 positions=0/40000", "msg=labels games=8192/100000 generation=0 positions=40000/40000",
		"msg=evolution games=8192/100000 generation=1 phase=fit",
	}
	if len(lines) != len(want) {
		t.Fatalf("the log is %q", lines)
	}
	for i, line := range lines {
		if !strings.Contains(line, want[i]) {
			t.Errorf("line %d is %q, want %q", i+1, line, want[i])
		}
	}
}

func TestLogIsRotated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	line := strings.Repeat("x", 39) + "\n"
	for range 3 { // as if three processes wrote it, one after another
		r := &rotating{path: path, most: 100}
		for range 7 {
			if _, err := r.Write([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []int{1, 2, 2, 2} {
		data, err := os.ReadFile((&rotating{path: path}).old(i))
		if err != nil || strings.Count(string(data), line) != want {
			t.Errorf("log %d has %d lines, want %d; error %v", i, strings.Count(string(data), line), want, err)
		}
	}
	if _, err := os.Stat(path + ".4"); err == nil {
		t.Error("old logs are kept for ever")
	}
}

// A log that cannot be rotated grows, and loses no line.
func TestALogThatCannotBeRotatedGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	r := &rotating{path: path, most: 10}
	for n := range oldLogs {
		if err := os.MkdirAll(filepath.Join(r.old(n+1), "in the way"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	failed := 0
	for range 5 { // of 7 bytes: the second, third and fifth are beyond 10, 14 and 28
		if _, err := r.Write([]byte("a line\n")); err != nil {
			failed++
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if got := string(read(t, path)); got != strings.Repeat("a line\n", 5) || failed != 3 {
		t.Errorf("the log is %q, with %d errors", got, failed)
	}
}
