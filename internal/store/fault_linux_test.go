package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Where a process may open no more files, the error says so, and not that the database is not permitted.
func TestTooManyOpenFiles(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	few := before
	few.Cur = 64
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Fatal(err)
		}
	}()
	var open []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if errors.Is(err, syscall.EMFILE) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		open = append(open, f)
	}
	for free := range 2 { // with one the database can be opened, but not its log
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "as many open files as it may") {
			t.Errorf("with %d files free: error %v", free, err)
		}
		open[free].Close()
	}
}

// Where a process may make no file as large as the database, the error says so, whichever of its files it is.
func TestTooLargeAFile(t *testing.T) {
	for _, kilobytes := range []uint64{1, 40, 64} {
		t.Run(fmt.Sprint(kilobytes), func(t *testing.T) {
			var before syscall.Rlimit
			if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
				t.Fatal(err)
			}
			small := before
			small.Cur = kilobytes << 10
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			_, err := Open(dir)
			if again := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); again != nil {
				t.Fatal(again)
			}
			if err == nil || !strings.Contains(err.Error(), "ulimit -f") {
				t.Errorf("error %v", err)
			}
			if left, err := filepath.Glob(filepath.Join(dir, ".size-*")); err != nil || len(left) > 0 {
				t.Errorf("%q are left, error %v", left, err)
			}
		})
	}
}
