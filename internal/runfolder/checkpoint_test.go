package runfolder

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/internal/tuner"
	"quintune/weights/weightstest"
)

func TestStoredRunStoppedAnywhereIsTheSameRun(t *testing.T) {
	elo := matchtest.Hill(t, 30)
	config := func() *tuner.Config {
		c := newConfig(t, 300)
		c.Anchors = nil
		return c
	}
	runner := &matchtest.Runner{Elo: elo}
	want := marshal(t, play(t, config(), runner, &runtest.Store{}).Set)
	all := runner.Pairs
	for stop := 1; stop < all; stop += 1 + all/15 {
		dir := t.TempDir()
		runs := openRuns(t, dir)
		f, _ := newFolder(t, runs, "r", config())
		ctx, cancel := context.WithCancelCause(context.Background())
		first := &matchtest.Runner{Elo: elo, After: func(pairs int) {
			if pairs == stop {
				cancel(errStopped)
			}
		}}
		if _, err := newRun(t, config()).Run(ctx, tuner.Environment{Runner: first, Store: f}); !errors.Is(err, errStopped) {
			t.Fatalf("stopped after %d of %d pairs: %v", stop, all, err)
		}
		if err := f.Release(); err != nil {
			t.Fatal(err)
		}
		f, s, err := openRuns(t, dir).Hold("r")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Resume(runs, s.Record); err != nil {
			t.Fatal(err)
		}
		r := restore(t, config(), s.State)
		rest := &matchtest.Runner{Elo: elo}
		o, err := r.Run(context.Background(), tuner.Environment{Runner: rest, Store: f})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(marshal(t, o.Set), want) {
			t.Errorf("stopped after %d of %d pairs: another result", stop, all)
		}
		if stop+rest.Pairs != all {
			t.Errorf("stopped after %d of %d pairs: %d were played after", stop, all, rest.Pairs)
		}
		if err := f.Release(); err != nil {
			t.Error(err)
		}
	}
}

func TestCheckpointGoesOnElsewhere(t *testing.T) {
	here, there := openRuns(t, t.TempDir()), openRuns(t, t.TempDir())
	f, record := newFolder(t, here, "r", newConfig(t, 400))
	ctx, cancel := context.WithCancelCause(context.Background())
	first := &matchtest.Runner{Elo: matchtest.Hill(t, 10), After: func(pairs int) {
		if pairs == 120 {
			cancel(errStopped)
		}
	}}
	if _, err := newRun(t, newConfig(t, 400)).Run(ctx, tuner.Environment{Runner: first, Store: f}); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	stopped, err := here.Load("r")
	if err != nil {
		t.Fatal(err)
	}
	data, err := here.Checkpoint(stopped)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := here.Checkpoint(stopped); err != nil || !bytes.Equal(again, data) || len(data) > 1e6 {
		t.Errorf("%d bytes, then other ones; error %v", len(data), err)
	}
	c, err := ReadCheckpoint(data)
	if err != nil || c.Name != "r" {
		t.Fatalf("checkpoint of %+v, error %v", c, err)
	}
	without := *c
	without.Candidate = nil
	if text, err := without.pack("0"); err != nil {
		t.Fatal(err)
	} else if _, err := ReadCheckpoint(text); err == nil || !strings.Contains(err.Error(), "candidate is missing") {
		t.Errorf("a checkpoint without a candidate: %v", err)
	}
	g, s, err := there.Import(c, c.Name)
	if err != nil || g.Name() != "r" || s.Record.Run != record.Run || s.State.Generations == 0 {
		t.Fatalf("imported %+v, error %v", g, err)
	}
	defer g.Release()
	recommended, err := recommend(here, "r")
	if err != nil {
		t.Fatal(err)
	}
	spec, _, err := forkOf(there, "r")
	if err != nil {
		t.Fatal(err)
	}
	tuner.Complete(&spec, "another engine", nil)
	if c, err := tuner.Open(&spec, "another engine", nil); err != nil || !slices.Equal(startOf(t, c), recommended.Floats()) || slices.Equal(startOf(t, c), startOf(t, newConfig(t, 400))) {
		t.Errorf("a fork of the checkpoint does not begin with its champion; error %v", err)
	}
	r := restore(t, newConfig(t, 400), s.State)
	o, err := r.Run(context.Background(), tuner.Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, Store: g})
	if err != nil {
		t.Fatal(err)
	}
	want := play(t, newConfig(t, 400), &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, &runtest.Store{})
	if !bytes.Equal(marshal(t, o.Set), marshal(t, want.Set)) {
		t.Error("another result")
	}
	if _, _, err := here.Import(c, "r"); err == nil {
		t.Error("a run was imported over one that is being played")
	}
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	held, s, err := here.Import(c, "r") // again
	if err != nil || held.Name() != "r" || s.State.Games != c.State.Games {
		t.Fatalf("the stored run is not held: %+v, error %v", held, err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	farther := *c
	farther.State.Games++
	if _, _, err := here.Import(&farther, "r"); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "the stored run r is another") {
		t.Errorf("a stored run that is not as far is held: error %v", err)
	}
	other, _ := newFolder(t, here, "other", newConfig(t, 500))
	if err := other.Release(); err != nil {
		t.Fatal(err)
	}
	begun := *c
	begun.State = run.State{}
	if _, _, err := here.Import(&begun, "other"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a run was imported over another: error %v", err)
	}
	for name, bad := range map[string]string{
		"cut":     string(data[:len(data)/2]),
		"format":  strings.Replace(string(data), checkpointFormat, "quintune.checkpoint/9", 1),
		"sum":     strings.Replace(string(data), `"sum": "`, `"sum": "0`, 1),
		"unknown": strings.Replace(string(data), `"sum"`, `"summe"`, 1),
		"data":    strings.Replace(string(data), `"data": "`, `"data": "!`, 1),
		"summary": strings.Replace(string(data), `"budget": `, `"budget": 1`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ReadCheckpoint([]byte(bad)); err == nil || !strings.Contains(err.Error(), "checkpoint") {
				t.Errorf("%s: error %v", name, err)
			}
		})
	}
	if _, err := ReadCheckpoint([]byte(`{"format": "quintune.weights/1", "rule": "freestyle"}`)); err == nil || !strings.Contains(err.Error(), `format "quintune.weights/1", not "`+checkpointFormat) {
		t.Errorf("a weights file: error %v", err)
	}
}

// Going back to before the first generation leaves nothing of what was played: the run recommends its start, and is the same
// run again.
func TestRewindToTheBeginning(t *testing.T) {
	elo, runs, c := matchtest.Hill(t, 30), openRuns(t, t.TempDir()), newConfig(t, 400)
	f, _ := newFolder(t, runs, "r", c)
	marked, err := f.Mark(run.State{})
	if err != nil {
		t.Fatal(err)
	}
	want := play(t, c, &matchtest.Runner{Elo: elo}, f)
	state, err := f.Rewind(marked)
	if err != nil {
		t.Fatal(err)
	}
	if set, err := recommend(runs, "r"); err != nil || !slices.Equal(set.Values, weightstest.Preset(t, "huang").Values) {
		t.Errorf("the run does not recommend its start: error %v", err)
	}
	got := mustPlay(t, restore(t, newConfig(t, 400), state), tuner.Environment{Runner: &matchtest.Runner{Elo: elo}, Store: f})
	if !bytes.Equal(marshal(t, got.Set), marshal(t, want.Set)) {
		t.Error("played again it is another run")
	}
}
