package runfolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"quintune/internal/atomicfile"
	"quintune/internal/filelock"
	"quintune/internal/journal"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/internal/strictjson"
	"quintune/selfplay"
)

// Folder is the Store of a run that this process plays: its rows in the database, and its own folder, whose lock
// keeps other processes from playing it.
type Folder struct {
	path    string
	lock    *os.File // keeps other processes from playing the run until it is closed, or this process ends in any way
	session *store.Session

	spec run.Spec // of the run
}

// Create begins a new run. Where the name is taken the error wraps fs.ErrExist.
func (r *Runs) Create(name string, record run.Record) (*Folder, error) {
	return r.create(name, record, nil, nil)
}

// create adds a run with its state and the file of what it recommends, both nil before the first closed step.
func (r *Runs) create(name string, record run.Record, state *run.State, candidate []byte) (*Folder, error) {
	if err := r.CheckNew(name); err != nil {
		return nil, err
	}
	lock, err := r.lock(name)
	if err != nil {
		return nil, err
	}
	f := &Folder{path: r.Folder(name), lock: lock, spec: record.Spec}
	if f.session, err = r.begin(name, record, state, candidate); err != nil {
		release := lock.Close
		if !errors.Is(err, fs.ErrExist) { // nothing is stored: a folder that holds the lock alone is left by this
			release = func() error { return filelock.Delete(lock) }
			defer func() { _ = os.Remove(f.path) }()
		}
		return nil, errors.Join(fmt.Errorf("runfolder: run %s: %w", name, err), release())
	}
	return f, nil
}

func (r *Runs) begin(name string, record run.Record, state *run.State, candidate []byte) (*store.Session, error) {
	row, err := record.Summary(name)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	var stateData []byte
	if state != nil {
		row.Progress = state.Progress()
		if stateData, err = json.Marshal(state); err != nil {
			return nil, err
		}
	}
	return r.db.Begin(store.KindRun, row, data, stateData, candidate)
}

// Hold locks a stored run, so that no other process plays it, and returns what the last process stored of it.
// Resume continues it.
func (r *Runs) Hold(name string) (*Folder, *Stored, error) {
	_, lock, err := r.locking(name)
	if err != nil {
		return nil, nil, err
	}
	s, err := r.Load(name)
	if err != nil {
		return nil, nil, errors.Join(err, lock.Close())
	}
	return &Folder{path: r.Folder(name), lock: lock}, s, nil
}

// Resume continues a run that Hold has locked. The record replaces the stored one.
func (f *Folder) Resume(r *Runs, record run.Record) error {
	row, err := r.db.Run(f.Name())
	if err != nil {
		return err
	}
	changed, err := record.Summary(f.Name())
	if err != nil {
		return err
	}
	row.Hash, row.Budget = changed.Hash, changed.Budget
	data, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("runfolder: run %s: %w", f.Name(), err)
	}
	f.spec = record.Spec
	f.session, err = r.db.Resume(row, data)
	return err
}

// Name returns the name of the run.
func (f *Folder) Name() string { return filepath.Base(f.path) }

// Path returns the run's own folder.
func (f *Folder) Path() string { return f.path }

// Release lets other processes play the run.
func (f *Folder) Release() error { return f.lock.Close() }

// Runner returns a runner that keeps finished pairs; see Store.
func (f *Folder) Runner(inner selfplay.Runner) selfplay.Runner { return f.session.Runner(inner) }

// Ahead returns a runner that keeps finished pairs of a later step; see Store.
func (f *Folder) Ahead(number int, inner selfplay.Runner) selfplay.Runner {
	return f.session.Ahead(number, inner)
}

// Ledger returns the record of which worker of a cluster played which pair. A ledger of an older version, in files,
// is refused.
func (f *Folder) Ledger() (*store.Ledger, error) {
	old := filepath.Join(f.path, "cluster")
	if _, err := os.Stat(filepath.Join(old, "000000.batch")); err == nil {
		return nil, fmt.Errorf("runfolder: %s is the ledger of an older version: end the run with that version, or delete the folder to believe what its workers have sent", old)
	}
	return f.session.Ledger(), nil
}

