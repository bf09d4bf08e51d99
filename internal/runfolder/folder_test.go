package runfolder

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quintune/internal/bench"
	"quintune/internal/match"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/internal/store"
	"quintune/internal/tuner"
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
