package tuner

import (
	"fmt"
	"regexp"
	"runtime"
	"time"

	"quintune/internal/store"
	"quintune/internal/strictjson"
)

// RecordFormat is the format of records.
const RecordFormat = "quintune.run/2"

// Record is what is stored of a run from the beginning.
type Record struct {
	Format  string    `json:"format"`
	Run     string    `json:"run"`              // the id when it began
	Parent  string    `json:"parent,omitempty"` // the run that it was forked from: name and id
	Commit  string    `json:"commit"`
	GoArch  string    `json:"goarch"`  // equal bytes are promised per architecture
	GoLevel string    `json:"golevel"` // GOAMD64 and the like, "" for none
	Out     string    `json:"out"`     // where a proven set goes
	Begun   time.Time `json:"begun"`
	Spec    Spec      `json:"spec"`
}

// NewRecord returns the record of a run that begins now, with this program.
func NewRecord(spec Spec, commit, out string) (Record, error) {
	id, err := spec.ID()
	return Record{
		Format: RecordFormat, Run: id, Commit: commit, GoArch: runtime.GOARCH, GoLevel: goLevel(),
		Out: out, Begun: time.Now().UTC().Truncate(time.Second), Spec: spec,
	}, err
}

// Check refuses to go on with a run on another processor architecture or level, for which equal bytes are not
// promised. Its error is a *Mismatch.
func (r *Record) Check() error {
	theirs, ours := r.GoArch+" "+r.GoLevel, runtime.GOARCH+" "+goLevel()
	if theirs != ours {
		return &Mismatch{"architecture", theirs, ours}
	}
	return nil
}

// row returns what the store shows of a run.
func (r *Record) row(name string) (store.Run, error) {
	spec := &r.Spec
	hash, err := spec.ID() // that of the present budget
	return store.Run{
		Name: name, Hash: hash, Parent: r.Parent, Engine: spec.Engine, Schema: spec.Schema, Program: r.Commit,
		GoArch: r.GoArch, GoLevel: r.GoLevel, Start: spec.StartName, Rule: spec.Rule, Size: spec.Size, Nodes: spec.Nodes,
		Optimizer: spec.Optimizer, Seed: spec.Seed, Budget: spec.Budget, Begun: r.Begun,
	}, err
}

// readRecord reads the stored form.
func readRecord(data []byte) (Record, error) {
	var r Record
	if err := strictjson.Decode(data, &r); err != nil {
		return r, err
	}
	if r.Format != RecordFormat {
		return r, fmt.Errorf("the record has format %.40q, not %q", r.Format, RecordFormat)
	}
	return r, nil
}

var runName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

func checkRunName(name string) error {
	if !runName.MatchString(name) {
		return fmt.Errorf("tuner: the run's name %.120q is not 1 to 100 of A-Z a-z 0-9 . _ -, a letter or digit first", name)
	}
	return nil
}
