// Package runtest keeps a run in memory, for tests.
package runtest

import (
	"slices"

	"quintune/internal/run"
	"quintune/selfplay"
)

// Store is a tuner.Store that remembers.
type Store struct {
	States      []run.State
	Generations []run.Generation
	Results     map[string][]byte
	OnSave      func(saves int)
	Failing     error // of SaveState
	Forgotten   int   // times that the pairs of the open step and of later ones were deleted
}

// Runner returns inner: no pair is kept.
func (m *Store) Runner(inner selfplay.Runner) selfplay.Runner { return inner }

// Ahead returns inner: no pair is kept.
func (m *Store) Ahead(_ int, inner selfplay.Runner) selfplay.Runner { return inner }

// Forget counts.
func (m *Store) Forget() error {
	m.Forgotten++
	return nil
}

// SaveState remembers a state and the generation that was closed.
func (m *Store) SaveState(s run.State, closed *run.Generation) error {
	if closed != nil {
		m.Generations = append(m.Generations, *closed)
	}
	s.Faults, s.Retired = slices.Clone(s.Faults), s.Retired.Clone() // later steps change these in place
	m.States = append(m.States, s)
	if m.OnSave != nil {
		m.OnSave(len(m.States))
	}
	return m.Failing
}

// SaveResult remembers a file, and returns its name.
func (m *Store) SaveResult(name string, file []byte) (string, error) {
	if m.Results == nil {
		m.Results = map[string][]byte{}
	}
	m.Results[name] = file
	return name, nil
}
