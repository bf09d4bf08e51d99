//go:build system || long

package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintune/internal/config"
	"quintune/internal/store"
)

// killedAfter starts the program and kills it (-9) after a time. It returns false if the program had ended
// before.
func (p program) killedAfter(d time.Duration, args ...string) bool {
	p.t.Helper()
	running := p.start(args...)
	time.Sleep(d)
	err := running.Process.Kill()
	if status := running.status(); errors.Is(err, os.ErrProcessDone) || status == config.ExitDone {
		return false
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return true
}

// When a command is killed (-9) at any moment, the file that it writes is either the old one or the new one,
// complete. The same command then makes the new one.
func TestKilledCommandsWriteWholeFiles(t *testing.T) {
	p := built(t)
	p.start(append(quick("run", "--budget", "300games", "--seed", "5", "--name", "r", "--no-gate", "--quiet"), "--out", "w.json")...).done()
	old := []byte("old\n")
	for _, command := range []struct {
		name string
		args []string
	}{
		{"report", []string{"report", "r", "-o"}},
		{"checkpoint", []string{"export", "r", "--format", "json", "-o"}},
		{"weights", []string{"export", "r", "--format", "markdown", "-o"}},
		{"games", []string{"export", "r", "--games", "sgf", "-o"}},
		{"openings", []string{"openings", "--count", "20", "--size", "9", "--out"}},
		{"ladder", append(three("--pairs", "40", "--workers", "2"), "--picture")},
	} {
		t.Run(command.name, func(t *testing.T) {
			p := program{t, p.path}
			file := command.name + ".svg"
			args := append(command.args, file)
			began := time.Now()
			if command.name == "ladder" {
				p.start(append(args, "--runs", "undisturbed")...).done()
			} else {
				p.start(args...).done()
			}
			took := time.Since(began)
			want := read(t, file)
			r, killed := rand.New(rand.NewPCG(3, 5)), 0
			for range kills {
				if err := os.WriteFile(file, old, 0o600); err != nil {
					t.Fatal(err)
				}
				if p.killedAfter(time.Duration(r.Int64N(int64(took))), args...) {
					killed++
				}
				if got := read(t, file); !bytes.Equal(got, old) && !bytes.Equal(got, want) {
					t.Fatalf("after kill %d the file has %d bytes, neither the old ones nor the %d new ones", killed, len(got), len(want))
				}
			}
			p.start(args...).done()
			checkBytes(t, file, want)
			checkIntegrity(t)
			t.Logf("%d kills in a command of %v", killed, took)
		})
	}
}

// A run whose gates pass and that replaces --out is killed (-9) at random moments. --out is always the old file
// or the new one, and at the end it has the bytes of an undisturbed run.
func TestKilledGatesReplaceOutOnce(t *testing.T) {
	p := built(t)
	p.start("export", "flat", "-o", "old.json").done()
	old := read(t, "old.json")
	args := func(name string) []string {
		if err := os.WriteFile(name+".json", old, 0o600); err != nil {
			t.Fatal(err)
		}
		return quick("run", "--start", "flat", "--budget", "1500games", "--seed", "2", "--workers", "2", "--quiet", "--name", name, "--out", name+".json")
	}
	began := time.Now()
	p.start(args("whole")...).done()
	took := time.Since(began)
	want := read(t, "whole.json")
	if bytes.Equal(want, old) {
		t.Fatal("no gate was passed")
	}
	r, killed, command := rand.New(rand.NewPCG(7, 9)), 0, args("killed")
	for range kills {
		if !p.killedAfter(time.Duration(r.Int64N(int64(took)/3)), command...) {
			break
		}
		killed++
		if got := read(t, "killed.json"); !bytes.Equal(got, old) && !bytes.Equal(got, want) {
			t.Fatalf("after kill %d --out is neither the old file nor the new one:\n%s", killed, got)
		}
		checkIntegrity(t)
		if _, _, status := tune(t, "show", "killed"); status != config.ExitDone {
			continue // killed before the run was in the database
		}
		command = []string{"resume", "killed", "--workers", "2", "--quiet", "--out", "killed.json"}
	}
	p.start(command...).done()
	checkBytes(t, "killed.json", want)
	t.Logf("%d kills in a run of %v", killed, took)
}

// With a damaged database a run either fails with the name of the file, or ends with the right bytes. It never
// ends with others and never crashes.
func TestDamagedDatabasesGiveNoOtherResult(t *testing.T) {
	inFolder(t)
	whole := quick("run", "--budget", "200games", "--seed", "3", "--workers", "2", "--quiet", "--name", "r", "--out", "r.json")
	done(t, append(whole, "--runs", "whole")...)
	want := read(t, filepath.Join("whole", "r", "candidate.json"))
	interrupted(t, "r", "--out", "r2.json")
	path := filepath.Join("runs", store.FileName)
	good := read(t, path)
	r, refused, wrong := rand.New(rand.NewPCG(11, 13)), 0, 0
	for n := range damages {
		bad := bytes.Clone(good)
		kind := []string{"bits", "zeros", "cut", "page moved", "noise"}[n%5]
		pages := len(bad) / 4096
		page := bad[4096*r.IntN(pages):][:4096]
		switch kind {
		case "bits":
			for range 1 + r.IntN(8) {
				bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			}
		case "zeros":
			clear(page)
		case "cut":
			bad = bad[:r.IntN(len(bad))]
		case "page moved":
			copy(page, bad[4096*r.IntN(pages):][:4096])
		case "noise":
			for i := range page[r.IntN(4096):] {
				page[i] = byte(r.Uint32())
			}
		}
		dir := fmt.Sprintf("damaged-%d", n)
		if err := os.MkdirAll(filepath.Join(dir, "r"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, store.FileName), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		_, log, status := tune(t, "resume", "r", "--runs", dir, "--quiet", "--out", dir+".json")
		switch {
		case status == config.ExitFailed:
			refused++
			if !strings.Contains(log, "damaged") && !strings.Contains(log, "there is no run") && !strings.Contains(log, "not a database") && !strings.Contains(log, "newer version") {
				t.Logf("%d, %s: refused by other words: %s", n, kind, log)
			}
		case status != config.ExitDone:
			t.Errorf("%d, %s: status %d: %s", n, kind, status, log)
		case !bytes.Equal(read(t, filepath.Join(dir, "r", "candidate.json")), want):
			wrong++
			t.Errorf("%d, %s: another result", n, kind)
		}
	}
	t.Logf("%d of %d refused, %d wrong", refused, damages, wrong)
}

// Nothing is ordered by the wall clock: a run whose times lie in the future, or before 1970, ends with the same
// bytes.
func TestClockJumps(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "200games", "--seed", "3", "--workers", "2", "--quiet", "--name", "r", "--out", "r.json", "--runs", "whole")...)
	want := read(t, filepath.Join("whole", "r", "candidate.json"))
	for _, year := range []int{1969, 2099} {
		t.Run(fmt.Sprint(year), func(t *testing.T) {
			name := fmt.Sprintf("r%d", year)
			interrupted(t, name, "--out", name+".json")
			when := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
			db, err := sql.Open("sqlite", filepath.Join("runs", store.FileName))
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.Exec("UPDATE runs SET begun = ?", when.Format(time.RFC3339))
			if err = errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
			err = filepath.WalkDir("runs", func(path string, _ os.DirEntry, err error) error {
				return errors.Join(err, os.Chtimes(path, when, when))
			})
			if err != nil {
				t.Fatal(err)
			}
			done(t, "resume", name, "--quiet", "--out", name+".json")
			checkBytes(t, filepath.Join("runs", name, "candidate.json"), want)
		})
	}
}

// Of two processes that start a run under the same name, or resume the same run, at the same moment, one plays
// and the other is refused.
func TestProcessesThatBeginTogether(t *testing.T) {
	p := built(t)
	p.start(quick("run", "--budget", "200games", "--seed", "3", "--quiet", "--no-gate", "--runs", "whole", "--name", "r", "--out", "w.json")...).done()
	want := read(t, filepath.Join("whole", "r", "candidate.json"))
	both := [2]*process{}
	for i := range both {
		both[i] = p.start(quick("run", "--budget", "200games", "--seed", "3", "--quiet", "--no-gate", "--name", "r", "--out", fmt.Sprintf("w%d.json", i))...)
	}
	succeeded := 0
	for _, r := range both {
		switch status := r.status(); {
		case status == config.ExitDone:
			succeeded++
		case status != config.ExitFailed || !strings.Contains(r.log.String(), "run r"):
			t.Errorf("status %d: %s", status, r.log.String())
		}
	}
	if succeeded != 1 || !bytes.Equal(read(t, filepath.Join("runs", "r", "candidate.json")), want) {
		t.Errorf("%d of 2 processes played the run", succeeded)
	}
	checkIntegrity(t)
}
