package tuner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quintune/internal/match"
	"quintune/internal/stats"
	"quintune/internal/store"
	"quintune/selfplay"
	"quintune/weights"
)

// Folder is the Store of a run that this process plays: its rows in the database, and its own folder, whose lock
// keeps other processes from playing it.
type Folder struct {
	path    string
	lock    *Lock
	session *store.Session
}

// Create begins a new run. Where the name is taken the error wraps fs.ErrExist.
func (r *Runs) Create(name string, record Record) (*Folder, error) {
	return r.create(name, record, nil)
}

// create adds a run with its state, nil before the first closed step.
func (r *Runs) create(name string, record Record, state *State) (*Folder, error) {
	if err := checkRunName(name); err != nil {
		return nil, err
	}
	if r.old(name) {
		return nil, fmt.Errorf("tuner: run %s: %w", name, fs.ErrExist)
	}
	lock, err := r.lock(name)
	if err != nil {
		return nil, err
	}
	f := &Folder{path: r.Folder(name), lock: lock}
	if f.session, err = r.begin(name, record, state); err != nil {
		return nil, errors.Join(fmt.Errorf("tuner: run %s: %w", name, err), lock.Release())
	}
	return f, nil
}

func (r *Runs) begin(name string, record Record, state *State) (*store.Session, error) {
	row, err := record.row(name)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	if state == nil {
		return r.db.Begin(row, data)
	}
	row.Progress = state.progress()
	stateData, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	return r.db.Import(row, data, stateData)
}

// Hold takes a stored run, so that no other process plays it, and returns what is stored of it: what the last
// process has left. Resume goes on with it.
func (r *Runs) Hold(name string) (f *Folder, record Record, state State, err error) {
	if _, err := r.Row(name); err != nil {
		return nil, record, state, err
	}
	lock, err := r.lock(name)
	if err != nil {
		return nil, record, state, err
	}
	if _, record, state, err = r.Load(name); err != nil {
		return nil, record, state, errors.Join(err, lock.Release())
	}
	return &Folder{path: r.Folder(name), lock: lock}, record, state, nil
}

// Resume goes on with a run that is held. The record replaces the stored one.
func (f *Folder) Resume(r *Runs, record Record) error {
	row, err := r.db.Run(f.Name())
	if err != nil {
		return err
	}
	changed, err := record.row(f.Name())
	if err != nil {
		return err
	}
	row.Hash, row.Budget = changed.Hash, changed.Budget
	data, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("tuner: run %s: %w", f.Name(), err)
	}
	f.session, err = r.db.Resume(row, data)
	return err
}

// Name returns the name of the run.
func (f *Folder) Name() string { return filepath.Base(f.path) }

// Path returns the run's own folder.
func (f *Folder) Path() string { return f.path }

// Release lets other processes play the run.
func (f *Folder) Release() error { return f.lock.Release() }

// Runner returns a runner that keeps finished pairs; see Store.
func (f *Folder) Runner(inner selfplay.Runner) selfplay.Runner { return f.session.Runner(inner) }

// Forget drops the pairs of the open step.
func (f *Folder) Forget() error { return f.session.Forget() }

// SaveState closes a step.
func (f *Folder) SaveState(s State, closed *store.Generation) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("tuner: the state of run %s: %w", f.Name(), err)
	}
	step := store.Step{Progress: s.progress(), State: data, Generation: closed}
	if closed != nil {
		for _, d := range weights.Declarations() {
			step.Parameters = append(step.Parameters, d.Name)
		}
	}
	for _, c := range s.Checks {
		step.Checks = append(step.Checks, store.Match{Games: c.Games, Pairs: c.Pairs})
	}
	for i := range s.Gates {
		g := &s.Gates[i]
		m, err := storedMatch(&g.Report.Report, g.Report)
		if err != nil {
			return err
		}
		m.Generation, m.Final, m.Passed, m.Verdict, m.LLR = g.Generation, g.Final, g.Report.Passed, g.Report.Verdict, g.Report.LLR
		step.Gates = append(step.Gates, m)
	}
	for _, r := range s.reports() {
		m, err := storedMatch(r, r)
		if err != nil {
			return err
		}
		step.Validations = append(step.Validations, m)
	}
	return f.session.CloseStep(step)
}

// progress returns how far the run has come.
func (s *State) progress() store.Progress {
	return store.Progress{Games: s.Games, Generations: s.Generations, Done: s.Done}
}

// reports returns all validations that were played.
func (s *State) reports() []*match.Report {
	var list []*match.Report
	if s.Validation != nil {
		list = append(list, s.Validation)
	}
	for i := range s.Further {
		list = append(list, &s.Further[i])
	}
	return list
}

// storedMatch returns the row of a match with all that is to be said of it.
func storedMatch(r *match.Report, whole any) (store.Match, error) {
	data, err := json.Marshal(whole)
	if err != nil {
		return store.Match{}, fmt.Errorf("tuner: the report of a match: %w", err)
	}
	return store.Match{
		Opponent: r.B, Nodes: r.Nodes, Pairs: r.Pentanomial, Report: data,
		Elo: stats.Estimate{Elo: r.Elo, Low: r.EloLow, High: r.EloHigh},
	}, nil
}

// SaveWeights keeps a set in the database, and writes it to name.json in the run's folder, whose path it returns.
func (f *Folder) SaveWeights(name string, set *weights.Set) (string, error) {
	data, err := weights.Marshal(set)
	if err != nil {
		return "", err
	}
	if err := f.session.SaveSet(name, data); err != nil {
		return "", err
	}
	if err := os.MkdirAll(f.path, 0o755); err != nil {
		return "", fmt.Errorf("tuner: run %s: %w", f.Name(), err)
	}
	path := filepath.Join(f.path, name+".json")
	return path, weights.Save(path, set, false)
}
