package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"quintune/board"
	"quintune/internal/run"
	"quintune/selfplay"
)

// Sizes of a run's log. The file is rotated before it exceeds maxLog; oldLogs older files are kept.
const (
	maxLog  = 1 << 20 // bytes
	oldLogs = 3
)

// runLog is the log in a run's folder, independent of the terminal. It has a line for every closed step, for
// labels, for warnings, for the speed, and for the end.
type runLog struct {
	*slog.Logger
	file *rotating
}

func newRunLog(folder string) *runLog {
	f := &rotating{path: filepath.Join(folder, "log"), most: maxLog}
	return &runLog{slog.New(slog.NewTextHandler(f, nil)), f}
}

// event logs the events that get a log line.
func (l *runLog) event(e run.Event) {
	if logged(e) {
		l.Info(string(e.Stage), fields(e)...)
	}
}

// Close closes the file.
func (l *runLog) Close() error { return l.file.Close() }

// rotating is a log file that is rotated when it becomes too large: path is renamed to path.1, that to path.2,
// and so on. Safe for concurrent use.
type rotating struct {
	path string
	most int64 // bytes

	mu   sync.Mutex
	file *os.File // nil: not open
	size int64
}

// Write appends one line, also to a log that is too large and cannot be rotated.
func (r *rotating) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(); err != nil {
		return 0, err
	}
	var failed error
	if r.size > 0 && r.size+int64(len(line)) > r.most {
		if failed = r.rotate(); r.file == nil {
			return 0, failed
		}
		if failed != nil {
			r.most = 2 * r.size // to try again at each line would move the older logs each time
		}
	}
	n, err := r.file.Write(line)
	r.size += int64(n)
	return n, errors.Join(failed, err)
}

func (r *rotating) open() error {
	if r.file != nil {
		return nil
	}
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	r.file, r.size = f, info.Size()
	return nil
}

func (r *rotating) rotate() error {
	err := r.file.Close()
	r.file = nil
	for n := oldLogs; n > 0 && err == nil; n-- {
		err = os.Rename(r.old(n-1), r.old(n))
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	}
	return errors.Join(err, r.open())
}

// old returns the path of the n-th older log; 0 is the current one.
func (r *rotating) old(n int) string {
	if n == 0 {
		return r.path
	}
	return fmt.Sprintf("%s.%d", r.path, n)
}

// Close closes the file; another Write opens it again.
func (r *rotating) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

// trace appends a line to a file for every pair that the pool begins: purpose, number among the pairs still to be
// played, opening and seed, with tabs between. Without a path it does nothing. stop closes the file and returns
// the first error.
func trace(pool *selfplay.Pool, path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	failed := make(chan error, 1)
	pool.Begun = func(batch *selfplay.Batch, index int) {
		p := &batch.Pairings[index]
		_, err := fmt.Fprintf(f, "%s\t%d\t%s\t%d\n", batch.Purpose, index, board.FormatMoves(p.Opening), p.Seed)
		if err != nil {
			select {
			case failed <- err:
			default:
			}
		}
	}
	return func() error {
		select {
		case err = <-failed:
		default:
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("trace: %w", err)
		}
		return nil
	}, nil
}
