package tuner

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that nobody reads and a device that never ends are outputs like others: they are not read first.
func TestReplaceReadsRegularFilesAlone(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, want string }{
		{pipe, "nobody reads the pipe"},
		{"/dev/full", "no space left"},
	} {
		t.Run(test.path, func(t *testing.T) {
			if err := replace(test.path, bytes.Repeat([]byte{0}, 1000)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
		})
	}
	if err := replace("/dev/zero", []byte("x")); err != nil {
		t.Error(err)
	}
}

// The values of an engine from outside go to a device, and their own form stands beside the candidate alone.
func TestNoFormIsWrittenBesideADevice(t *testing.T) {
	c, _ := outsideConfig(t, 2000, engineText)
	c.NoGate = true
	d := newRun(t, c).Delivery("/dev/null")
	folder := t.TempDir()
	err := d.Deliver(&Outcome{Path: filepath.Join(folder, "candidate.json"), File: []byte("{}"), Values: c.Tuned.File.Start()})
	if err != nil || !d.Done || filepath.Dir(d.Form) != folder {
		t.Errorf("done %v, form in %q, want it in %q: %v", d.Done, d.Form, folder, err)
	}
}

// A disk that takes no more leaves the file and its older .bak as they were.
func TestFailedReplaceKeepsTheOlderBackup(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "weights.json")
	for _, text := range []string{"first", "second"} {
		if err := replace(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	const full = 16 << 20    // bytes: longer than any other file that the process writes, such as the log of go test
	var limit syscall.Rlimit // of the length of files
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: full, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	failed := replace(path, make([]byte, full+1))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(failed, syscall.EFBIG) {
		t.Fatalf("error is %v, want %v", failed, syscall.EFBIG)
	}
	for name, want := range map[string]string{"weights.json": "second", "weights.json.bak": "first"} {
		if got, err := os.ReadFile(filepath.Join(folder, name)); string(got) != want {
			t.Errorf("%s holds %q, want %q: %v", name, got, want, err)
		}
	}
	if entries, err := os.ReadDir(folder); len(entries) != 2 {
		t.Errorf("the folder holds %v, want two files: %v", entries, err)
	}
}
