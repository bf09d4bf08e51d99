package runfolder

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quintune/internal/engine"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/weights"
)

// Recommended returns the weights that a stored run recommends. They are those of the outcome of a finished run, else the last
// champion that passed a gate, else that of the last closed generation, or the start before the first.
func (r *Runs) Recommended(name string) (*weights.Set, error) {
	spec, file, champion, label, err := r.recommendation(name)
	switch {
	case err != nil:
		return nil, err
	case spec.Outside != nil:
		return nil, fmt.Errorf("runfolder: run %s tunes the engine %s, so it has values and no weights", name, spec.Outside.Name)
	case file != nil:
		set, err := weights.Unmarshal(file)
		return set, r.fault("result", name, err)
	}
	set, err := withValues(spec.Start, champion)
	if err != nil {
		return nil, r.fault("champion", name, err)
	}
	set.Name, set.Provenance = label, nil
	return set, nil
}

// fault names the run and the database in an error of what a run has stored; nil stays nil.
func (r *Runs) fault(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("runfolder: the %s of run %s in %s: %w", what, name, r.db.Path(), err)
}

// recommendation returns what a stored run recommends: the file of its outcome, or else (file is nil) its champion, which may be nil for
// the start, with a label for it.
func (r *Runs) recommendation(name string) (spec *run.Spec, file []byte, champion map[string]float64, label string, err error) {
	row, record, state, err := r.Load(name)
	if err != nil {
		return nil, nil, nil, "", err
	}
	closed := generationsOf(&state)
	champion, err = r.db.Champion(row, closed)
	if err == nil && atOutcome(row, champion) {
		if file, err = r.db.Set(row, run.Candidate); errors.Is(err, sql.ErrNoRows) {
			file, err = nil, nil
		}
	}
	return &record.Spec, file, champion, fmt.Sprintf("%.60s-generation-%d", name, closed), err
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

// RecommendedValues returns the values that a stored run of an engine from outside recommends, as Recommended does weights.
func (r *Runs) RecommendedValues(name string) (*engine.Result, error) {
	spec, file, champion, label, err := r.recommendation(name)
	switch {
	case err != nil:
		return nil, err
	case file != nil:
		result, err := engine.ParseResult(file)
		return result, r.fault("result", name, err)
	}
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

// Values returns what a stored run recommends, weights or the values of an engine, in the order of run.Spec.Parameters.
func (r *Runs) Values(name string) ([]float64, error) {
	_, record, _, err := r.Load(name)
	if err != nil {
		return nil, err
	}
	if record.Spec.Outside != nil {
		result, err := r.RecommendedValues(name)
		if err != nil {
			return nil, err
		}
		return result.Values.Numbers(), nil
	}
	set, err := r.Recommended(name)
	if err != nil {
		return nil, err
	}
	return set.Floats(), nil
}

// recommendedFile returns the file of what a stored run recommends: a weights file or a values file.
func (r *Runs) recommendedFile(name string, s *run.Spec) ([]byte, error) {
	if s.Outside != nil {
		result, err := r.RecommendedValues(name)
		if err != nil {
			return nil, err
		}
		return result.Marshal()
	}
	set, err := r.Recommended(name)
	if err != nil {
		return nil, err
	}
	return weights.Marshal(set)
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
func (r *Runs) Fork(name string) (spec run.Spec, parent string, err error) {
	row, record, _, err := r.Load(name)
	if err != nil {
		return spec, "", err
	}
	start, err := r.Recommended(name)
	if err != nil {
		return spec, "", err
	}
	spec = record.Spec
	old := run.Anchor{Name: spec.StartName, Weights: spec.Start}
	spec.StartName, spec.Extended, spec.Evolution = start.Name, nil, 0
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
	return spec, name + " " + row.Hash, err
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
