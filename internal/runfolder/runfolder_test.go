package runfolder

import (
	"context"
	"errors"
	"testing"

	"quintune/internal/bench"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/tuner"
	"quintune/selfplay"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// newConfig returns a run that takes no time on a matchtest.Runner.
func newConfig(t *testing.T, budget int) *tuner.Config {
	t.Helper()
	s := run.Spec{
		StartName: "huang", Start: marshal(t, weightstest.Preset(t, "huang")), Rule: "freestyle", Size: 15,
		Anchors:   []run.Anchor{{Name: "shapes", Weights: marshal(t, weightstest.Preset(t, "shapes"))}},
		Settings:  run.DefaultSettings("ga", nil, false),
		Optimizer: "ga", Seed: 7, Budget: budget, Nodes: 1,
		Openings: tuner.Lines(matchtest.Book(t, 400, 15)),
	}
	tuner.Complete(&s, bench.Signature(), nil)
	c, err := tuner.Open(&s, bench.Signature(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// restore returns a run after a stored state.
func restore(t *testing.T, c *tuner.Config, state run.State) *tuner.Run {
	t.Helper()
	r, err := tuner.Restore(c, state)
	if err != nil {
		t.Fatal(err)
	}
	r.MakeOpenings = matchtest.Openings
	return r
}

// newRun returns a run before its first game.
func newRun(t *testing.T, c *tuner.Config) *tuner.Run {
	t.Helper()
	return restore(t, c, run.State{})
}

// play plays a run to its end.
func play(t *testing.T, c *tuner.Config, runner selfplay.Runner, store tuner.Store) *tuner.Outcome {
	t.Helper()
	o, err := newRun(t, c).Run(context.Background(), tuner.Environment{Runner: runner, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func marshal(t *testing.T, set *weights.Set) []byte {
	t.Helper()
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var errStopped = errors.New("stopped") // the cause of an interruption

// openRuns returns the runs of a folder.
func openRuns(t *testing.T, dir string) *Runs {
	t.Helper()
	runs, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := runs.Close(); err != nil {
			t.Error(err)
		}
	})
	return runs
}

// newFolder begins a run.
func newFolder(t *testing.T, runs *Runs, name string, c *tuner.Config) (*Folder, run.Record) {
	t.Helper()
	record, err := run.NewRecord(c.Spec, "abc", "weights.json")
	if err != nil {
		t.Fatal(err)
	}
	f, err := runs.Create(name, record)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Release() }) // where the test has not
	return f, record
}

// playedRun stores a run that has been played to its end.
func playedRun(t *testing.T, runs *Runs, name string) (*Folder, run.Record, *tuner.Outcome) {
	t.Helper()
	f, record := newFolder(t, runs, name, newConfig(t, 400))
	o := play(t, newConfig(t, 400), &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, f)
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	return f, record, o
}

// recommend returns the recommended weights of the named run.
func recommend(runs *Runs, name string) (*weights.Set, error) {
	s, err := runs.Load(name)
	if err != nil {
		return nil, err
	}
	return runs.Weights(s)
}
