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
	"strings"
	"testing"
	"time"
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

// piped starts a program and returns its standard input and output.
func piped(t *testing.T, cmd *exec.Cmd) (in io.Writer, out io.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// TestInterrupt stops a thinking engine with Ctrl-C's signal.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(build(t))
	in, answers := piped(t, cmd)
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

// TestStopOnOneProcessor stops the second search of a process whose Go runtime has one processor, and one whose threads
// search on all processors.
func TestStopOnOneProcessor(t *testing.T) {
	program := build(t)
	for _, test := range []struct{ name, processors, info string }{
		{"one", "1", ""},
		{"a thread on each of two", "2", "INFO thread_num 2\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "GOMAXPROCS="+test.processors)
			in, out := piped(t, cmd)
			lines := bufio.NewScanner(out)
			answer := func() string {
				for lines.Scan() {
					if !strings.HasPrefix(lines.Text(), "MESSAGE ") {
						return lines.Text()
					}
				}
				return "end of output"
			}
			say := func(text string) {
				if _, err := io.WriteString(in, text); err != nil {
					t.Fatal(err)
				}
			}
			say("START 15\n" + test.info + "INFO timeout_turn 60000\nBEGIN\n")
			if ok, move := answer(), answer(); ok != "OK" || move != "7,7" {
				t.Fatalf("START and BEGIN got %q, %q", ok, move)
			}
			say("TURN 0,0\n")
			time.Sleep(500 * time.Millisecond) // the search is under way
			asked := time.Now()
			say("YXSTOP\n")
			if move := answer(); !strings.Contains(move, ",") || time.Since(asked) > 20*time.Second {
				t.Errorf("YXSTOP got %q after %v", move, time.Since(asked))
			}
			say("END\n")
			if err := cmd.Wait(); err != nil {
				t.Errorf("END: %v", err)
			}
		})
	}
}