// Forget drops the pairs of the open step and of later ones.
func (f *Folder) Forget() error { return f.session.Forget() }

// SaveState closes a step.
func (f *Folder) SaveState(s run.State, closed *run.Generation) error {
	step := store.Step{State: &s, Generation: closed}
	if closed != nil {
		parameters, err := f.spec.Parameters()
		if err != nil {
			return fmt.Errorf("runfolder: run %s: %w", f.Name(), err)
		}
		for i := range parameters {
			step.Parameters = append(step.Parameters, parameters[i].Name)
		}
	}
	return f.session.CloseStep(step)
}

// SaveResult keeps a file in the database, and writes it to name.json in the run's folder, whose path it returns.
func (f *Folder) SaveResult(name string, file []byte) (string, error) {
	if err := f.session.SaveSet(name, file); err != nil {
		return "", err
	}
	if err := os.MkdirAll(f.path, 0o755); err != nil {
		return "", fmt.Errorf("runfolder: run %s: %w", f.Name(), err)
	}
	path := filepath.Join(f.path, name+".json")
	return path, atomicfile.Write(path, file)
}

var runName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

func checkRunName(name string) error {
	if !runName.MatchString(name) {
		return fmt.Errorf("runfolder: the run's name %.120q is not 1 to 100 of A-Z a-z 0-9 . _ -, a letter or digit first", name)
	}
	if strings.HasPrefix(name, store.FileName) {
		return fmt.Errorf("runfolder: the run's name %s begins like the files of the database, beside which its folder would be", name)
	}
	return nil
}

// lockName is the file in a run's folder that is locked by the process that plays the run.
const lockName = "lock"

// lock takes the lock of a stored run, whose folder may have been deleted. Where another process plays the run the error says so.
func (r *Runs) lock(name string) (*os.File, error) {
	if err := checkRunName(name); err != nil { // the database may come from elsewhere
		return nil, err
	}
	if err := os.MkdirAll(r.Folder(name), 0o755); err != nil {
		return nil, fmt.Errorf("runfolder: run %s: %w", name, err)
	}
	f, err := filelock.Take(filepath.Join(r.Folder(name), lockName))
	switch {
	case errors.Is(err, filelock.ErrHeld):
		return nil, journal.Busy(store.KindRun, name)
	case err != nil:
		return nil, fmt.Errorf("runfolder: locking run %s: %w", name, err)
	}
	return f, nil
}

// deleteFolder deletes the folder of the run with the lock, and gives that back last: another process may take the name at once.
func deleteFolder(lock *os.File) error {
	folder := filepath.Dir(lock.Name())
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if e.Name() != lockName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, e.Name())))
		}
	}
	err = errors.Join(err, filelock.Delete(lock))
	_ = os.Remove(folder) // unless another process has begun a run there
	return err
}

// mark is a state of a run with the number of steps that were closed by then.
type mark struct {
	Steps int       `json:"steps"`
	State run.State `json:"state"`
}

// Mark returns the state with the number of closed steps, to come back to with Rewind.
func (f *Folder) Mark(s run.State) ([]byte, error) {
	data, err := json.Marshal(mark{f.session.Run().Steps, s})
	if err != nil {
		return nil, fmt.Errorf("runfolder: the state of run %s: %w", f.Name(), err)
	}
	return data, nil
}

// Rewind goes back to a mark, as if no later step had been played, and returns its state.
func (f *Folder) Rewind(marked []byte) (run.State, error) {
	var m mark
	if err := strictjson.Decode(marked, &m); err != nil {
		return run.State{}, fmt.Errorf("runfolder: run %s: %w", f.Name(), err)
	}
	return m.State, f.session.Rewind(m.Steps, &m.State)
}
