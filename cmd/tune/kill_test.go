//go:build system || long

package main

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"quintune/internal/store"
)

// TestKilledRunIsTheSameRun kills a run (-9) at random moments and resumes it. The result has the same bytes and
// the database is sound. The pairs that are begun are counted outside of the database: a kill loses at most
// those in play.
func TestKilledRunIsTheSameRun(t *testing.T) {
	const workers = 2
	p := built(t)
	args := append(killArguments(), "--seed", "5", "--workers", "2", "--out", "w.json", "--quiet")
	p.start(append(args, "--name", "whole", "--out", "whole.json", "--trace", "whole.trace")...).done()
	want := read(t, filepath.Join("runs", "whole", "candidate.json"))
	all := lines("whole.trace")

	r := rand.New(rand.NewPCG(1, 9))
	command := append(args, "--name", "killed")
	killed := 0
	for k := range kills {
		target := all*k/kills + r.IntN(1+all/kills)
		running := p.start(append(command, "--trace", "killed.trace")...)
		if !running.until(func() bool { return lines("killed.trace") > target }) {
			break // it was done
		}
		time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond) // a random moment
		err := running.Process.Kill()
		running.status()
		if errors.Is(err, os.ErrProcessDone) {
			break // it was done
		}
		if err != nil {
			t.Fatal(err)
		}
		killed++
		checkIntegrity(t)
		command = []string{"resume", "killed", "--workers", "2", "--out", "w.json", "--quiet"}
	}
	p.start(append(command, "--trace", "killed.trace")...).done()
	checkBytes(t, filepath.Join("runs", "killed", "candidate.json"), want)
	checkIntegrity(t)
	begun := lines("killed.trace")
	t.Logf("%d kills; %d pairs were begun, %d without kills", killed, begun, all)
	if killed < kills-1 {
		t.Errorf("only %d of %d kills came before the end", killed, kills)
	}
	if begun < all || begun > all+killed*workers {
		t.Errorf("%d pairs were begun, %d without the %d kills", begun, all, killed)
	}
}

func checkIntegrity(t *testing.T) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join("runs", store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var found string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&found); err != nil || found != "ok" {
		t.Fatalf("integrity_check: %s, error %v", found, err)
	}
}
