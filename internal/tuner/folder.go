package tuner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"quintune/internal/atomicfile"
	"quintune/weights"
)

// Formats of the files in a run's folder.
const (
	RecordFormat = "quintune.run/1"
	StateFormat  = "quintune.state/1"
)

// Names of the files in a run's folder, beside the weights.
const (
	recordFile = "run.json"
	stateFile  = "state.json"
)

// Record is what stands about a run in its folder from the beginning.
type Record struct {
	Format  string    `json:"format"`
	Run     string    `json:"run"` // the id when it began
	Commit  string    `json:"commit"`
	GoArch  string    `json:"goarch"`  // equal bytes are promised per architecture
	GoLevel string    `json:"golevel"` // GOAMD64 and the like, "" for none
	Out     string    `json:"out"`     // where a proven set goes
	Begun   time.Time `json:"begun"`
	Spec    Spec      `json:"spec"`
}

// stored is the file of a state.
type stored struct {
	Format string `json:"format"`
	Run    string `json:"run"`
	State  State  `json:"state"`
}

// Folder is the Store of one run in a folder of its own: one file for the configuration, one for the last
// closed step, one for each kept set of weights.
type Folder struct {
	path string
	run  string
}

var runName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// CreateFolder makes the folder of a new run below the folder of all runs. Where the name is taken it
// is an error that wraps fs.ErrExist.
func CreateFolder(runs, name string, record Record) (*Folder, error) {
	if err := checkRunName(name); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	f := &Folder{path: filepath.Join(runs, name), run: record.Run}
	if err := os.Mkdir(f.path, 0o755); err != nil {
		return nil, fmt.Errorf("tuner: run %s: %w", name, err)
	}
	return f, f.write(recordFile, record)
}

// OpenFolder returns the folder of a run with what was stored: the record, and the state after the last
// closed step, zero before the first.
func OpenFolder(runs, name string) (*Folder, Record, State, error) {
	if err := checkRunName(name); err != nil {
		return nil, Record{}, State{}, err
	}
	f := &Folder{path: filepath.Join(runs, name)}
	var record Record
	var s stored
	err := f.read(recordFile, &record)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, record, s.State, fmt.Errorf("tuner: there is no run %s in %s", name, runs)
	}
	if err == nil && record.Format != RecordFormat {
		err = fmt.Errorf("tuner: run %s has format %q, not %q", name, record.Format, RecordFormat)
	}
	if err != nil {
		return nil, record, s.State, err
	}
	f.run = record.Run
	switch err := f.read(stateFile, &s); {
	case errors.Is(err, fs.ErrNotExist):
		return f, record, s.State, nil
	case err != nil:
		return nil, record, s.State, err
	case s.Format != StateFormat:
		return nil, record, s.State, fmt.Errorf("tuner: the state of run %s has format %q, not %q", name, s.Format, StateFormat)
	case s.Run != record.Run:
		return nil, record, s.State, fmt.Errorf("tuner: the state in the folder of run %s is of run %s", record.Run, s.Run)
	}
	return f, record, s.State, nil
}

// LatestRun returns the name of the run below the folder of all runs whose state was stored last.
func LatestRun(runs string) (string, error) {
	entries, err := os.ReadDir(runs)
	if err != nil {
		return "", fmt.Errorf("tuner: no run to go on with: %w", err)
	}
	var latest string
	var when time.Time
	for _, e := range entries {
		for _, file := range []string{recordFile, stateFile} {
			info, err := os.Stat(filepath.Join(runs, e.Name(), file))
			if err == nil && info.ModTime().After(when) {
				latest, when = e.Name(), info.ModTime()
			}
		}
	}
	if latest == "" {
		return "", fmt.Errorf("tuner: no run to go on with in %s", runs)
	}
	return latest, nil
}

func checkRunName(name string) error {
	if !runName.MatchString(name) {
		return fmt.Errorf("tuner: the run's name %.120q is not 1 to 100 of A-Z a-z 0-9 . _ -, a letter or digit first", name)
	}
	return nil
}

// NewRecord returns the record of a run that begins now, with this program.
func NewRecord(spec Spec, commit, out string) (Record, error) {
	id, err := spec.ID()
	return Record{
		Format: RecordFormat, Run: id, Commit: commit, GoArch: runtime.GOARCH, GoLevel: goLevel(),
		Out: out, Begun: time.Now().UTC().Truncate(time.Second), Spec: spec,
	}, err
}

// Check refuses to go on with a run on another processor architecture or level.
func (r *Record) Check() error {
	if r.GoArch != runtime.GOARCH || r.GoLevel != goLevel() {
		return fmt.Errorf("tuner: run %s was played on %s %s, this program is built for %s %s",
			r.Run, r.GoArch, r.GoLevel, runtime.GOARCH, goLevel())
	}
	return nil
}

// Name returns the name of the run.
func (f *Folder) Name() string { return filepath.Base(f.path) }

// SaveRecord replaces the stored record, for a run that gets another budget.
func (f *Folder) SaveRecord(r Record) error { return f.write(recordFile, r) }

// SaveState replaces the stored state.
func (f *Folder) SaveState(s State) error {
	return f.write(stateFile, stored{StateFormat, f.run, s})
}

// SaveWeights writes name.json, and returns its path.
func (f *Folder) SaveWeights(name string, set *weights.Set) (string, error) {
	path := filepath.Join(f.path, name+".json")
	return path, weights.Save(path, set, false)
}

// read decodes a file of the folder strictly.
func (f *Folder) read(name string, into any) error {
	path := filepath.Join(f.path, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("tuner: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("tuner: %s: %w", path, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("tuner: %s: more than one JSON value", path)
	}
	return nil
}

// write replaces a file of the folder in one step.
func (f *Folder) write(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("tuner: %s: %w", name, err)
	}
	if err := atomicfile.Write(filepath.Join(f.path, name), append(data, '\n')); err != nil {
		return fmt.Errorf("tuner: %w", err)
	}
	return nil
}
