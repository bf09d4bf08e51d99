package tuner

import (
	"testing"

	"quintune/internal/bench"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/weights/weightstest"
)

// smallConfig is a run that takes no time on a fake runner.
func smallConfig(t testing.TB, budget int) *Config {
	t.Helper()
	return &Config{
		StartName: "huang", Start: weightstest.Preset(t, "huang"), Rule: pattern.Freestyle, Size: 15,
		Anchors: []Anchor{{Name: "shapes", Set: weightstest.Preset(t, "shapes")}},
		Shares:  run.DefaultShares(), Settings: run.DefaultSettings(false, false),
		Optimizer: "ga", Polish: .5, Seed: 7, Budget: budget, Nodes: 1,
		Book: matchtest.Book(t, 400, 15), Engine: bench.Signature(),
	}
}
