// Package filelock locks files against other processes. The system lifts a lock when its process ends, in whatever way, so
// no lock is ever left behind.
package filelock

import (
	"errors"
	"os"
)

// ErrHeld is the error of Hold when another process holds the file.
var ErrHeld = errors.New("held by another process")

// Hold keeps an open file from other processes that call Hold, until it is closed or the process ends. It does not
// wait: when another process has the file, the error is ErrHeld. On systems without such locks it does nothing.
func Hold(f *os.File) error { return lockFile(f) }
