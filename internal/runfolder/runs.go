// Package runfolder keeps runs: one database for a folder of runs, and a folder for each run's weights files, log and lock.
// It begins, holds, lists, forks and deletes runs, closes their steps, and reads and writes checkpoints and tables of weights.
package runfolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"quintune/internal/atomicfile"
	"quintune/internal/filelock"
	"quintune/internal/match"
	"quintune/internal/record"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/internal/strictjson"
	"quintune/pattern"
)

// DefaultDir is the folder of runs where none is named.
const DefaultDir = "runs"

// Runs is a folder of runs: the database of all, and a folder for each one's weights files, log and lock.
type Runs struct {
	dir string
	db  *store.DB // nil: there is none yet

	written os.FileInfo // the database's file, for noticing that it was deleted; nil: opened for reading
}

// Open returns the runs of a folder, to play. What is not there yet is made.
func Open(dir string) (*Runs, error) {
	db, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	written, err := os.Stat(db.Path())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("runfolder: %w", err), db.Close())
	}
	return &Runs{dir, db, written}, nil
}

// OpenToRead returns the runs of a folder, to look at. A folder without a database has none.
func OpenToRead(dir string) (*Runs, error) {
	db, err := store.OpenToRead(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &Runs{dir: dir}, nil
	}
	if err != nil {
		return nil, err
	}
	return &Runs{dir: dir, db: db}, nil
}

// Close closes the database. It is an error if the file has been deleted or replaced since Open, because
// everything written is then lost.
func (r *Runs) Close() error {
	if r.db == nil {
		return nil
	}
	var gone error
	if r.written != nil {
		if now, err := os.Stat(r.db.Path()); err != nil || !os.SameFile(now, r.written) {
			gone = fmt.Errorf("runfolder: the folder %s was deleted or replaced meanwhile: what was stored there is lost, and nothing can be resumed", r.dir)
		}
	}
	return errors.Join(gone, r.db.Close())
}

// DB returns the database, nil where there is none yet.
func (r *Runs) DB() *store.DB { return r.db }

// Folder returns the path of a run's own folder.
func (r *Runs) Folder(name string) string { return filepath.Join(r.dir, name) }

// Status of runs in a list.
const (
	StatusDone    = "done"
	StatusOpen    = "open"    // something is left to be played
	StatusPlaying = "playing" // by a process, now
)

// Listed is a run in a list.
type Listed struct {
	run.Summary
	run.Judgement
	Status string `json:"status"` // "done", "open" or "playing", or why it cannot be read
}

// OldFormat reports whether an older program has stored the run, which cannot be read: only name and status are known.
func (l Listed) OldFormat() bool { return l.Status == oldFormat }

// List returns the runs in the order in which they were begun or last resumed, and after them the folders of
// runs that an older program has stored.
func (r *Runs) List() ([]Listed, error) {
	list := []Listed{}
	if r.db != nil {
		rows, err := r.db.Runs()
		if err != nil {
			return nil, err
		}
		for i := range rows {
			judged, err := r.db.Judgement(rows[i])
			if err != nil {
				return nil, err
			}
			list = append(list, Listed{rows[i].Summary, judged, r.Status(&rows[i])})
		}
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("runfolder: %w", err)
	}
	for _, e := range entries {
		stored := slices.ContainsFunc(list, func(s Listed) bool { return s.Name == e.Name() })
		if !stored && r.old(e.Name()) {
			list = append(list, Listed{Summary: run.Summary{Name: e.Name()}, Status: oldFormat})
		}
	}
	return list, nil
}

// Status returns the status of a stored run.
func (r *Runs) Status(row *store.Run) string {
	switch {
	case row.Done:
		return StatusDone
	case r.locked(row.Name):
		return StatusPlaying
	}
	return StatusOpen
}

// locked reports whether a process plays the run now.
func (r *Runs) locked(name string) bool {
	return filelock.Held(filepath.Join(r.Folder(name), lockName))
}

// oldFormat is the status of a run that is stored as a folder of files.
const oldFormat = "stored by an older program, which alone can go on with it"

// old reports whether a folder holds a run of the format before the database.
func (r *Runs) old(name string) bool {
	_, err := os.Stat(filepath.Join(r.Folder(name), "run.json"))
	return err == nil
}

// Stored is what is stored of a run.
type Stored struct {
	Row    store.Run
	Record run.Record
	State  run.State // after the last closed step, zero before the first; reopened by a budget that the run has got since
}

