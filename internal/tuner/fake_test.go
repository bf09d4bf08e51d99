package tuner

import (
	"testing"

	"quintune/internal/bench"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/weights/weightstest"
)

// smallConfig returns a run that a fake runner plays in no time.
func smallConfig(t testing.TB, budget int) *Config {
	t.Helper()
	return open(t, run.Spec{
		StartName: "huang", Start: marshal(t, weightstest.Preset(t, "huang")), Rule: "freestyle", Size: 15,
		Anchors:   []run.Anchor{anchor(t, "shapes")},
		Settings:  run.DefaultSettings("ga", nil, false),
		Optimizer: "ga", Seed: 7, Budget: budget, Nodes: 1,
		Openings: Lines(matchtest.Book(t, 400, 15)),
	}, nil)
}

// anchor returns a preset as an opponent.
func anchor(t testing.TB, preset string) run.Anchor {
	t.Helper()
	return run.Anchor{Name: preset, Weights: marshal(t, weightstest.Preset(t, preset))}
}

// open completes a description and opens it.
func open(t testing.TB, s run.Spec, outside *Outside) *Config {
	t.Helper()
	Complete(&s, bench.Signature(), outside)
	c, err := Open(&s, bench.Signature(), outside)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
