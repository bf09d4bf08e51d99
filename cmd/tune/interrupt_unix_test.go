//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"quintune/internal/config"
)

// stubborn is the environment variable that makes the test program save for ever.
const stubborn = "QUINTUNE_TEST_STUBBORN"

// A second interrupt within a second of the first is the same one.
func TestTheSecondInterruptEndsAtOnce(t *testing.T) {
	if os.Getenv(stubborn) != "" {
		ctx := config.Interruptible(os.Interrupt, syscall.SIGTERM)
		fmt.Println("begun")
		<-ctx.Done()
		fmt.Println("saving")
		time.Sleep(1100 * time.Millisecond)
		fmt.Println("still saving")
		time.Sleep(time.Hour)
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		program := exec.Command(os.Args[0], "-test.run=^TestTheSecondInterruptEndsAtOnce$")
		program.Env = append(os.Environ(), stubborn+"=1")
		out, err := program.StdoutPipe()
		if err == nil {
			err = program.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		said := bufio.NewScanner(out)
		for _, want := range []string{"begun", "saving", "still saving"} {
			if !said.Scan() || said.Text() != want {
				t.Errorf("%v: %q, want %q", signal, said.Text(), want)
			}
			if err := program.Process.Signal(signal); err != nil {
				t.Error(err)
			}
		}
		_ = program.Wait()
		if status := program.ProcessState.ExitCode(); status != config.ExitInterrupted {
			t.Errorf("%v: status %d", signal, status)
		}
	}
}
