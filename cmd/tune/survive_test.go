//go:build (system || long) && unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quintune/internal/config"
)

// runArguments returns the arguments of a run of some seconds.
func runArguments(name string, more ...string) []string {
	run := append(quick("run", "--budget", "400games", "--seed", "5", "--workers", "2", "--out", "w.json", "--name", name), "--nodes", "500")
	return append(run, more...)
}

// wanted returns the candidate of an undisturbed run.
func (p program) wanted() []byte {
	p.t.Helper()
	p.start(runArguments("whole", "--quiet", "--out", "whole.json")...).done()
	return read(p.t, filepath.Join("runs", "whole", "candidate.json"))
}

// begun waits until a run has played some pairs.
func (r *process) begun(trace string) {
	r.t.Helper()
	if !r.until(func() bool { return lines(trace) > 20 }) {
		r.t.Fatalf("%v ended with status %d: %s", r.Args, r.status(), r.log.String())
	}
}

// startUnread starts a command, gives it an output, and stops reading that once the command has begun to write.
func (p program) startUnread(give func(c *exec.Cmd, output *os.File), args ...string) *process {
	p.t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	running := p.startWith(func(c *exec.Cmd) { give(c, writer) }, args...)
	if err := writer.Close(); err != nil {
		p.t.Fatal(err)
	}
	if _, err := reader.Read(make([]byte, 10)); err != nil {
		p.t.Fatal(err)
	}
	if err := reader.Close(); err != nil {
		p.t.Fatal(err)
	}
	return running
}

func TestAClosedTerminalDoesNotStopARun(t *testing.T) {
	p := built(t)
	want := p.wanted()
	running := p.startUnread(func(c *exec.Cmd, output *os.File) { c.Stdout, c.Stderr = output, output }, runArguments("closed", "--trace", "trace")...)
	running.begun("trace")
	if err := running.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if status := running.status(); status != config.ExitDone && status != config.ExitFailed {
		t.Errorf("status %d", status) // 0 or 1: only writing the result to the closed output may fail
	}
	checkBytes(t, filepath.Join("runs", "closed", "candidate.json"), want)
	if log := string(read(t, filepath.Join("runs", "closed", "log"))); !strings.Contains(log, "msg=ended") {
		t.Errorf("log:\n%s", log)
	}
}

// The worker and the server of a cluster go on, too, until they are told to end.
func TestAClosedTerminalStopsNoPartOfACluster(t *testing.T) {
	p := built(t)
	p.start("cluster", "init", "--hosts", "127.0.0.1").done()
	for _, args := range [][]string{{"worker", "--nats", "nats://127.0.0.1:1"}, {"cluster", "serve", "--listen-cluster", "127.0.0.1:0"}} {
		t.Run(args[0], func(t *testing.T) {
			running := program{t, p.path}.startUnread(func(c *exec.Cmd, output *os.File) { c.Stderr = output }, args...)
			for _, signal := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM} {
				if err := running.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
					t.Fatal(err)
				}
			}
			if status := running.status(); status != config.ExitDone {
				t.Errorf("status %d", status)
			}
		})
	}
}

func TestTheFirstInterruptSaves(t *testing.T) {
	p := built(t)
	want := p.wanted()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		name := signal.String()[:4]
		running := p.start(runArguments(name, "--trace", name+".trace")...)
		running.begun(name + ".trace")
		if err := running.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if status := running.status(); status != config.ExitInterrupted || !strings.Contains(running.log.String(), "tune resume "+name) {
			t.Fatalf("%v: status %d: %s", signal, status, running.log.String())
		}
		p.start("resume", "--workers", "1", "--quiet").done()
		checkBytes(t, filepath.Join("runs", name, "candidate.json"), want)
	}
}

// asleep stops a process for a while. As on a machine that sleeps, the clocks run on.
func (r *process) asleep(d time.Duration) {
	r.t.Helper()
	for _, signal := range []os.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := r.Process.Signal(signal); err != nil {
			r.t.Fatal(err)
		}
		if signal == syscall.SIGSTOP {
			time.Sleep(d)
		}
	}
}

// A sleep changes no result of a run. In a match with a clock, the pair in play is void and is played again.
func TestASleepVoidsOnlyTimedGames(t *testing.T) {
	p := built(t)
	want := p.wanted()
	running := p.start(runArguments("slept", "--trace", "trace")...)
	running.begun("trace")
	running.asleep(2 * time.Second)
	running.done()
	checkBytes(t, filepath.Join("runs", "slept", "candidate.json"), want)

	match := p.start("match", "huang", "zhang", "--pairs", "2", "--tc", "1s+1ms", "--size", "9", "--openings", "openings.txt",
		"--workers", "1", "--records", "m.jsonl", "--json")
	if !match.until(func() bool { return lines(hiddenRecords("m.jsonl")) > 1 }) {
		t.Fatalf("status %d: %s", match.status(), match.log.String())
	}
	match.asleep(4 * time.Second)
	match.done()
	o := object(t, match.out.String())
	if o["pairs"] != 2.0 || o["games"] != 4.0 || o["void"] != 0.0 {
		t.Errorf("%v", o)
	}
	if games := gamesIn(t, "m.jsonl"); len(games) != 4 && len(games) != 6 {
		t.Errorf("%d games: more than the one that slept was void", len(games))
	}
}

func TestTwoProcessesOnOneRunAndOnTwo(t *testing.T) {
	p := built(t)
	first := p.start(runArguments("one", "--trace", "trace")...)
	first.begun("trace")
	again := p.start("resume", "one")
	if status := again.status(); status != config.ExitFailed || !strings.Contains(again.log.String(), "run one is being played by another process") {
		t.Errorf("status %d: %s", status, again.log.String())
	}
	p.start(runArguments("two", "--quiet")...).done()
	first.done()
	if !bytes.Equal(read(t, filepath.Join("runs", "one", "candidate.json")), read(t, filepath.Join("runs", "two", "candidate.json"))) {
		t.Error("two processes play another run than one")
	}
}
