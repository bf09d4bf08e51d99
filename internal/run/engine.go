package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintune/internal/baseline"
	"quintune/internal/engine"
	"quintune/internal/strictjson"
)

// EngineSpec is an engine from outside whose parameters a run tunes. It holds no command: that is only in the engine
// file, and the user names that file whenever the run is played.
type EngineSpec struct {
	Name       string             `json:"name"`
	Hash       string             `json:"hash"` // of everything that affects its games, see engine.File
	Pass       string             `json:"pass"` // how values reach the engine
	TimeMS     int64              `json:"time_ms"`
	Parameters []engine.Parameter `json:"parameters"`
}

// Same returns an error that names the first change of the engine since then, nil where nothing has changed.
func (e *EngineSpec) Same(now *EngineSpec) error {
	for k := range e.Parameters {
		p := &e.Parameters[k]
		i := slices.IndexFunc(now.Parameters, func(q engine.Parameter) bool { return q.Name == p.Name })
		switch {
		case i < 0:
			return fmt.Errorf("parameter %s is gone", p.Name)
		case now.Parameters[i] != *p:
			return fmt.Errorf("parameter %s was %s, and is %s", p.Name, p.Description(), now.Parameters[i].Description())
		}
	}
	switch {
	case len(now.Parameters) > len(e.Parameters):
		return fmt.Errorf("there are %d parameters, not %d", len(now.Parameters), len(e.Parameters))
	case !slices.Equal(now.Parameters, e.Parameters):
		return errors.New("the parameters stand in another order")
	case now.Pass != e.Pass:
		return fmt.Errorf("values were passed by %s, and are by %s", e.Pass, now.Pass)
	case now.TimeMS != e.TimeMS:
		return fmt.Errorf("a move had %d ms, and has %d (0: nodes limit it)", e.TimeMS, now.TimeMS)
	case now.Hash != e.Hash:
		return fmt.Errorf("the command, its program, a file that it names, the template, the set of weights:, file, reload, memory or wins is another (hash %s, not %s)", now.Hash, e.Hash)
	}
	return nil
}

// Unrepeatable returns why the games of a run that is not reproducible cannot be repeated.
func (s *Spec) Unrepeatable() string {
	switch {
	case s.Outside == nil || slices.ContainsFunc(s.Anchors, Anchor.External):
		return "an engine from outside plays"
	case s.Outside.TimeMS > 0:
		return "time limits the moves of the engine"
	}
	return "equal values were not found to give equal games"
}

// External reports whether the anchor is an engine from outside: a command, whose games cannot be repeated.
func (a Anchor) External() bool {
	return a.Player != "" && !strings.HasPrefix(a.Player, baseline.Prefix)
}

// parameters returns what the run could tune of the engine.
func (e *EngineSpec) parameters(s *Spec) ([]Parameter, error) {
	values := map[string]float64{}
	if err := strictjson.Decode(s.Start, &values); err != nil {
		return nil, fmt.Errorf("run: the start values: %w", err)
	}
	list := make([]Parameter, len(e.Parameters))
	for i := range e.Parameters {
		p := &e.Parameters[i]
		start, known := values[p.Name]
		if !known {
			return nil, fmt.Errorf("run: the start values: %s is missing", p.Name)
		}
		list[i] = Parameter{ // Ref is for display alone; its 8 is chosen
			Name: p.Name, Group: p.Group, Doc: p.Description(), Start: start, Ref: (p.Max - p.Min) / 8,
			Tuned: slices.Contains(s.Groups, p.Group) && !slices.Contains(s.Frozen, p.Name),
		}
	}
	return list, nil
}

// Groups returns the groups of the parameters in their order.
func (e *EngineSpec) Groups() []string {
	var groups []string
	for _, p := range e.Parameters {
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
	}
	return groups
}

// Schema returns a fingerprint of the names of the parameters.
func (e *EngineSpec) Schema() string {
	names := make([]string, len(e.Parameters))
	for i := range e.Parameters {
		names[i] = e.Parameters[i].Name
	}
	data, _ := json.Marshal(names) // texts can always be written
	return "engine-" + hashOf(data)
}
