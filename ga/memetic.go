package ga

import (
	"encoding/json"
	"fmt"

	"quintune/internal/stats"
)

// Memetic is the genetic algorithm with a local finish: when its share of the
// budget is used up, its averaged champion meets the start in a trial, and SPSA
// polishes the winner with the rest. Without the trial a good start is lost where
// the genetic algorithm had too few games to better it.
type Memetic struct {
	config Config
	global *GA
	trial  *Batch // the open trial
	tried  *trialResult
	local  *SPSA // nil until the trial is done
}

// trialResult is the averaged champion against the start.
type trialResult struct {
	Pairs  int               `json:"pairs"` // asked
	Result stats.Pentanomial `json:"result"`
}

// memeticState holds the checkpoints of both phases, and what was between them.
type memeticState struct {
	Global json.RawMessage `json:"global"`
	Trial  *trialResult    `json:"trial,omitempty"`
	Local  json.RawMessage `json:"local,omitempty"`
}

// trialShare is the part of the budget that the trial takes, within the bounds of a batch and of what is left.
const trialShare = .02

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
		if b := m.openTrial(); b != nil {
			return *b, true
		}
		m.local = m.polisher()
	}
	return m.local.Ask()
}

// Open returns the open batch: one is in flight.
func (m *Memetic) Open() []Batch { return only(m.Ask()) }

// openTrial returns the trial while it is to be played, nil where it is done, or nothing is to be tried or left for it.
func (m *Memetic) openTrial() *Batch {
	generation := m.global.state.Window.Closed
	if m.tried != nil || generation == 0 {
		return nil
	}
	if m.trial == nil {
		left := (m.config.Budget - m.global.Progress().Games) / 2
		pairs := min(left, max(leastBatch, min(mostBatch, int(trialShare*float64(m.config.Budget)/2))))
		if pairs <= 0 {
			return nil
		}
		m.trial = &Batch{
			Generation: generation, Phase: PhaseTrial, Openings: pairs,
			Genomes:  [][]float64{m.global.Champion(), m.global.space.expand(m.global.space.start())},
			Pairings: []Pairing{{A: 0, B: 1, Pairs: pairs, Block: generation}},
		}
	}
	return m.trial
}

// polisher returns the local finish at its start. It depends on the closed
// state of the genetic algorithm and the trial alone.
func (m *Memetic) polisher() *SPSA {
	c := m.config
	c.Budget = max(0, c.Budget-m.global.Progress().Games-m.tried.games())
	c.Genes = append([]Gene(nil), c.Genes...)
	if m.tried.won() {
		for i, x := range m.global.Champion() {
			c.Genes[i].Start = x
		}
	}
	local, err := NewSPSA(c)
	if err != nil {
		panic(err) // the configuration was validated: our own invariant is broken
	}
	local.phase, local.first = PhasePolish, m.global.state.Window.Closed
	if m.tried != nil {
		local.first++
	}
	return local
}

// games returns what the trial has cost.
func (t *trialResult) games() int {
	if t == nil {
		return 0
	}
	return 2 * t.Pairs
}

// won reports whether the champion has more than half of the points.
func (t *trialResult) won() bool { return t != nil && t.Result.Pairs() > 0 && t.Result.Score() > .5 }

// Tell closes the open batch.
func (m *Memetic) Tell(results []stats.Pentanomial) error {
	switch {
	case m.local != nil:
		return m.local.Tell(results)
	case m.trial == nil:
		return m.global.Tell(results)
	}
	if _, err := checkResults(m.trial.Pairings, results); err != nil {
		return err
	}
	m.tried, m.trial = &trialResult{Pairs: m.trial.Openings, Result: results[0]}, nil
	m.local = m.polisher()
	return nil
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
// pairs are those of all phases.
func (m *Memetic) Progress() Progress {
	p := m.global.Progress()
	if t := m.tried; t != nil {
		p.Phase, p.Generation = PhaseTrial, p.Generation+1
		p.Games += t.games()
		p.VoidedPairs += t.Pairs - int(t.Result.Pairs())
		p.Fitness, p.Immigrants = nil, 0
	}
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
	s.Trial = m.tried
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
	if t := s.Trial; t != nil {
		if _, err := checkResults([]Pairing{{Pairs: t.Pairs}}, []stats.Pentanomial{t.Result}); err != nil {
			return fmt.Errorf("ga: checkpoint: trial: %w", err)
		}
		restored.tried = t
	}
	if s.Trial != nil || s.Local != nil {
		restored.local = restored.polisher()
	}
	if s.Local != nil {
		if err := restored.local.Restore(s.Local); err != nil {
			return fmt.Errorf("ga: polish: %w", err)
		}
	}
	*m = *restored
	return nil
}
