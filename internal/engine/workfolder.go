package engine

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"quintune/internal/filelock"
)

// workFolder holds the folders of a host's engines. Its lock shows that it is in use, so folders of killed
// processes can be recognised.
type workFolder struct {
	path string
	lock *os.File
}

const (
	workPrefix = "quintune-engine-"
	lockName   = "lock"
	// leastAge is the age below which a folder is left alone: it may not have its lock yet.
	leastAge = time.Minute
)

// newWorkFolder makes a folder among the temporary ones, and removes those of processes that were killed.
func newWorkFolder(temporary string) (*workFolder, error) {
	if filelock.Supported { // else folders in use look as those of killed processes
		removeStale(temporary)
	}
	path, err := os.MkdirTemp(temporary, workPrefix)
	if err != nil {
		return nil, err
	}
	w := &workFolder{path: path}
	if w.lock, err = os.Create(filepath.Join(path, lockName)); err == nil {
		err = filelock.Hold(w.lock)
	}
	if err != nil {
		return nil, errors.Join(err, w.remove())
	}
	return w, nil
}

// remove ends the use of the folder; of none it does nothing.
func (w *workFolder) remove() error {
	if w == nil {
		return nil
	}
	if w.lock != nil {
		_ = w.lock.Close() // nothing was written
	}
	return os.RemoveAll(w.path)
}

// removeStale removes the folders that no process has locked. Folders that cannot be removed, such as another
// user's, stay. A lock that is not a file, such as a named pipe that another user made, is not opened.
func removeStale(temporary string) {
	found, _ := filepath.Glob(filepath.Join(temporary, workPrefix+"*")) // the pattern is a sound one
	for _, path := range found {
		name := filepath.Join(path, lockName)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) <= leastAge {
			continue
		}
		lock, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // does not wait where it has become a pipe meanwhile
		if err != nil {
			continue
		}
		stale := filelock.Hold(lock) == nil
		lock.Close()
		if stale {
			_ = os.RemoveAll(path)
		}
	}
}
