package tuner

import (
	"encoding/json"
	"fmt"

	"quintune/internal/run"
)

// mark is a state of a run with the number of steps that were closed by then.
type mark struct {
	Steps int       `json:"steps"`
	State run.State `json:"state"`
}

// Mark returns the state with the number of closed steps, to come back to with Rewind.
func (f *Folder) Mark(s run.State) ([]byte, error) {
	data, err := json.Marshal(mark{f.session.Run().Steps, s})
	if err != nil {
		return nil, fmt.Errorf("tuner: the state of run %s: %w", f.Name(), err)
	}
	return data, nil
}

// Rewind goes back to a mark, as if no later step had been played, and returns its state.
func (f *Folder) Rewind(marked []byte) (run.State, error) {
	var m mark
	if err := json.Unmarshal(marked, &m); err != nil {
		return run.State{}, fmt.Errorf("tuner: run %s: %w", f.Name(), err)
	}
	data, err := json.Marshal(m.State)
	if err != nil {
		return run.State{}, fmt.Errorf("tuner: the state of run %s: %w", f.Name(), err)
	}
	to := m.State.Progress()
	to.Steps = m.Steps
	return m.State, f.session.Rewind(to, data)
}

// State returns what has been closed of the run.
func (r *Run) State() run.State { return r.state }
