package run

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// recordFormat is the format of records.
const recordFormat = "quintune.run/2"

// Record is what is stored of a run from the beginning.
type Record struct {
	Format  string    `json:"format"`
	Run     string    `json:"run"`              // the id when it began
	Parent  string    `json:"parent,omitempty"` // the run that it was forked from: name and id
	Commit  string    `json:"commit"`
	GoArch  string    `json:"goarch"`           // for which the program was built
	GoLevel string    `json:"golevel"`          // GOAMD64 and the like, "" for none
	Out     string    `json:"out"`              // where a proven set goes
	Engine  string    `json:"engine,omitempty"` // path of the engine file, where an engine from outside is tuned
	Begun   time.Time `json:"begun"`
	Spec    Spec      `json:"spec"`
}

// NewRecord returns the record of a run that begins now, with this program.
func NewRecord(spec Spec, commit, out string) (Record, error) {
	id, err := spec.ID()
	return Record{
		Format: recordFormat, Run: id, Commit: commit, GoArch: runtime.GOARCH, GoLevel: goLevel(),
		Out: out, Begun: time.Now().UTC().Truncate(time.Second), Spec: spec,
	}, err
}

// CheckFormat returns an error when the record has another format.
func (r *Record) CheckFormat() error {
	if r.Format != recordFormat {
		return fmt.Errorf("the record has format %.40q, not %q", r.Format, recordFormat)
	}
	return nil
}

// CheckArch returns a *Mismatch where the run was begun on another processor architecture or level. Programs of earlier
// commits computed other last bits there.
func (r *Record) CheckArch() error {
	if ours := runtime.GOARCH + " " + goLevel(); r.GoArch+" "+r.GoLevel != ours {
		return &Mismatch{"architecture", r.GoArch + " " + r.GoLevel, ours}
	}
	return nil
}

// Summary returns the summary of the run under a name, before its first closed step. Its Hash depends on the present budget.
func (r *Record) Summary(name string) (Summary, error) {
	s := &r.Spec
	hash, err := s.ID()
	return Summary{
		Name: name, Hash: hash, Parent: r.Parent, Engine: s.Engine, Schema: s.Schema, Commit: r.Commit,
		GoArch: r.GoArch, GoLevel: r.GoLevel, Start: s.StartName, Rule: s.Rule, Size: s.Size, Nodes: s.Nodes,
		Optimizer: s.Optimizer, Seed: s.Seed, Budget: s.Budget, Begun: r.Begun,
	}, err
}

// goLevel returns the architecture level for which the program was built, such as "v1" of GOAMD64, or "" where
// there is none, see CheckArch.
func goLevel() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "GOAMD64") || strings.HasPrefix(s.Key, "GOARM") || strings.HasPrefix(s.Key, "GOPPC64") {
			return s.Value
		}
	}
	return ""
}
