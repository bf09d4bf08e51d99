package tuner

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quintune/internal/bench"
	"quintune/weights"
)

// newFolder stores a run that has closed something.
func newFolder(t *testing.T, runs, name string) (*Folder, Record, State) {
	t.Helper()
	spec, err := smallConfig(t, 400).Spec()
	if err != nil {
		t.Fatal(err)
	}
	record, err := NewRecord(spec, "abc", "weights.json")
	if err != nil {
		t.Fatal(err)
	}
	f, err := CreateFolder(runs, name, record)
	if err != nil {
		t.Fatal(err)
	}
	store := &memory{}
	play(t, smallConfig(t, 400), &fakeRunner{elo: hill(t, 10)}, store)
	state := store.states[len(store.states)-1]
	if err := f.SaveState(state); err != nil {
		t.Fatal(err)
	}
	return f, record, state
}

func TestFolderKeepsARun(t *testing.T) {
	runs := t.TempDir()
	f, record, state := newFolder(t, runs, "first")
	_, gotRecord, gotState, err := OpenFolder(runs, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(gotState, state) {
		t.Errorf("state %+v, want %+v", gotState, state)
	}
	c, err := gotRecord.Spec.Config(bench.Signature())
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Spec()
	if err != nil {
		t.Fatal(err)
	}
	if id, _ := again.ID(); id != record.Run || gotRecord.Run != record.Run {
		t.Errorf("the stored configuration has id %s, the run %s, the record %s", id, record.Run, gotRecord.Run)
	}
	if err := gotRecord.Check(); err != nil {
		t.Error(err)
	}
	path, err := f.SaveWeights("candidate", preset(t, "zhang"))
	if err != nil {
		t.Fatal(err)
	}
	if set, err := weights.Load(path); err != nil || set.Name != "zhang" {
		t.Errorf("%v, error %v", set, err)
	}
	entries, err := os.ReadDir(filepath.Join(runs, "first"))
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, error %v: a temporary file stayed", entries, err)
	}
	if name, err := LatestRun(runs); err != nil || name != "first" {
		t.Errorf("latest run %q, error %v", name, err)
	}
	list, err := ListRuns(runs)
	if err != nil || len(list) != 1 || list[0].Status != "done" || list[0].Games != state.Games {
		t.Errorf("list %+v, error %v", list, err)
	}
}

func TestFolderNames(t *testing.T) {
	runs := t.TempDir()
	newFolder(t, runs, "taken")
	for _, name := range []string{"", ".", "..", "../up", "a/b", "-x", "é", strings.Repeat("a", 101)} {
		if _, err := CreateFolder(runs, name, Record{}); err == nil {
			t.Errorf("a folder %q was made", name)
		}
		if _, _, _, err := OpenFolder(runs, name); err == nil {
			t.Errorf("a folder %q was opened", name)
		}
	}
	if _, err := CreateFolder(runs, "taken", Record{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if _, _, _, err := OpenFolder(runs, "absent"); err == nil || !strings.Contains(err.Error(), "no run absent") {
		t.Errorf("error %v", err)
	}
	if _, err := LatestRun(filepath.Join(runs, "absent")); err == nil {
		t.Error("a latest run of no folder")
	}
	if list, err := ListRuns(filepath.Join(runs, "absent")); err != nil || len(list) != 0 {
		t.Errorf("list %v, error %v", list, err)
	}
}

func TestFolderRefusesDamagedFiles(t *testing.T) {
	tests := []struct {
		name, file, old, new, want string
	}{
		{"cut", stateFile, `"retired"`, "", "invalid"},
		{"unknown key", stateFile, `"games"`, `"gamez"`, "gamez"},
		{"other format", stateFile, StateFormat, "quintune.state/9", "quintune.state/9"},
		{"other run", stateFile, `"run":"`, `"run":"x`, "is of run x"},
		{"record format", recordFile, RecordFormat, "quintune.run/9", "quintune.run/9"},
		{"record key", recordFile, `"commit"`, `"comit"`, "comit"},
	}
	for _, test := range tests {
		runs := t.TempDir()
		newFolder(t, runs, "r")
		path := filepath.Join(runs, "r", test.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(data), test.old, test.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := OpenFolder(runs, "r"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
}

func TestSpecOfAnotherProgramIsRefused(t *testing.T) {
	spec, err := smallConfig(t, 400).Spec()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.Config("other"); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("another engine: %v", err)
	}
	spec.Schema = "0123"
	if _, err := spec.Config(bench.Signature()); err == nil || !strings.Contains(err.Error(), "0123") {
		t.Errorf("another schema: %v", err)
	}
	record := Record{Run: "r", GoArch: "pdp11"}
	if err := record.Check(); err == nil || !strings.Contains(err.Error(), "pdp11") {
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
		"start":     func(c *Config) { c.Start = preset(t, "zhang") },
		"book":      func(c *Config) { c.Book.Openings = c.Book.Openings[1:] },
		"engine":    func(c *Config) { c.Engine = "x" },
		"extension": func(c *Config) { c.Extended = []Extension{{3, 200}} },
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
