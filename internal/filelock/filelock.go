// Package filelock locks files against other processes. The system lifts a lock when its process ends, in whatever way, so
// no lock is ever left behind.
package filelock

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// ErrHeld is the error of Hold and Take when the file is held.
var ErrHeld = errors.New("held by another process")

// Hold keeps an open file from other calls of Hold, until it is closed or the process ends. Calls of this process for the same path,
// opened once more, are others too. It does not wait: while the file is held, the error is ErrHeld. Where locks are not Supported it
// does nothing.
func Hold(f *os.File) error { return lockFile(f) }

// A process that only looks whether a file is held holds it for a moment. So Take tries this often, with this time between.
const (
	tries = 5
	pause = 10 * time.Millisecond
)

// Take opens the lock file at the path, which is made where it is not there, and holds it. While it is held already, the error is
// ErrHeld.
func Take(path string) (*os.File, error) {
	for n := 1; ; n++ {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		if err = Hold(f); err == nil && isAt(f, path) {
			return f, nil
		}
		if err = errors.Join(err, f.Close()); err == nil {
			err = ErrHeld // its holder has just deleted it
		}
		if n >= tries || !errors.Is(err, ErrHeld) {
			return nil, err
		}
		time.Sleep(pause)
	}
}

// Held reports whether a process holds the file at the path, be it this one. A file that cannot be opened is not held.
func Held(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(Hold(f), ErrHeld)
}

// isAt reports whether the file is still at the path: the process that held it before may have deleted it.
func isAt(f *os.File, path string) bool {
	own, err := f.Stat()
	there, gone := os.Stat(path)
	return err == nil && gone == nil && os.SameFile(own, there)
}

// Delete deletes a lock file that Take has opened, and closes it.
func Delete(f *os.File) error {
	left := os.Remove(f.Name()) // while it is held, so that nobody holds a file that is gone; Windows deletes no open file
	closed := f.Close()
	if left != nil {
		left = os.Remove(f.Name())
	}
	if errors.Is(left, fs.ErrNotExist) {
		left = nil
	}
	return errors.Join(closed, left)
}
