package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quintune/internal/config"
)

// slow returns arguments of games that take a while for some hundreds of them.
func slow(args ...string) []string {
	return append(args, "--pairs", "400", "--size", "9", "--nodes", "300", "--openings", "openings.txt", "--workers", "1")
}

// hiddenRecords returns the file in which records are until they are written to the path, "" for none.
func hiddenRecords(path string) string {
	files, err := filepath.Glob("." + path + ".*")
	if err != nil || len(files) == 0 {
		return ""
	}
	return files[0]
}

// runUntil runs a command line that writes records to a path, and interrupts it when the first game is recorded.
func runUntil(t *testing.T, path string, args []string) (out, log string, status int) {
	t.Helper()
	args = append(slices.Clone(args), "--records", path)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if lines(hiddenRecords(path)) > 0 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var o, l bytes.Buffer
	err := execute(ctx, args, strings.NewReader(""), &o, &l)
	if _, absent := os.Stat(path); absent == nil || hiddenRecords(path) != "" {
		t.Errorf("an interrupted match leaves %s", path+hiddenRecords(path))
	}
	return o.String(), l.String(), config.Exit(err)
}

func TestInterruptedMatchesShowTheirFigures(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		name string
		args []string
		want []string
	}{
		{"match", slow("match", "huang", "flat"), []string{"huang against flat: +", "--records match.jsonl` goes on with what is left.\n"}},
		{"gate", slow("gate", "huang", "zhang", "--sprt", "0,1"), []string{"\ninterrupted: LLR "}},
		{"validate", slow("validate", "huang", "--against", "flat"), []string{"huang against flat: +"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			records := test.name + ".jsonl"
			out, log, status := runUntil(t, records, test.args)
			if status != config.ExitInterrupted || !strings.Contains(log, "interrupted after ") || strings.Contains(out, "interrupted after ") {
				t.Errorf("%s: status %d: %s", test.name, status, log)
			}
			for _, want := range test.want {
				if !strings.Contains(out, want) {
					t.Errorf("%s: no %q in\n%s", test.name, want, out)
				}
			}
		})
	}
	out, _, _ := runUntil(t, "m.jsonl", slow("match", "huang", "flat", "--json"))
	if o := object(t, out); o["interrupted"] != true || o["games"].(float64) < 2 {
		t.Errorf("%v", o)
	}
}

// stoppedAtOnce executes a command in an empty folder that is interrupted from the beginning.
func stoppedAtOnce(t *testing.T, args ...string) (out, log string, err error) {
	t.Helper()
	inFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var written, logged bytes.Buffer
	err = execute(ctx, args, strings.NewReader(""), &written, &logged)
	return written.String(), logged.String(), err
}

// Without a finished pair there are no figures.
func TestInterruptedBeforeTheFirstPair(t *testing.T) {
	got, _, err := stoppedAtOnce(t, quick("match", "huang", "flat")...)
	if config.Exit(err) != config.ExitInterrupted || strings.Contains(got, "Elo") || !strings.Contains(got, "no pair was finished") || !strings.Contains(got, "Next: ") {
		t.Errorf("error %v:\n%s", err, got)
	}
}

// An interruption while the speed is measured leaves no run to go on with.
func TestInterruptedBeforeThereIsARun(t *testing.T) {
	out, log, err := stoppedAtOnce(t, quick("run", "--budget", "1h")...)
	if config.Exit(err) != config.ExitInterrupted || !strings.Contains(log, "interrupted before a run was stored: the same command begins it again") || out != "" {
		t.Errorf("error %v: %s%s", err, out, log)
	}
}

func TestInterruptedOpeningsAreNotWritten(t *testing.T) {
	_, log, err := stoppedAtOnce(t, "openings", "--count", "50", "--size", "9", "--out", "o.txt")
	if config.Exit(err) != config.ExitInterrupted || !strings.Contains(log, "interrupted: 0 of 50 openings were found") {
		t.Errorf("status %d: %s", config.Exit(err), log)
	}
	if _, err := os.Stat("o.txt"); err == nil {
		t.Error("a part of the openings was written")
	}
}
