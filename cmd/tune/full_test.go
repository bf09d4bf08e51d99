//go:build (system || long) && linux

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quintune/internal/config"
)

// smallDisk mounts a disk of the given size as the folder of all runs. It needs root.
func smallDisk(t *testing.T, size string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a disk needs root")
	}
	if err := os.MkdirAll("runs", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", "runs", "tmpfs", 0, "size="+size); err != nil {
		t.Fatalf("mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount("runs", syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// fill fills the disk.
func fill(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join("runs", "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 16; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return path
}

func TestAFullDiskStopsARunThatGoesOnWithRoom(t *testing.T) {
	p := built(t)
	smallDisk(t, "8m")
	want := p.wanted()
	running := p.start(runArguments("full", "--trace", "trace")...)
	running.begun("trace")
	if !strings.Contains(running.log.String(), "the disk may become full") {
		t.Errorf("no warning of little room: %s", running.log.String())
	}
	filler := fill(t)
	if status := running.status(); status != config.ExitFailed || !strings.Contains(running.log.String(), "the disk is full") ||
		!strings.Contains(running.log.String(), "tune resume full") {
		t.Fatalf("status %d: %s", status, running.log.String())
	}
	again := p.start("resume", "full")
	if status := again.status(); status != config.ExitFailed || !strings.Contains(again.log.String(), "the disk is full") {
		t.Errorf("resumed without room: status %d: %s", status, again.log.String())
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p.start("resume", "full", "--quiet").done()
	checkBytes(t, filepath.Join("runs", "full", "candidate.json"), want)
	checkIntegrity(t)
}

// When the disk is full, at the beginning of a run or later, the message says so. Once there is space again the
// run ends with the same bytes.
func TestDisksOfFiveSizes(t *testing.T) {
	p := built(t)
	command := func(name string) []string {
		return quick("run", "--budget", "400games", "--seed", "5", "--no-gate", "--quiet", "--name", name, "--out", name+".json")
	}
	p.start(append(command("whole"), "--runs", "elsewhere")...).done()
	want := read(t, filepath.Join("elsewhere", "whole", "candidate.json"))
	for _, size := range []string{"64k", "192k", "256k", "384k", "512k"} {
		t.Run(size, func(t *testing.T) {
			p := program{t, p.path}
			smallDisk(t, size)
			full := p.start(command("r" + size)...)
			if status := full.status(); status != config.ExitFailed || !strings.Contains(full.log.String(), "full") && !strings.Contains(full.log.String(), "no space left") {
				t.Errorf("status %d: %s", status, full.log.String())
			}
			t.Log(strings.TrimSpace(full.log.String()))
			if err := syscall.Mount("", "runs", "", syscall.MS_REMOUNT, "size=32m"); err != nil {
				t.Fatal(err)
			}
			again := p.start("resume", "r"+size, "--quiet")
			if status := again.status(); status != config.ExitDone {
				if !strings.Contains(again.log.String(), "there is no run") {
					t.Fatalf("with room: status %d: %s", status, again.log.String())
				}
				p.start(command("r" + size)...).done()
			}
			checkBytes(t, filepath.Join("runs", "r"+size, "candidate.json"), want)
			checkIntegrity(t)
		})
	}
}

func TestAReadOnlyDiskIsRefusedAndCanBeRead(t *testing.T) {
	p := built(t)
	smallDisk(t, "8m")
	p.start(runArguments("r", "--quiet", "--no-gate", "--out", "r.json")...).done()
	if err := syscall.Mount("", "runs", "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{runArguments("s"), {"resume", "r", "--budget", "600games"}} {
		refused := p.start(args...)
		if status := refused.status(); status != config.ExitFailed || !strings.Contains(refused.log.String(), "read-only") {
			t.Errorf("%v: status %d: %s", args, status, refused.log.String())
		}
	}
	list := p.start("list")
	list.done()
	if !strings.Contains(strings.Join(strings.Fields(list.out.String()), " "), " r 400 of 400 done ") {
		t.Errorf("%s", list.out.String())
	}
}
