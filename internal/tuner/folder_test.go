package tuner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintune/internal/bench"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/weights"
)

// openRuns returns the runs of a folder.
func openRuns(t *testing.T, dir string) *Runs {
	t.Helper()
	runs, err := OpenRuns(dir)
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
func newFolder(t *testing.T, runs *Runs, name string, c *Config) (*Folder, run.Record) {
	t.Helper()
	spec, err := c.Spec()
	if err != nil {
		t.Fatal(err)
	}
	record, err := run.NewRecord(spec, "abc", "weights.json")
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
func playedRun(t *testing.T, runs *Runs, name string) (*Folder, run.Record, *Outcome) {
	t.Helper()
	f, record := newFolder(t, runs, name, smallConfig(t, 400))
	o := play(t, smallConfig(t, 400), &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, f)
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	return f, record, o
}

func TestFolderKeepsARun(t *testing.T) {
	runs := openRuns(t, filepath.Join(t.TempDir(), "runs"))
	f, record, o := playedRun(t, runs, "first")
	row, gotRecord, state, err := runs.Load("first")
	if err != nil {
		t.Fatal(err)
	}
	whole := &memory{}
	play(t, smallConfig(t, 400), &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, whole)
	want, err := json.Marshal(whole.states[len(whole.states)-1])
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(state); err != nil || !bytes.Equal(got, want) {
		t.Errorf("state %s, want %s; error %v", got, want, err)
	}
	if !row.Done || row.Games != o.Games || row.Hash != record.Run || gotRecord.Run != record.Run {
		t.Errorf("row %+v, outcome of %d games", row, o.Games)
	}
	generations, err := runs.DB().Generations(row)
	if err != nil || len(generations) != o.Generations || len(generations) != len(whole.generations) {
		t.Errorf("%d generations, want %d; error %v", len(generations), o.Generations, err)
	}
	c, err := ConfigOf(&gotRecord.Spec, bench.Signature())
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Spec()
	if err != nil {
		t.Fatal(err)
	}
	if id, _ := again.ID(); id != record.Run {
		t.Errorf("the stored configuration has id %s, the record %s", id, record.Run)
	}
	if err := gotRecord.CheckArch(); err != nil {
		t.Error(err)
	}
	set, err := weights.Load(o.Place)
	if err != nil || !set.Equal(o.Set) || o.Place != filepath.Join(f.Path(), "candidate.json") {
		t.Errorf("the candidate in %s: %v", o.Place, err)
	}
	if set, err := runs.Recommended("first"); err != nil || !set.Equal(o.Set) {
		t.Errorf("recommended: %v", err)
	}
	if name, err := runs.Latest(false); err != nil || name != "first" {
		t.Errorf("latest run %q, error %v", name, err)
	}
	if _, err := runs.Latest(true); err == nil || !strings.Contains(err.Error(), "are done") {
		t.Errorf("latest unfinished run: error %v", err)
	}
	list, err := runs.List()
	if err != nil || len(list) != 1 || list[0].Status != StatusDone || list[0].Games != o.Games {
		t.Errorf("list %+v, error %v", list, err)
	}
}

func TestStoredRunStoppedAnywhereIsTheSameRun(t *testing.T) {
	elo := matchtest.Hill(t, 30)
	config := func() *Config {
		c := smallConfig(t, 300)
		c.Anchors = nil
		return c
	}
	runner := &matchtest.Runner{Elo: elo}
	want := marshal(t, play(t, config(), runner, &memory{}).Set)
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
		if _, err := newRun(t, config()).Run(ctx, Setting{Runner: first, Store: f}); !errors.Is(err, errStopped) {
			t.Fatalf("stopped after %d of %d pairs: %v", stop, all, err)
		}
		if err := f.Release(); err != nil {
			t.Fatal(err)
		}
		f, record, state, err := openRuns(t, dir).Hold("r")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Resume(runs, record); err != nil {
			t.Fatal(err)
		}
		r, err := Restore(config(), state)
		if err != nil {
			t.Fatal(err)
		}
		r.validation = matchtest.Openings
		rest := &matchtest.Runner{Elo: elo}
		o, err := r.Run(context.Background(), Setting{Runner: rest, Store: f})
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
	f, record := newFolder(t, here, "r", smallConfig(t, 400))
	ctx, cancel := context.WithCancelCause(context.Background())
	first := &matchtest.Runner{Elo: matchtest.Hill(t, 10), After: func(pairs int) {
		if pairs == 120 {
			cancel(errStopped)
		}
	}}
	if _, err := newRun(t, smallConfig(t, 400)).Run(ctx, Setting{Runner: first, Store: f}); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	data, err := here.Checkpoint("r")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := here.Checkpoint("r"); err != nil || !bytes.Equal(again, data) || len(data) > 1e6 {
		t.Errorf("%d bytes, then other ones; error %v", len(data), err)
	}
	g, gotRecord, state, err := there.Import(data, "")
	if err != nil || g.Name() != "r" || gotRecord.Run != record.Run || state.Generations == 0 {
		t.Fatalf("imported %+v with %d generations, error %v", g, state.Generations, err)
	}
	defer g.Release()
	recommended, err := here.Recommended("r")
	if err != nil {
		t.Fatal(err)
	}
	if c, _, err := there.Fork("r", "another engine"); err != nil || !slices.Equal(c.Start.Values, recommended.Values) || slices.Equal(c.Start.Values, smallConfig(t, 400).Start.Values) {
		t.Errorf("a fork of the checkpoint does not begin with its champion; error %v", err)
	}
	r, err := Restore(smallConfig(t, 400), state)
	if err != nil {
		t.Fatal(err)
	}
	r.validation = matchtest.Openings
	o, err := r.Run(context.Background(), Setting{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, Store: g})
	if err != nil {
		t.Fatal(err)
	}
	want := play(t, smallConfig(t, 400), &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, &memory{})
	if !bytes.Equal(marshal(t, o.Set), marshal(t, want.Set)) {
		t.Error("another result")
	}
	if _, _, _, err := here.Import(data, "r"); err == nil {
		t.Error("a run was imported over one that is being played")
	}
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := here.Import(data, "r"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a run was imported over another: %v", err)
	}
	for name, bad := range map[string]string{
		"cut":     string(data[:len(data)/2]),
		"format":  strings.Replace(string(data), CheckpointFormat, "quintune.checkpoint/9", 1),
		"sum":     strings.Replace(string(data), `"sum": "`, `"sum": "0`, 1),
		"unknown": strings.Replace(string(data), `"sum"`, `"summe"`, 1),
		"data":    strings.Replace(string(data), `"data": "`, `"data": "!`, 1),
	} {
		if _, _, _, err := there.Import([]byte(bad), "other"); err == nil || !strings.Contains(err.Error(), "checkpoint") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestForkBeginsWithTheChampion(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	_, record, o := playedRun(t, runs, "old")
	c, parent, err := runs.Fork("old", "another engine")
	if err != nil {
		t.Fatal(err)
	}
	if c.Engine != "another engine" || !slices.Equal(c.Start.Values, o.Set.Values) || parent != "old "+record.Run {
		t.Errorf("engine %s, parent %q, start %s", c.Engine, parent, c.StartName)
	}
	if c.Anchors[len(c.Anchors)-1].Name != "huang" || c.Budget != MinBudget {
		t.Errorf("anchors %v, budget %d", c.Anchors, c.Budget)
	}
	if _, err := New(c); err != nil {
		t.Error(err)
	}
}

func TestRunsByName(t *testing.T) {
	dir := t.TempDir()
	runs := openRuns(t, dir)
	f, record := newFolder(t, runs, "taken", smallConfig(t, 400))
	for _, name := range []string{"", ".", "..", "../up", "a/b", "-x", "é", strings.Repeat("a", 101)} {
		if _, err := runs.Create(name, record); err == nil {
			t.Errorf("a run %q was made", name)
		}
		if _, _, _, err := runs.Load(name); err == nil {
			t.Errorf("a run %q was loaded", name)
		}
	}
	if list, err := runs.List(); err != nil || len(list) != 1 || list[0].Status != StatusPlaying {
		t.Errorf("list %+v, error %v", list, err)
	}
	if _, _, _, err := runs.Hold("taken"); err == nil || !strings.Contains(err.Error(), "run taken is being played by another process") {
		t.Errorf("error %v", err)
	}
	if err := runs.Remove("taken"); err == nil {
		t.Error("a run that is being played was removed")
	}
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Create("taken", record); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if _, _, _, err := runs.Load("absent"); err == nil || !strings.Contains(err.Error(), "no run absent") {
		t.Errorf("error %v", err)
	}
	if name, err := runs.FreeName("taken"); err != nil || name != "taken-2" {
		t.Errorf("free name %q, error %v", name, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "old"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old", "run.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := runs.Load("old"); err == nil || !strings.Contains(err.Error(), "older program") {
		t.Errorf("error %v", err)
	}
	if list, err := runs.List(); err != nil || len(list) != 2 || list[1].Status != oldFormat || list[0].Status != StatusOpen {
		t.Errorf("list %+v, error %v", list, err)
	}
	if err := runs.Remove("taken"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(runs.Folder("taken")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the removed run: %v", err)
	}
	none, err := ReadRuns(filepath.Join(dir, "absent"))
	if err != nil {
		t.Fatal(err)
	}
	if list, err := none.List(); err != nil || len(list) != 0 {
		t.Errorf("list %v, error %v", list, err)
	}
	if _, err := none.Latest(false); err == nil || !strings.Contains(err.Error(), "no run in") {
		t.Errorf("error %v", err)
	}
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

func TestSpecOfAnotherProgramIsRefused(t *testing.T) {
	spec, err := smallConfig(t, 400).Spec()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ConfigOf(&spec, "other"); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("another engine: %v", err)
	}
	spec.Schema = "0123"
	if _, err := ConfigOf(&spec, bench.Signature()); err == nil || !strings.Contains(err.Error(), "0123") {
		t.Errorf("another schema: %v", err)
	}
	record := run.Record{Run: "r", GoArch: "pdp11"}
	if err := record.CheckArch(); err == nil || !strings.Contains(err.Error(), "pdp11") {
		t.Errorf("another architecture: %v", err)
	}
}

func TestConfigBounds(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"budget", func(c *Config) { c.Budget = 99 }, "99"},
		{"budget", func(c *Config) { c.Budget = MaxBudget + 1 }, "1000000001"},
		{"nodes", func(c *Config) { c.Nodes = 0 }, "node limit is 0"},
		{"optimizer", func(c *Config) { c.Optimizer = "gradient" }, "gradient"},
		{"start", func(c *Config) { c.Start = nil }, "start"},
		{"groups", func(c *Config) { c.Groups = []string{"lines"} }, "lines"},
		{"book", func(c *Config) { c.Book = nil }, "openings"},
		{"book's size", func(c *Config) { c.Size = 20 }, "20×20"},
		{"parts", func(c *Config) { c.Book.Openings = c.Book.Openings[:1] }, "part"},
		{"polish", func(c *Config) { c.Polish = 2 }, "polish is 2"},
	}
	for _, test := range tests {
		c := smallConfig(t, 400)
		test.change(c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
}

func TestIDDependsOnEverythingThatIsPlayed(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*Config){
		"nothing": func(*Config) {}, "seed": func(c *Config) { c.Seed++ }, "budget": func(c *Config) { c.Budget++ },
		"nodes": func(c *Config) { c.Nodes++ }, "groups": func(c *Config) { c.Groups = []string{"line"} },
		"gate": func(c *Config) { c.NoGate = true }, "optimizer": func(c *Config) { c.Optimizer = "spsa" },
		"polish": func(c *Config) { c.Polish = .1 }, "anchors": func(c *Config) { c.Anchors = nil },
		"start":     func(c *Config) { c.Start = matchtest.Preset(t, "zhang") },
		"book":      func(c *Config) { c.Book.Openings = c.Book.Openings[1:] },
		"engine":    func(c *Config) { c.Engine = "x" },
		"extension": func(c *Config) { c.Extended = []run.Extension{{Generation: 3, Budget: 200}} },
	} {
		c := smallConfig(t, 400)
		change(c)
		spec, err := c.Spec()
		if err != nil {
			t.Fatal(err)
		}
		id, err := spec.ID()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[id]; ok {
			t.Errorf("%s and %s have one id", name, other)
		}
		seen[id] = name
	}
}
