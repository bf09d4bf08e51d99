package tuner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// lockName is the file in a run's folder that the process holds which plays the run.
const lockName = "lock"

// ErrHeld is what Hold returns when another process holds the file.
var ErrHeld = errors.New("held by another process")

// Lock keeps other processes from playing a run. The system lifts it when its process ends, in whatever
// way, so that no lock is ever left behind.
type Lock struct{ f *os.File }

// LockRun takes the lock of a run. It is an error that names the run when there is none or when another
// process plays it.
func LockRun(runs, name string) (*Lock, error) {
	if err := checkRunName(name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(runs, name, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("tuner: there is no run %s in %s", name, runs)
	}
	if err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	err = Hold(f)
	if errors.Is(err, ErrHeld) {
		return nil, errors.Join(fmt.Errorf("tuner: run %s is being played by another process", name), f.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("tuner: locking run %s: %w", name, errors.Join(err, f.Close()))
	}
	return &Lock{f}, nil
}

// Hold keeps an open file from other processes that call Hold, until it is closed or the process ends. It does not
// wait: when another process has the file, the error is ErrHeld. On systems without such locks it does nothing.
func Hold(f *os.File) error { return lockFile(f) }

// Release gives the lock back.
func (l *Lock) Release() error { return l.f.Close() }
