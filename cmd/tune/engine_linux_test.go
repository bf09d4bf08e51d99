//go:build system

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// After kill -9 no engine process is left, however values are passed, and the resumed run continues where it
// was.
func TestKilledRunLeavesNoEngine(t *testing.T) {
	dir := brainFolder(t)
	p := built(t)
	for _, pass := range []string{"params", "template"} {
		t.Run(pass, func(t *testing.T) {
			file := filepath.Join(dir, pass+".yaml")
			run := p.start(quick("run", "--engine", file, "--budget", "1500games", "--name", pass, "--out", pass+".json", "--quiet")...)
			waitFor(t, "engines at work in the stored run", func() bool {
				_, err := os.Stat(filepath.Join("runs", pass))
				return err == nil && len(running(t, dir)) >= 2
			})
			if err := run.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			run.status()
			waitFor(t, "the end of all engines", func() bool { return len(running(t, dir)) == 0 })
			resumed := p.start("resume", pass, "--engine", file, "--quiet", "--json")
			if status := resumed.status(); status != 0 {
				t.Fatalf("status %d: %s", status, resumed.log.String())
			}
			if o := object(t, resumed.out.String()); o["verdict"] != "proven gain" {
				t.Errorf("%s: the verdict is %v", pass, o["verdict"])
			}
			if left := running(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// running returns the processes whose program is in the folder.
func running(t *testing.T, dir string) []string {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, link := range links {
		if program, err := os.Readlink(link); err == nil && strings.HasPrefix(program, dir) {
			found = append(found, link)
		}
	}
	return found
}
