//go:build system

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// build compiles the program under a name that makes it an engine, and returns its path.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "pbrain-quintune")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-pgo=off", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestInterrupt stops a thinking engine with Ctrl-C's signal.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(build(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "START 15\nINFO timeout_turn 60000\nBEGIN\nTURN 0,0\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(answers).ReadString('\n'); err != nil || line != "OK\n" {
		t.Fatalf("%q (%v)", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("the program ended with %v, want status 130", err)
	}
}
