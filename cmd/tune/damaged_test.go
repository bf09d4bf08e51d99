package main

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintune/internal/config"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/weights"
)

func TestRunsOfAnotherEngineAreRefused(t *testing.T) {
	inFolder(t)
	interrupted(t, "r")
	runs, err := runfolder.Open("runs")
	if err != nil {
		t.Fatal(err)
	}
	f, stored, err := runs.Hold("r")
	if err != nil {
		t.Fatal(err)
	}
	stored.Record.Spec.Engine = "another"
	if err := f.Resume(runs, stored.Record); err != nil {
		t.Fatal(err)
	}
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	_, log, status := tune(t, "resume", "r")
	if status != config.ExitFailed || !strings.Contains(log, "engine another, this program has") || !strings.Contains(log, "tune resume r --fork") {
		t.Errorf("status %d: %s", status, log)
	}
	if o := object(t, done(t, "resume", "r", "--fork", "--name", "anew", "--json")); o["name"] != "anew" {
		t.Errorf("%v", o)
	}
	if set, err := weights.Load(filepath.Join("runs", "anew", "candidate.json")); err != nil || set.Provenance.Engine == "another" {
		t.Errorf("%v", err)
	}
}

func TestADamagedDatabaseIsRefused(t *testing.T) {
	inFolder(t)
	interrupted(t, "r")
	path := filepath.Join("runs", store.FileName)
	good := read(t, path)
	half := len(good) / 2
	for name, bad := range map[string][]byte{
		"header": append(bytes.Repeat([]byte("x"), 4096), good[4096:]...),
		"cut":    good[:half/4096*4096],
		"pages":  append(good[:half:half], bytes.Repeat([]byte{0x5a}, len(good)-half)...),
		"empty":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			_, log, status := tune(t, "resume", "r")
			if status != config.ExitFailed || !strings.Contains(log, "damaged") || !strings.Contains(log, path) {
				t.Errorf("%s: status %d: %s", name, status, log)
			}
		})
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := object(t, done(t, "resume", "--json")); o["name"] != "r" || o["verdict"] == verdictInterrupted {
		t.Errorf("%v", o)
	}
}

// A game of the open step whose result was changed in the database is refused with the name of its pair.
func TestADamagedPairIsRefused(t *testing.T) {
	inFolder(t)
	interrupt := func(pairs int, args ...string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			for ; lines("trace") < pairs && ctx.Err() == nil; time.Sleep(time.Millisecond) {
			}
			cancel()
		}()
		if err := execute(ctx, append(args, "--trace", "trace"), strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); config.Exit(err) != config.ExitInterrupted {
			t.Fatal(err)
		}
	}
	interrupt(8, quick("run", "--budget", "200games", "--seed", "3", "--workers", "2", "--name", "r")...)
	path := filepath.Join("runs", store.FileName)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// An interrupt between two steps may leave no pair of an open step, so try until one does.
	for open := 0; ; interrupt(lines("trace")+3, "resume", "r") {
		err := db.QueryRow(`SELECT COUNT(*) FROM pairs JOIN batches ON batches.id = batch JOIN runs ON runs.id = run WHERE step = steps`).Scan(&open)
		if err != nil {
			t.Fatal(err)
		}
		if open > 0 {
			break
		}
	}
	flip := func() {
		t.Helper()
		changed, err := db.Exec(`UPDATE games SET result = CASE result WHEN 'B' THEN 'W' WHEN 'W' THEN 'B' WHEN 'D' THEN '-' ELSE 'D' END
			WHERE game = 0 AND (batch, pair) =
			(SELECT batch, pair FROM pairs JOIN batches ON batches.id = batch JOIN runs ON runs.id = run WHERE step = steps ORDER BY pair DESC LIMIT 1)`)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := changed.RowsAffected(); err != nil || n != 1 {
			t.Fatalf("%d games of the open step were changed, error %v", n, err)
		}
	}
	flip()
	for _, args := range [][]string{{"resume", "r", "--quiet"}, {"export", "r", "--games", "jsonl", "-o", "games.jsonl"}} {
		_, log, status := tune(t, args...)
		if status != config.ExitFailed || !strings.Contains(log, ": pair ") || !strings.Contains(log, "(generation ") || !strings.Contains(log, "): it is damaged") || !strings.Contains(log, path) {
			t.Errorf("tune %v: status %d: %s", args, status, log)
		}
	}
	if _, err := os.Stat("games.jsonl"); err == nil {
		t.Error("the games were exported")
	}
	flip()
	if o := object(t, done(t, "resume", "--json")); o["name"] != "r" || o["verdict"] == verdictInterrupted {
		t.Errorf("%v", o)
	}
}
