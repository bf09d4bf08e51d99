//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"quintune/internal/config"
)

func TestARunWhoseFolderIsDeletedFails(t *testing.T) {
	inFolder(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	deleted := make(chan error, 1)
	go func() {
		for lines := 0; lines < 5 && ctx.Err() == nil; time.Sleep(time.Millisecond) {
			trace, _ := os.ReadFile("trace") // missing before the first pair
			lines = bytes.Count(trace, []byte("\n"))
		}
		deleted <- os.RemoveAll("runs")
	}()
	var out, log bytes.Buffer
	err := execute(ctx, quick("run", "--budget", "200games", "--seed", "5", "--name", "r", "--trace", "trace", "--no-gate"), strings.NewReader(""), &out, &log)
	cancel()
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	if status := config.Exit(err); status != config.ExitFailed || !strings.Contains(log.String(), "the folder runs was deleted or replaced") {
		t.Errorf("got status %d, want %d and the folder's name: %s", status, config.ExitFailed, log.String())
	}
	if _, err := os.Stat("runs/r/candidate.json"); err != nil {
		t.Errorf("the candidate is lost: %v\n%s", err, out.String())
	}
}

// The token of the page is read once, since a pipe gives it once.
func TestTheTokenOfACheckpointMayComeFromAPipe(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--no-gate", "--name", "r")...)
	done(t, "export", "r", "-o", "c.json")
	for _, more := range []string{"--quiet", "--fork"} {
		t.Run(more, func(t *testing.T) {
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			_, err = writer.WriteString("0123456789abcdef0123456789abcdef\n")
			if err = errors.Join(err, writer.Close()); err != nil {
				t.Fatal(err)
			}
			done(t, "resume", "c.json", more, "--runs", "runs"+more, "--out", "c"+more+".json", "--listen", "127.0.0.1:0",
				"--token-file", fmt.Sprintf("/dev/fd/%d", reader.Fd()))
		})
	}
}
