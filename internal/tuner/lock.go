package tuner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quintune/internal/filelock"
)

// lockName is the file in a run's folder that the process holds which plays the run.
const lockName = "lock"

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
	err = filelock.Hold(f)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, errors.Join(fmt.Errorf("tuner: run %s is being played by another process", name), f.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("tuner: locking run %s: %w", name, errors.Join(err, f.Close()))
	}
	return &Lock{f}, nil
}

// Release gives the lock back.
func (l *Lock) Release() error { return l.f.Close() }
