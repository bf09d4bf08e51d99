package store

import (
	"database/sql"

	"quintune/internal/run"
)

// Rewind returns the run to an earlier state, given as JSON, after the given number of closed steps. It deletes
// all pairs of later steps and the record of who played them. Generations and matches of later steps stay until
// steps are closed again.
func (s *Session) Rewind(to run.Progress, state []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.waiting, s.part = nil, 0
	err := s.db.writeSynced("taking back steps of run "+s.run.Name, func(tx *sql.Tx) error {
		if _, err := tx.Exec("DELETE FROM batches WHERE run = ? AND step >= ?", s.run.id, to.Steps); err != nil {
			return err
		}
		if err := dropTasks(tx, s.run.id, to.Steps); err != nil {
			return err
		}
		_, err := tx.Exec("UPDATE runs SET steps = ?, games = ?, generations = ?, done = ? WHERE id = ?",
			to.Steps, to.Games, to.Generations, to.Done, s.run.id)
		if err != nil {
			return err
		}
		return putDocument(tx, s.run.id, "state", state)
	})
	if err == nil {
		s.run.Progress = to
	}
	return err
}
