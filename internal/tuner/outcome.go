package tuner

import (
	"fmt"

	"quintune/internal/engine"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/weights"
)

// Outcome is what a run came to when its playing ended.
type Outcome struct {
	run.Outcome
	Run         string
	Set         *weights.Set  // recommended, with its provenance; nil of an engine from outside
	Values      engine.Values // recommended, of an engine from outside; nil of weights
	File        []byte        // file of what is recommended
	Proven      bool          // it passed a gate
	Interrupted bool
	Open        int               // games of the step that was interrupted, which are stored
	Place       string            // where the store keeps the set
	Gate        *match.GateReport // the last one played; nil: none
}

// finish hands the recommended set with its provenance to the store.
func (r *Run) finish(interrupted bool) (*Outcome, error) {
	result, err := r.recommended()
	if err != nil {
		return nil, err
	}
	s := &r.state
	o := &Outcome{
		Outcome: s.Outcome, Run: r.id, Set: result.player.Weights, Values: result.engine,
		Proven: s.Proven() != nil, Interrupted: interrupted, Open: r.meter.games, Gate: s.LastGate(),
	}
	name := fmt.Sprintf("%.60s-%s", r.config.StartLabel(), r.id[:8])
	if o.File, err = r.subject.result(result, name, r.provenance(o)); err != nil {
		return nil, err
	}
	if o.Place, err = r.setting.Store.SaveResult(run.Candidate, o.File); err != nil {
		return nil, err
	}
	r.tellEnd(interrupted)
	return o, nil
}

func (r *Run) provenance(o *Outcome) *weights.Provenance {
	c := r.config
	p := &weights.Provenance{
		Run: r.id, Start: c.StartName, Seed: c.Seed,
		Games: int64(r.state.Evolution), Generations: int64(o.Generations), Nodes: c.Nodes,
		Optimizer: c.Optimizer, Engine: c.player(), Commit: r.setting.Commit, Proven: o.Proven,
	}
	if v := o.Validation; v != nil {
		headline := provenanceOf(v)
		p.Validation = &headline
	}
	for i := range o.Further {
		p.Further = append(p.Further, provenanceOf(&o.Further[i]))
	}
	return p
}

// provenanceOf returns the report as a weights file holds it.
func provenanceOf(r *match.Report) weights.Validation {
	return weights.Validation{
		Opponent: r.B, Nodes: r.Nodes, Pairs: r.Pairs, Games: r.Games, Pentanomial: r.Pentanomial,
		Elo: r.Elo, EloLow: r.EloLow, EloHigh: r.EloHigh, Openings: r.Openings, Seed: r.Seed,
	}
}
