package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"quintune/internal/run"
)

// Session is a run that this process plays. It is the only writer of the run's rows; the caller must keep other
// processes from playing the run.
type Session struct {
	db   *DB
	run  Run
	part int // number of batches of the open step so far

	mu      sync.Mutex
	waiting []finished // pairs that are not committed yet
	failed  error      // error of the last commit, for later callers
	timer   *time.Timer
	pace    pace

	insertPair, insertGame *sql.Stmt // of putPairs, compiled for the first commit
}

// Begin adds a new run of a kind with its record. A run that was begun in another folder has also a state and the file of what it
// recommends; else both are nil. Where the name exists the error wraps fs.ErrExist.
func (db *DB) Begin(kind Kind, begun run.Summary, record, state, candidate []byte) (*Session, error) {
	r := Run{Summary: begun, Kind: kind}
	err := db.writeSynced("adding run "+r.Name, func(tx *sql.Tx) (err error) {
		if r.id, err = insertRun(tx, kind, &begun); err != nil {
			return err
		}
		if state != nil {
			if err := putDocument(tx, r.id, "state", state); err != nil {
				return err
			}
		}
		if candidate != nil {
			if err := putSet(tx, r.id, run.Candidate, candidate); err != nil {
				return err
			}
		}
		return putDocument(tx, r.id, "record", record)
	})
	return &Session{db: db, run: r}, err
}

// Resume continues a stored run, which becomes the latest one. The run's Hash and Budget and the record replace
// the stored ones; they change when a run gets another budget, with which it is not done any more.
func (db *DB) Resume(r Run, record []byte) (*Session, error) {
	err := db.writeSynced("resuming run "+r.Name, func(tx *sql.Tx) error {
		row := tx.QueryRow("UPDATE runs SET hash = ?, done = done AND budget = ?, budget = ?, turn = (SELECT max(turn) + 1 FROM runs) WHERE id = ? RETURNING done",
			r.Hash, r.Budget, r.Budget, r.id)
		if err := row.Scan(&r.Done); err != nil {
			return err
		}
		return putDocument(tx, r.id, "record", record)
	})
	return &Session{db: db, run: r}, err
}

// Run returns the run's current summary.
func (s *Session) Run() Run { return s.run }

// Step is a closed step: the state of the run after it, and the generation that it closed.
type Step struct {
	State      *run.State
	Generation *run.Generation // nil: the step was not a generation
	Parameters []string        // names of the weights in Generation.Values
}

// CloseStep commits a closed step with all its pairs and syncs them to the disk. Of a gate it keeps the pairs that count: how many
// were being played when the gate was decided is a matter of timing.
func (s *Session) CloseStep(step Step) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.commit(); err != nil {
		return err
	}
	err := s.db.writeSynced("closing a step of run "+s.run.Name, func(tx *sql.Tx) error {
		if err := dropBatches(tx, s.run.id, s.run.Steps, s.part); err != nil {
			return err
		}
		if err := dropSurplus(tx, s.run.id, s.run.Steps, step.State); err != nil {
			return err
		}
		if step.State.Done || !step.State.EvolutionOpen() { // no later step will take the batches ahead
			if err := dropSteps(tx, s.run.id, aheadStep); err != nil {
				return err
			}
		}
		return s.putStep(tx, &step)
	})
	if err != nil {
		return err
	}
	steps := s.run.Steps + 1
	s.run.Progress, s.part = step.State.Progress(), 0
	s.run.Steps = steps
	return nil
}

func (s *Session) putStep(tx *sql.Tx, step *Step) error {
	if err := s.putState(tx, s.run.Steps+1, step.State); err != nil {
		return err
	}
	if step.Generation == nil {
		return nil
	}
	if err := putParameters(tx, s.run.Schema, step.Parameters); err != nil {
		return err
	}
	return putGeneration(tx, s.run.id, step.Generation)
}

// putState writes the state of the run after a number of closed steps.
func (s *Session) putState(tx *sql.Tx, steps int, state *run.State) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	_, err = tx.Exec("UPDATE runs SET steps = ?, games = ?, generations = ?, done = ? WHERE id = ?",
		steps, state.Games, state.Generations, state.Done, s.run.id)
	if err != nil {
		return err
	}
	if err := putDocument(tx, s.run.id, "state", data); err != nil {
		return err
	}
	return putMatches(tx, s.run.id, state)
}

// Forget deletes the pairs of the open step, which begins again, and of later ones.
func (s *Session) Forget() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting, s.part = nil, 0
	return s.db.write("forgetting pairs of run "+s.run.Name, func(tx *sql.Tx) error { return dropSteps(tx, s.run.id, s.run.Steps) })
}

// SaveSet stores a weights or values file under a name, and replaces an earlier one with that name.
func (s *Session) SaveSet(name string, file []byte) error {
	return s.db.writeSynced("saving the "+name+" of run "+s.run.Name, func(tx *sql.Tx) error {
		return putSet(tx, s.run.id, name, file)
	})
}

func putSet(tx *sql.Tx, id int64, name string, file []byte) error {
	_, err := tx.Exec("INSERT OR REPLACE INTO sets VALUES (?, ?, ?, ?)", id, name, string(file), sumOf(file))
	return err
}

// Set returns the weights or values file that a run has stored under a name. Where there is none the error wraps
// sql.ErrNoRows, and where it is not what was stored, ErrDamaged.
func (db *DB) Set(r Run, name string) ([]byte, error) {
	file, err := summed(db.sql.QueryRow("SELECT file, sum FROM sets WHERE run = ? AND name = ?", r.id, name))
	return file, db.fault(fmt.Sprintf("reading the %s of run %s", name, r.Name), err)
}

// Flush commits the waiting pairs.
func (s *Session) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commit()
}

// marshal is json.Marshal for values that cannot fail.
func marshal(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Rewind returns the run to an earlier state, after the given number of closed steps. It deletes all that is stored of later
// steps, and the record of who played their pairs.
func (s *Session) Rewind(steps int, state *run.State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting, s.part = nil, 0
	err := s.db.writeSynced("taking back steps of run "+s.run.Name, func(tx *sql.Tx) error {
		if err := dropSteps(tx, s.run.id, steps); err != nil {
			return err
		}
		if err := dropLedger(tx, s.run.id, steps); err != nil {
			return err
		}
		if err := dropGenerations(tx, s.run.id, state.Generations); err != nil {
			return err
		}
		return s.putState(tx, steps, state)
	})
	if err == nil {
		s.run.Progress = state.Progress()
		s.run.Steps = steps
	}
	return err
}
