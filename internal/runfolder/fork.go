package runfolder

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quintune/internal/atomicfile"
	"quintune/internal/engine"
	"quintune/internal/fit"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/internal/strictjson"
	"quintune/weights"
)

// Recommendation is what a run recommends: weights, or the values of an engine from outside.
type Recommendation struct {
	Set    *weights.Set   // nil: an engine is tuned
	Values *engine.Result // nil: weights are tuned
}

// Numbers returns the weights or values in the order of run.Spec.Parameters.
func (m *Recommendation) Numbers() []float64 {
	if m.Set != nil {
		return m.Set.Floats()
	}
	return m.Values.Values.Numbers()
}

// Marshal returns a weights file or a values file.
func (m *Recommendation) Marshal() ([]byte, error) {
	if m.Set != nil {
		return weights.Marshal(m.Set)
	}
	return m.Values.Marshal()
}

// ReadFile reads a weights file, or a values file of any engine, whose name is the path where it has none.
func ReadFile(path string) (*Recommendation, error) {
	data, err := atomicfile.Read(path, weights.MaxFile)
	if err != nil {
		return nil, err
	}
	m := new(Recommendation)
	if strictjson.KindOf(data) == strictjson.Values {
		m.Values, err = engine.ParseResult(data)
	} else {
		m.Set, err = weights.Unmarshal(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Values != nil && m.Values.Name == "" {
		m.Values.Name = path
	}
	return m, nil
}

// Recommended returns what a stored run recommends. It is the outcome of a finished run, else the last champion that passed a gate,
// else that of the last closed generation, or the start before the first.
func (r *Runs) Recommended(s *Stored) (*Recommendation, error) {
	closed := generationsOf(&s.State)
	champion, err := r.db.Champion(s.Row, closed)
	if err != nil {
		return nil, err
	}
	what, m := "champion", new(Recommendation)
	spec, label := &s.Record.Spec, fmt.Sprintf("%.60s-generation-%d", s.Row.Name, closed)
	var file []byte // nil: none is stored, or the outcome is not what counts
	if atOutcome(s.Row, champion) {
		if file, err = r.db.Set(s.Row, run.Candidate); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
	}
	switch {
	case file != nil && spec.Outside != nil:
		what = "result"
		m.Values, err = engine.ParseResult(file)
	case file != nil:
		what = "result"
		m.Set, err = weights.Unmarshal(file)
	case spec.Outside != nil:
		m.Values, err = resultOf(spec, champion, label)
	default:
		if m.Set, err = withValues(spec.Start, champion); err == nil {
			m.Set.Name, m.Set.Provenance = label, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("runfolder: the %s of run %s in %s: %w", what, s.Row.Name, r.db.Path(), err)
	}
	return m, nil
}

// Weights is Recommended for a run that tunes weights. Of a run that tunes an engine from outside it is an error.
func (r *Runs) Weights(s *Stored) (*weights.Set, error) {
	if e := s.Record.Spec.Outside; e != nil {
		return nil, fmt.Errorf("runfolder: run %s tunes the engine %s, so it has values and no weights", s.Row.Name, e.Name)
	}
	best, err := r.Recommended(s)
	if err != nil {
		return nil, err
	}
	return best.Set, nil
}

// generationsOf returns the number of generations after which a run had the champion that it recommends until it is done.
func generationsOf(state *run.State) int {
	if gate := state.Proven(); gate != nil {
		return gate.Generation
	}
	return state.Generations
}

// atOutcome reports whether a run recommends the file of its outcome: it is done, or its champions are on another machine.
func atOutcome(row store.Run, champion map[string]float64) bool {
	return row.Done || champion == nil && row.Generations > 0
}

// resultOf returns the start values of an engine from outside with those of a champion, by name, in their place.
func resultOf(spec *run.Spec, champion map[string]float64, label string) (*engine.Result, error) {
	result := &engine.Result{Name: label, Engine: spec.Outside.Name}
	parameters, err := spec.Parameters()
	for i := range parameters {
		value := engine.Value{Name: parameters[i].Name, Number: parameters[i].Start}
		if v, known := champion[value.Name]; known {
			value.Number = v
		}
		result.Values = append(result.Values, value)
	}
	return result, err
}

// withValues returns the set of a weights file with other values, by name; nil: its own. The file may be of an older
// schema, as the values are.
func withValues(file []byte, values map[string]float64) (*weights.Set, error) {
	if values == nil {
		return weights.Unmarshal(file)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(file, &members); err != nil {
		return nil, err
	}
	delete(members, "provenance")
	var err error
	if members["weights"], err = json.Marshal(values); err != nil {
		return nil, err
	}
	changed, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	return weights.Unmarshal(changed)
}

// Fork returns the specification of a new run, which tuner.Complete has to make one of this program. It starts from the
// weights that a stored run recommends. The old start becomes an anchor; the budget is what the old run has left, or all of it where that is
// done.
// parent names the old run, for the new run's Record.
func (r *Runs) Fork(s *Stored) (spec run.Spec, parent string, err error) {
	start, err := r.Weights(s)
	if err != nil {
		return spec, "", err
	}
	row := &s.Row
	spec = s.Record.Spec
	old := run.Anchor{Name: spec.StartName, Weights: spec.Start}
	spec.StartName, spec.Extended, spec.Evolution = start.Name, nil, 0
	if spec.Optimizer == fit.Method {
		spec.FirstNodes = 0 // of a run that is stored: new ones have no stages with a fit alone
	}
	if !row.Done {
		spec.Budget = max(run.MinBudget, row.Budget-row.Games)
	}
	if spec.Start, err = weights.Marshal(start); err != nil {
		return spec, "", err
	}
	spec.Anchors = slices.Clone(spec.Anchors)
	if !slices.ContainsFunc(spec.Anchors, func(a run.Anchor) bool { return a.Name == old.Name }) {
		spec.Anchors = append(spec.Anchors, old)
	}
	for i := range spec.Anchors {
		if err := renew(&spec.Anchors[i]); err != nil {
			return spec, "", err
		}
	}
	err = spec.MeetShipped(start)
	return spec, row.Name + " " + row.Hash, err
}

// renew makes the weights of an anchor those of this program's schema.
func renew(a *run.Anchor) error {
	if a.Player != "" {
		return nil
	}
	set, err := weights.Unmarshal(a.Weights)
	if err != nil {
		return fmt.Errorf("anchor %s: %w", a.Name, err)
	}
	a.Weights, err = weights.Marshal(set)
	return err
}
