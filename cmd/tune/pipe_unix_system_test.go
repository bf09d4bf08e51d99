//go:build system && unix

package main

import (
	"os"
	"syscall"
	"testing"
	"time"

	"quintune/internal/config"
)

// A command that reads from a pipe to which nothing is written ends at the first interrupt.
func TestInterruptAtAPipe(t *testing.T) {
	p := built(t)
	if err := syscall.Mkfifo("pipe.json", 0o600); err != nil {
		t.Fatal(err)
	}
	var waiting []*process
	for _, args := range [][]string{{"import", "pipe.json"}, {"export", "./pipe.json"}, {"match", "huang", "zhang", "--openings", "pipe.json"}} {
		waiting = append(waiting, p.start(args...))
	}
	time.Sleep(time.Second) // so that they wait at the pipe
	for _, r := range waiting {
		if err := r.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	end := time.AfterFunc(4*interruptGrace, func() {
		for _, r := range waiting {
			_ = r.Process.Kill()
		}
	})
	defer end.Stop()
	for _, r := range waiting {
		if status := r.status(); status != config.ExitInterrupted {
			t.Errorf("%v: got status %d, want %d: %s", r.Args, status, config.ExitInterrupted, r.log.String())
		}
	}
}
