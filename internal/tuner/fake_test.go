package tuner

import (
	"testing"

	"quintune/internal/bench"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// smallConfig is a run that takes no time on a fake runner.
func smallConfig(t testing.TB, budget int) *Config {
	t.Helper()
	return &Config{
		StartName: "huang", Start: matchtest.Preset(t, "huang"), Rule: pattern.Freestyle, Size: 15,
		Anchors: []Anchor{{Name: "shapes", Set: matchtest.Preset(t, "shapes")}},
		Shares:  run.DefaultShares(), Settings: run.DefaultSettings(false),
		Optimizer: "ga", Polish: .5, Seed: 7, Budget: budget, Nodes: 1,
		Book: matchtest.Book(t, 400, 15), Engine: bench.Signature(),
	}
}

// memory is a Store that remembers.
type memory struct {
	states      []run.State
	generations []run.Generation
	weights     map[string][]byte
	onSave      func(saves int)
	failing     error
	forgotten   int
}

func (m *memory) Runner(inner selfplay.Runner) selfplay.Runner { return inner }

func (m *memory) Forget() error {
	m.forgotten++
	return nil
}

func (m *memory) SaveState(s run.State, closed *run.Generation) error {
	if closed != nil {
		m.generations = append(m.generations, *closed)
	}
	m.states = append(m.states, s)
	if m.onSave != nil {
		m.onSave(len(m.states))
	}
	return m.failing
}

func (m *memory) SaveWeights(name string, set *weights.Set) (string, error) {
	data, err := weights.Marshal(set)
	if m.weights == nil {
		m.weights = map[string][]byte{}
	}
	m.weights[name] = data
	return name, err
}
