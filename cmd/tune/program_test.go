//go:build system || long

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"quintune/internal/config"
	"quintune/internal/webui/browsertest"
)

// waitLimit is how long a test waits for a program before it fails.
const waitLimit = 30 * time.Minute

// program is the built program in a folder with openings.
type program struct {
	t    *testing.T
	path string
}

// TestMain removes the program at the end, or is a worker that sends false results.
func TestMain(m *testing.M) {
	if done, err := injectFaults(os.Args[min(2, len(os.Args)):]); done {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(config.ExitFailed)
		}
		return
	}
	status := browsertest.Tests{M: m}.Run()
	os.RemoveAll(programFolder)
	os.Exit(status)
}

// programFolder holds the built program, which is linked once for all tests. "" before the first one that needs it.
var programFolder string

func built(t *testing.T) program {
	t.Helper()
	name := "tune"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if programFolder == "" {
		folder, err := os.MkdirTemp("", "quintune-")
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "build", "-pgo=off", "-o", filepath.Join(folder, name), ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		programFolder = folder
	}
	inFolder(t)
	return program{t, filepath.Join(programFolder, name)}
}

// process is a started program.
type process struct {
	*exec.Cmd
	t        *testing.T
	out, log bytes.Buffer
	ended    chan error
}

// start starts the program.
func (p program) start(args ...string) *process {
	p.t.Helper()
	return p.startWith(func(*exec.Cmd) {}, args...)
}

// startWith starts the program after change has changed the command.
func (p program) startWith(change func(*exec.Cmd), args ...string) *process {
	p.t.Helper()
	r := &process{Cmd: exec.Command(p.path, args...), t: p.t, ended: make(chan error, 1)}
	r.Stdout, r.Stderr = &r.out, &r.log
	change(r.Cmd)
	if err := r.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = r.Process.Kill() }) // for a test that failed
	go func() { r.ended <- r.Wait() }()
	return r
}

// status waits for the end and returns the exit status.
func (r *process) status() int {
	r.t.Helper()
	select {
	case err := <-r.ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			r.t.Fatal(err)
		}
		return r.ProcessState.ExitCode()
	case <-time.After(waitLimit):
		r.t.Fatalf("%v has not ended", r.Args)
		return 0
	}
}

// done waits for the end, which must be successful.
func (r *process) done() {
	r.t.Helper()
	if status := r.status(); status != config.ExitDone {
		r.t.Fatalf("%v: status %d: %s", r.Args, status, r.log.String())
	}
}

// until waits until a condition holds. It returns false if the program ends first.
func (r *process) until(holds func() bool) bool {
	r.t.Helper()
	for end := time.Now().Add(waitLimit); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return true
		}
		select {
		case err := <-r.ended:
			r.ended <- err
			return false
		default:
		}
	}
	r.t.Fatalf("%v: nothing happens", r.Args)
	return false
}
