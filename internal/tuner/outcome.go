package tuner

import (
	"quintune/internal/engine"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/text"
	"quintune/weights"
)

// Outcome is the result of a run when it stops.
type Outcome struct {
	run.Outcome
	Run         string
	Set         *weights.Set  // recommended weights with their provenance; nil for an engine from outside
	Values      engine.Values // recommended values of an engine from outside; nil for weights
	File        []byte        // content of the recommended file
	Proven      bool          // the recommended set has passed a gate
	Interrupted bool
	Open        int               // stored games of the step that was interrupted, and of generations in flight
	Path        string            // path at which the store keeps the set
	Gate        *match.GateReport // the last one played; nil: none

	supersedes func(values []float64) bool // of the Run that has come to it: one that saw forged results is given up before its end
}

// mostLabel bounds the part of a result's name that tells its start, in bytes.
const mostLabel = 60

// finish stores the recommended set with its provenance.
func (r *Run) finish(interrupted bool) (*Outcome, error) {
	result, err := r.recommended()
	if err != nil {
		return nil, err
	}
	s := &r.state
	o := &Outcome{
		Outcome: s.Outcome, Run: r.id, Set: result.player.Weights, Values: result.engine,
		Proven: s.Proven() != nil, Interrupted: interrupted, Open: r.meter.games, Gate: s.LastGate(),
		supersedes: r.supersedes,
	}
	name := text.Line(r.config.StartLabel(), mostLabel) + "-" + r.id[:8]
	if o.File, err = r.subject.result(result, name, r.provenance(o)); err != nil {
		return nil, err
	}
	if o.Path, err = r.env.Store.SaveResult(run.Candidate, o.File); err != nil {
		return nil, err
	}
	r.tellEnd(interrupted)
	return o, nil
}

func (r *Run) provenance(o *Outcome) *weights.Provenance {
	c := r.config
	p := &weights.Provenance{
		Run: r.id, Start: c.StartName, Seed: c.Seed,
		Games: int64(r.state.Evolution), Generations: int64(o.Generations), Nodes: c.nodes(), FirstNodes: c.FirstNodes,
		Optimizer: c.Optimizer, Engine: c.engineSignature(), Commit: r.env.Commit, Proven: o.Proven,
	}
	if v := o.Validation; v != nil && !v.Unplayed() {
		headline := provenanceOf(v)
		p.Validation = &headline
	}
	for i := range o.Further {
		if v := &o.Further[i]; !v.Unplayed() {
			p.Further = append(p.Further, provenanceOf(v))
		}
	}
	return p
}

// provenanceOf returns the report in the form in which a weights file holds it.
func provenanceOf(r *match.Report) weights.Validation {
	return weights.Validation{
		Opponent: r.B, Nodes: r.Nodes, Pairs: r.Pairs, Games: r.Games, Pentanomial: r.Pentanomial,
		Elo: r.Elo, EloLow: r.EloLow, EloHigh: r.EloHigh, Openings: r.Openings, Seed: r.Seed,
	}
}