// Load returns what is stored of a run.
func (r *Runs) Load(name string) (*Stored, error) {
	row, err := r.Row(name)
	if err != nil {
		return nil, err
	}
	s := &Stored{Row: row}
	data, err := r.db.Record(row)
	if err != nil {
		return nil, err
	}
	if err = strictjson.Decode(data, &s.Record); err == nil {
		err = s.Record.CheckFormat()
	}
	if err != nil {
		return nil, fmt.Errorf("runfolder: run %s: %w", name, err)
	}
	if data, err = r.db.State(row); err != nil || data == nil {
		return s, err
	}
	if err := strictjson.Decode(data, &s.State); err != nil {
		return nil, fmt.Errorf("runfolder: the state of run %s: %w", name, err)
	}
	s.State.Reopen(len(s.Record.Spec.Extended))
	return s, nil
}

// Size returns how many bytes the database has, with its write-ahead log.
func (r *Runs) Size() int64 {
	var size int64
	for _, path := range []string{r.db.Path(), r.db.Path() + "-wal"} {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	return size
}

// Check looks for damage in the database, unless it is so large that this takes minutes.
func (r *Runs) Check() error {
	info, err := os.Stat(r.db.Path())
	if err != nil || info.Size() > mostChecked {
		return err
	}
	return r.db.Check()
}

// mostChecked is the size of a database that is looked through before a run is resumed, bytes.
const mostChecked = 512 << 20

// remove deletes a run with all that is stored of it: its folder, too. A run that is being played is refused.
func (r *Runs) remove(name string) error {
	row, lock, err := r.locking(name)
	if err != nil {
		return err
	}
	if err := r.db.DeleteRun(row); err != nil {
		return errors.Join(err, lock.Close())
	}
	if err := deleteFolder(lock); err != nil {
		return fmt.Errorf("runfolder: run %s: %w", name, err)
	}
	return nil
}

// removeGames deletes the games of a run that no resume needs. A run that is being played is refused.
func (r *Runs) removeGames(name string) error {
	row, lock, err := r.locking(name)
	if err != nil {
		return err
	}
	return errors.Join(r.db.DeleteGames(row), lock.Close())
}

// locking returns a stored run with its lock: no other process plays it meanwhile. It is read under the lock: before, another process
// may have deleted it, and its number may be that of another run.
func (r *Runs) locking(name string) (row store.Run, lock *os.File, err error) {
	if _, err := r.Row(name); err != nil {
		return row, nil, err
	}
	if lock, err = r.lock(name); err != nil {
		return row, nil, err
	}
	row, err = r.Row(name)
	switch {
	case errors.Is(err, store.ErrNoRun):
		return row, nil, errors.Join(err, deleteFolder(lock))
	case err != nil:
		return row, nil, errors.Join(err, lock.Close())
	}
	return row, lock, nil
}

// Games hands the stored games of a run to do, each with its place in the run, in the order in which they were asked for.
// It stops at do's error and returns it. do must not use the database.
func (r *Runs) Games(name string, do func(*record.Game, store.Key) error) error {
	row, err := r.Row(name)
	if err != nil {
		return err
	}
	rule, err := pattern.ParseRule(row.Rule)
	if err != nil {
		return fmt.Errorf("runfolder: run %s: %w", name, err)
	}
	read := false
	err = r.db.Games(row, func(g *store.Game) error {
		read = true
		game := match.Record(&g.Game, rule, row.Size, g.Players, g.Opening)
		game.Event = g.Purpose + ", " + g.Key.String()
		return do(&game, g.Key)
	})
	if err == nil && !read && row.Progress.Games > 0 {
		err = fmt.Errorf("runfolder: the games of run %s are not here: they were deleted, as by `tune prune --games`, or played on another machine", name)
	}
	return err
}

// sensitivityFile is the file in a run's folder that keeps its last sensitivity.
const sensitivityFile = "sensitivity.json"

// SaveSensitivity keeps the sensitivity of a run in its folder, for reports.
func (r *Runs) SaveSensitivity(name string, s *run.Sensitivity) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("runfolder: the sensitivity of run %s: %w", name, err)
	}
	if err := os.MkdirAll(r.Folder(name), 0o755); err != nil {
		return fmt.Errorf("runfolder: run %s: %w", name, err)
	}
	return atomicfile.Write(filepath.Join(r.Folder(name), sensitivityFile), append(data, '\n'))
}

// Sensitivity returns what SaveSensitivity has kept of a run as it is now, nil where nothing was. outdated reports
// whether something was kept, but the run has gone on since.
func (r *Runs) Sensitivity(of *Stored) (s *run.Sensitivity, outdated bool, err error) {
	path := filepath.Join(r.Folder(of.Row.Name), sensitivityFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	s = new(run.Sensitivity)
	if err == nil {
		err = strictjson.Decode(data, s)
	}
	if err != nil {
		return nil, false, fmt.Errorf("runfolder: %s: %w", path, err)
	}
	id, err := of.Record.Spec.ID()
	if err == nil && (s.Run != id || s.Steps > 0 && s.Steps != of.Row.Steps) {
		return nil, true, nil
	}
	return s, false, err
}
