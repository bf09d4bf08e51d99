package runfolder

import (
	"context"
	"errors"
	"slices"
	"testing"

	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/tuner"
	"quintune/weights"
)

// startOf returns the values that a run begins with.
func startOf(t *testing.T, c *tuner.Config) []float64 {
	t.Helper()
	set, err := weights.Unmarshal(c.Start)
	if err != nil {
		t.Fatal(err)
	}
	return set.Floats()
}

func TestForkBeginsWithTheChampion(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	_, record, o := playedRun(t, runs, "old")
	spec, parent, err := forkOf(runs, "old")
	if err != nil {
		t.Fatal(err)
	}
	tuner.Complete(&spec, "another engine", nil)
	c, err := tuner.Open(&spec, "another engine", nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Engine != "another engine" || !slices.Equal(startOf(t, c), o.Set.Floats()) || parent != "old "+record.Run {
		t.Errorf("engine %s, parent %q, start %s", c.Engine, parent, c.StartName)
	}
	if old := c.Anchors[len(c.Anchors)-1].Name; old != "huang" || c.Budget != record.Spec.Budget {
		t.Errorf("the last anchor is %s; budget %d, want the %d of the finished run", old, c.Budget, record.Spec.Budget)
	}
	if c.Shipped == nil || c.Shipped.Name != "default" {
		t.Errorf("the result meets %v, want the embedded set", c.Shipped)
	}
	if _, err := tuner.New(c); err != nil {
		t.Error(err)
	}
	stored, err := runs.Load("old")
	if err != nil {
		t.Fatal(err)
	}
	stored.Record.Spec.Optimizer, stored.Record.Spec.FirstNodes = "fit", 1 // as older programs stored it
	if spec, _, err = runs.Fork(stored); err != nil || spec.FirstNodes != 0 {
		t.Errorf("a fit alone with stages: first nodes %d, error %v", spec.FirstNodes, err)
	}
}

// An unfinished run recommends the last champion that passed a gate, as its candidate file does, and not a later one.
func TestUnfinishedRunRecommendsWhatPassedAGate(t *testing.T) {
	const budget = 20_000 // the least with two gates
	runs := openRuns(t, t.TempDir())
	f, _ := newFolder(t, runs, "r", newConfig(t, budget))
	ctx, cancel := context.WithCancelCause(context.Background())
	gate := -1 // generations before it
	o, err := newRun(t, newConfig(t, budget)).Run(ctx, tuner.Environment{
		Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 100)}, Store: f, Watch: func(e run.Event) {
			if e.Stage == run.StageGate {
				gate = e.Generation
			} else if gate >= 0 && e.Generation == gate+3 {
				cancel(errStopped)
			}
		},
	})
	if !errors.Is(err, errStopped) || !o.Proven {
		t.Fatalf("%+v, error %v", o, err)
	}
	row, err := runs.Row("r")
	if err != nil {
		t.Fatal(err)
	}
	generations, err := runs.DB().Generations(row)
	if err != nil || slices.Equal(generations[len(generations)-1].Values, o.Set.Floats()) {
		t.Fatalf("the last champion is the one that passed the gate; error %v", err)
	}
	if set, err := recommend(runs, "r"); err != nil || !slices.Equal(set.Values, o.Set.Values) {
		t.Errorf("recommended is another champion; error %v", err)
	}
}

// forkOf is Fork of the named run.
func forkOf(runs *Runs, name string) (run.Spec, string, error) {
	s, err := runs.Load(name)
	if err != nil {
		return run.Spec{}, "", err
	}
	return runs.Fork(s)
}
