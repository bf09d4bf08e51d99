//go:build system || long

package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// TestKilledMatchIsTheSameMatch kills a match and a sequential test (-9) at random moments and continues each
// with the same command. With fixed nodes the result is that of an undisturbed match, and the database is sound.
func TestKilledMatchIsTheSameMatch(t *testing.T) {
	const times = 10
	p := built(t)
	for _, command := range []string{"match", "sprt"} {
		t.Run(command, func(t *testing.T) {
			args := []string{
				command, "huang", "zhang", "--pairs", "120", "--size", "9", "--nodes", "600", "--openings", "openings.txt",
				"--workers", "2", "--json",
			}
			if command == "sprt" {
				args = append(args, "--nelo", "0,2") // too close to be decided in so few pairs
			}
			began := time.Now()
			whole := p.start(append(args, "--runs", "whole-"+command)...)
			whole.done()
			took := time.Since(began)

			r := rand.New(rand.NewPCG(1, 9))
			killed := 0
			for range times {
				running := p.start(append(args, "--runs", "runs")...)
				time.Sleep(time.Duration(r.Int64N(int64(took) / 8)))
				err := running.Process.Kill()
				running.status()
				if errors.Is(err, os.ErrProcessDone) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				killed++
			}
			last := p.start(append(args, "--runs", "runs")...)
			last.done()
			checkIntegrity(t)
			if got, want := last.out.Bytes(), whole.out.Bytes(); !bytes.Equal(got, want) || len(want) == 0 {
				t.Errorf("after %d kills:\n%s\nwant\n%s", killed, got, want)
			}
			if killed < times/2 {
				t.Errorf("only %d of %d kills came before the end", killed, times)
			}
			t.Logf("%d kills in a match of %v: %s", killed, took, bytes.TrimSpace(last.log.Bytes()))
		})
	}
}
