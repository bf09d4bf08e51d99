package ga

import (
	"encoding/json"
	"fmt"

	"quintune/internal/stats"
)

// Memetic is the genetic algorithm with a local finish: when its share of the
// budget is used up, SPSA polishes the averaged champion with the rest.
type Memetic struct {
	config Config
	global *GA
	local  *SPSA // nil until the genetic algorithm is done
}

// memeticState holds the checkpoints of both phases.
type memeticState struct {
	Global json.RawMessage `json:"global"`
	Local  json.RawMessage `json:"local,omitempty"`
}

// NewMemetic returns the genetic algorithm for 1−Polish of the budget and SPSA
// for the rest.
func NewMemetic(c Config) (*Memetic, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	evolution := c
	evolution.Budget = int((1 - c.Polish) * float64(c.Budget))
	global, err := NewGA(evolution)
	if err != nil {
		return nil, err
	}
	return &Memetic{config: c, global: global}, nil
}

// Ask returns the next batch of the running phase.
func (m *Memetic) Ask() (Batch, bool) {
	if m.local == nil {
		if b, more := m.global.Ask(); more {
			return b, true
		}
		m.local = m.polisher()
	}
	return m.local.Ask()
}

// polisher returns the local finish at its start. It depends on the closed
// state of the genetic algorithm alone.
func (m *Memetic) polisher() *SPSA {
	c := m.config
	c.Budget = max(0, c.Budget-m.global.Progress().Games)
	c.Genes = append([]Gene(nil), c.Genes...)
	for i, x := range m.global.Champion() {
		c.Genes[i].Start = x
	}
	local, err := NewSPSA(c)
	if err != nil {
		panic(err) // the configuration was validated: our own invariant is broken
	}
	local.phase, local.first = PhasePolish, m.global.state.Window.Closed
	return local
}

// Tell closes the open batch.
func (m *Memetic) Tell(results []stats.Pentanomial) error {
	if m.local != nil {
		return m.local.Tell(results)
	}
	return m.global.Tell(results)
}

// Champion returns that of the running phase.
func (m *Memetic) Champion() []float64 {
	if m.local != nil {
		return m.local.Champion()
	}
	return m.global.Champion()
}

// Population returns the parents of the next generation, best first; nil before the first is closed and in the
// polish, which has none.
func (m *Memetic) Population() [][]float64 {
	if m.local != nil {
		return nil
	}
	return m.global.Population()
}

// AddChampion adds a gated champion. The polish plays no outside opponents.
func (m *Memetic) AddChampion(name string) int { return m.global.AddChampion(name) }

// Opponents returns a copy of the outside opponents by index.
func (m *Memetic) Opponents() []Opponent { return m.global.Opponents() }

// Progress returns the figures of the last closed generation; games and void
// pairs are those of both phases.
func (m *Memetic) Progress() Progress {
	p := m.global.Progress()
	if m.local != nil && m.local.state.Batches > 0 {
		q := m.local.Progress()
		q.Games += p.Games
		q.VoidedPairs += p.VoidedPairs
		p = q
	}
	p.Budget = m.config.Budget
	return p
}

// Checkpoint returns the last closed generation of the run.
func (m *Memetic) Checkpoint() ([]byte, error) {
	var s memeticState
	var err error
	if s.Global, err = m.global.Checkpoint(); err != nil {
		return nil, err
	}
	if m.local != nil && m.local.state.Batches > 0 {
		if s.Local, err = m.local.Checkpoint(); err != nil {
			return nil, err
		}
	}
	return encodeCheckpoint(methodMemetic, len(m.global.space.free), s)
}

// Restore continues from a checkpoint. A run whose polish has begun stays
// there: a larger budget lengthens the polish.
func (m *Memetic) Restore(checkpoint []byte) error {
	var s memeticState
	if err := decodeCheckpoint(checkpoint, methodMemetic, len(m.global.space.free), &s); err != nil {
		return err
	}
	restored, err := NewMemetic(m.config)
	if err != nil {
		return err
	}
	if err := restored.global.Restore(s.Global); err != nil {
		return fmt.Errorf("ga: evolution: %w", err)
	}
	if s.Local != nil {
		restored.local = restored.polisher()
		if err := restored.local.Restore(s.Local); err != nil {
			return fmt.Errorf("ga: polish: %w", err)
		}
	}
	*m = *restored
	return nil
}
