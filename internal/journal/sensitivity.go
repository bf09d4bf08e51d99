package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quintune/internal/run"
	"quintune/internal/store"
)

// purposeSensitivity is the purpose of the matches of a sensitivity, which one journal keeps together.
const purposeSensitivity = "sensitivity"

// Sensitivity describes the matches that show which weights of a run mattered.
type Sensitivity struct {
	Of     *run.Summary
	Time   time.Duration // requested time, from which Games was measured; 0: Games was requested
	Games  int           // of all matches
	Engine string        // signature of our engine
	Commit string        // of the program; does not affect games
}

// record returns everything that the pairs depend on. If a time was requested, the record has the time and not
// the games. So the same command continues, although each measurement of the machine gives another number of
// games.
func (s *Sensitivity) record() ([]byte, error) {
	r := matchRecord{
		Purpose: purposeSensitivity, Players: [2]matchPlayer{{s.Of.Name, fmt.Sprintf("%s after %d steps", s.Of.Hash, s.Of.Steps)}},
		Rule: s.Of.Rule, Size: s.Of.Size, Nodes: s.Of.Nodes, Seed: s.Of.Seed, Engine: s.Engine,
	}
	if s.Time > 0 {
		r.Budget = s.Time.String()
	} else {
		r.Pairs = s.Games / 2
	}
	record, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("sensitivity: %w", err)
	}
	return record, nil
}

func nameOf(record []byte) string { return purposeSensitivity + "-" + ID(record) }

// StoredGames returns the games of all matches of a stored sensitivity for the same time, 0 where none is stored.
func (s *Sensitivity) StoredGames(db *store.DB) (int, error) {
	record, err := s.record()
	if err != nil || s.Time == 0 {
		return 0, err
	}
	row, err := db.RunOf(store.KindMatch, nameOf(record))
	if errors.Is(err, store.ErrNoRun) {
		return 0, nil
	}
	return row.Budget, err
}

// OpenSensitivity opens the journal of a sensitivity in the database of all runs in a folder. Its name depends
// on the run and its progress, the games or the time, and the engine. Its batches are stored in order.
func OpenSensitivity(runs string, s *Sensitivity) (*Journal, error) {
	record, err := s.record()
	if err != nil {
		return nil, err
	}
	return Open(runs, &Entry{
		Kind: store.KindMatch, Record: record,
		Row: run.Summary{
			Name: nameOf(record), Engine: s.Engine, Commit: s.Commit,
			Start: s.Of.Name, Rule: s.Of.Rule, Size: s.Of.Size, Nodes: s.Of.Nodes, Seed: s.Of.Seed, Budget: s.Games / 2 * 2,
		},
	})
}
