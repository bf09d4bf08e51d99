package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"quintune/internal/config"
)

// The device /dev/full behaves like a full disk.
func TestAFullDiskOfAnExportNamesTheOutput(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--seed", "5", "--name", "r", "--no-gate")...)
	for _, args := range [][]string{
		{"export", "r", "--games", "jsonl", "-o", "/dev/full"},
		{"export", "r", "--games", "sgf", "-o", "/dev/full"},
		{"export", "r", "--format", "json", "-o", "/dev/full"},
	} {
		t.Run(args[3], func(t *testing.T) {
			var out, log bytes.Buffer
			err := execute(context.Background(), args, strings.NewReader(""), &out, &log)
			message := log.String()
			if config.Exit(err) != config.ExitFailed || !strings.Contains(message, "/dev/full is not written: ") || strings.Contains(message, "quintune.db") {
				t.Errorf("got status %d, want %d and the output's name alone: %s", config.Exit(err), config.ExitFailed, message)
			}
		})
	}
}
