package runfolder

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quintune/internal/bench"
	"quintune/internal/match"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/internal/store"
	"quintune/internal/tuner"
	"quintune/selfplay"
	"quintune/weights"
	"quintune/weights/weightstest"
)

func TestExportNamesTheNodes(t *testing.T) {
	for nodes, want := range map[[2]int64]string{
		{0, 1000}: "400 games of 1000 nodes a move, seed", {250, 1000}: "400 games of 250 to 1000 nodes a move, seed", {}: "400 games, seed",
	} {
		set := weightstest.Preset(t, "huang")
		set.Provenance = &weights.Provenance{Games: 400, FirstNodes: nodes[0], Nodes: nodes[1]}
		if text, err := Export(set, "markdown"); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("error %v, want %q in %.300s", err, want, text)
		}
	}
}

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

func TestFolderKeepsARun(t *testing.T) {
	runs := openRuns(t, filepath.Join(t.TempDir(), "runs"))
	f, record, o := playedRun(t, runs, "first")
	s, err := runs.Load("first")
	if err != nil {
		t.Fatal(err)
	}
	row, gotRecord, state := s.Row, s.Record, s.State
	whole := &runtest.Store{}
	play(t, newConfig(t, 400), &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, whole)
	want, err := json.Marshal(whole.States[len(whole.States)-1])
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(state); err != nil || !bytes.Equal(got, want) {
		t.Errorf("state %s, want %s; error %v", got, want, err)
	}
	if !row.Done || row.Games != o.Games || row.Hash != record.Run || gotRecord.Run != record.Run {
		t.Errorf("row %+v of run %s, want %s, done after %d games", row, gotRecord.Run, record.Run, o.Games)
	}
	generations, err := runs.DB().Generations(row)
	if err != nil || len(generations) != o.Generations || len(generations) != len(whole.Generations) {
		t.Errorf("%d generations, want %d; error %v", len(generations), o.Generations, err)
	}
	c, err := tuner.Open(&gotRecord.Spec, bench.Signature(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if id, _ := c.ID(); id != record.Run {
		t.Errorf("the stored configuration has id %s, the record %s", id, record.Run)
	}
	if err := gotRecord.CheckArch(); err != nil {
		t.Error(err)
	}
	set, err := weights.Load(o.Path)
	if err != nil || !set.Equal(o.Set) || o.Path != filepath.Join(f.Path(), "candidate.json") {
		t.Errorf("the candidate in %s: %v", o.Path, err)
	}
	if set, err := recommend(runs, "first"); err != nil || !set.Equal(o.Set) {
		t.Errorf("recommended: %v", err)
	}
	if name, err := runs.Latest(false); err != nil || name != "first" {
		t.Errorf("latest run %q, error %v", name, err)
	}
	if _, err := runs.Latest(true); err == nil || !strings.Contains(err.Error(), "is done") {
		t.Errorf("latest unfinished run: error %v", err)
	}
	list, err := runs.List()
	if err != nil || len(list) != 1 || list[0].Status != StatusDone || list[0].Games != o.Games {
		t.Errorf("list %+v, error %v", list, err)
	}
	db, err := sql.Open("sqlite", filepath.Join(runs.dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE runs SET name = 'a' || char(27) || '[31m'"); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Latest(true); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("latest run of a foreign database: error %q", err)
	}
}

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

func TestRunsByName(t *testing.T) {
	dir := t.TempDir()
	runs := openRuns(t, dir)
	f, record := newFolder(t, runs, "taken", newConfig(t, 400))
	for _, name := range []string{"", ".", "..", "../up", "a/b", "-x", "é", strings.Repeat("a", 101), "quintune.db-wal"} {
		t.Run(name, func(t *testing.T) {
			if _, err := runs.Create(name, record); err == nil {
				t.Errorf("a run %q was made", name)
			}
			if _, err := runs.Load(name); err == nil {
				t.Errorf("a run %q was loaded", name)
			}
		})
	}
	if list, err := runs.List(); err != nil || len(list) != 1 || list[0].Status != StatusPlaying {
		t.Errorf("list %+v, error %v", list, err)
	}
	if name, err := runs.Latest(true); err != nil || name != "taken" {
		t.Errorf("latest unfinished run %q, error %v", name, err)
	}
	if _, _, err := runs.Hold("taken"); err == nil || !strings.Contains(err.Error(), "run taken is being played by another process") {
		t.Errorf("error %v", err)
	}
	if err := runs.remove("taken"); err == nil {
		t.Error("a run that is being played was removed")
	}
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Create("taken", record); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if _, err := runs.Load("absent"); err == nil || !strings.Contains(err.Error(), "no run absent") {
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
	if _, err := runs.Load("old"); err == nil || !strings.Contains(err.Error(), "older program") {
		t.Errorf("error %v", err)
	}
	if list, err := runs.List(); err != nil || len(list) != 2 || list[1].Status != oldFormat || list[0].Status != StatusOpen {
		t.Errorf("list %+v, error %v", list, err)
	}
	if err := runs.remove("taken"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(runs.Folder("taken")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the removed run: %v", err)
	}
	again, _ := newFolder(t, runs, "taken", newConfig(t, 400))
	if err := os.MkdirAll(filepath.Join(again.Path(), "cluster"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
	if err := runs.remove("taken"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(again.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the removed run: %v", err)
	}
	none, err := OpenToRead(filepath.Join(dir, "absent"))
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

// An error of a stored result names the run and the database that has it.
func TestUnreadableResultIsNamed(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	f, _, _ := playedRun(t, runs, "r")
	if _, err := f.SaveResult(run.Candidate, []byte(`{"format":"another"}`)); err != nil {
		t.Fatal(err)
	}
	_, recommending := recommend(runs, "r")
	_, _, forking := forkOf(runs, "r")
	for doing, err := range map[string]error{"recommend": recommending, "fork": forking} {
		if err == nil || !strings.Contains(err.Error(), "the result of run r in "+runs.DB().Path()) {
			t.Errorf("%s: error %v", doing, err)
		}
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

func TestSensitivityIsKept(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	_, record := newFolder(t, runs, "r", newConfig(t, 400))
	row, err := runs.Row("r")
	if err != nil {
		t.Fatal(err)
	}
	row.Steps = 7
	if s, outdated, err := runs.Sensitivity(&Stored{Row: row, Record: record}); s != nil || outdated || err != nil {
		t.Errorf("%v, %v, %v before there is one", s, outdated, err)
	}
	spread := .25
	want := &run.Sensitivity{Run: record.Run, Steps: 7, Games: 40, Changes: []run.WeightChange{
		{Name: "line.four.self", Start: 1, Tuned: 2, Change: .3, Spread: &spread, Cost: &match.Report{A: "candidate", Pairs: 20}}, {Name: "line.four.opponent"},
	}}
	if err := runs.SaveSensitivity("r", want); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(row *store.Run, spec *run.Spec){
		"as it was":          func(*store.Run, *run.Spec) {},
		"after another step": func(row *store.Run, _ *run.Spec) { row.Steps++ },
		"of another budget":  func(_ *store.Run, spec *run.Spec) { spec.Budget++ },
	} {
		t.Run(name, func(t *testing.T) {
			now, spec := row, record.Spec
			change(&now, &spec)
			got, outdated, err := runs.Sensitivity(&Stored{Row: now, Record: run.Record{Spec: spec}})
			if want := name == "as it was"; err != nil || outdated == want || (got != nil) != want {
				t.Errorf("got %+v, outdated %v, error %v", got, outdated, err)
			}
			if got != nil && !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// A run whose ledger is in files of an older version is not played on a cluster as if nobody had played before.
func TestLedgerOfAnOlderVersionIsRefused(t *testing.T) {
	runs := openRuns(t, filepath.Join(t.TempDir(), "runs"))
	f, _, _ := playedRun(t, runs, "r")
	if _, err := f.Ledger(); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(f.Path(), "cluster")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(old, "000000.batch"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Ledger(); err == nil || !strings.Contains(err.Error(), old+" is the ledger of an older version") {
		t.Errorf("error %v", err)
	}
}

// A run that could not be stored leaves nothing.
func TestARunThatIsNotStoredLeavesNoFolder(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	_, record := newFolder(t, runs, "r", newConfig(t, 400))
	if err := runs.db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Create("s", record); err == nil {
		t.Fatal("a run was stored in a closed database")
	}
	if _, err := os.Stat(runs.Folder("s")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
}

// While a run is deleted, another process may begin one of its name: that one keeps its folder and its lock.
func TestRemoveTakesNoOtherRun(t *testing.T) {
	runs := openRuns(t, t.TempDir())
	config := newConfig(t, 400)
	first, record := newFolder(t, runs, "r", config)
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		for i := range 50 { // takes a moment to delete
			if err := os.MkdirAll(filepath.Join(runs.Folder("r"), strconv.Itoa(i)), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		removed := make(chan error, 1)
		go func() {
			err := runs.remove("r")
			for err != nil && strings.Contains(err.Error(), "run r is being played") { // the other one has looked whether the name is free
				err = runs.remove("r")
			}
			removed <- err
		}()
		var other *Folder
		for other == nil {
			time.Sleep(time.Millisecond)
			other, _ = runs.Create("r", record) // fails while the old one is there
			select {
			case err := <-removed:
				if err != nil {
					t.Fatal(err)
				}
				removed <- nil
			default:
			}
		}
		if err := <-removed; err != nil {
			t.Fatal(err)
		}
		if !runs.locked("r") {
			t.Fatal("the other run has lost its lock")
		}
		if err := other.Release(); err != nil {
			t.Fatal(err)
		}
	}
}

// recommend returns the recommended weights of the named run.
func recommend(runs *Runs, name string) (*weights.Set, error) {
	s, err := runs.Load(name)
	if err != nil {
		return nil, err
	}
	return runs.Weights(s)
}

// forkOf is Fork of the named run.
func forkOf(runs *Runs, name string) (run.Spec, string, error) {
	s, err := runs.Load(name)
	if err != nil {
		return run.Spec{}, "", err
	}
	return runs.Fork(s)
}
