package tuner

import (
	"fmt"

	"quintune/internal/match"
	"quintune/weights"
)

// Outcome is what a run came to.
type Outcome struct {
	Run         string
	Set         *weights.Set // recommended, with its provenance
	Proven      bool         // it passed a gate
	Interrupted bool
	Place       string // where the store keeps the set
	Games       int    // played, of all kinds
	Generations int
	Gate        *match.GateReport // the last one played; nil: none
	Validation  *match.Report     // against the start; nil: none
	Further     []match.Report    // validations beside it
	Faults      []Fault           // of outside opponents
	Audited     int               // games played once more for comparison
	PlayedOut   int               // games played on beyond a proven win
	Overturned  int               // of these, games that the claimed winner did not win
	Dropped     []string          // workers that older programs put out
	Ended       int               // games of an evolution that was ended before its time; 0: it was not
}

// finish hands the recommended set with its provenance to the store.
func (r *Run) finish(interrupted bool) (*Outcome, error) {
	set, err := r.recommended()
	if err != nil {
		return nil, err
	}
	s := &r.state
	o := &Outcome{
		Run: r.id, Set: set, Proven: s.proven() != nil, Interrupted: interrupted,
		Games: s.Games, Generations: s.Generations, Validation: s.Validation,
		Further: s.Further, Faults: s.Faults, Audited: s.Audited, PlayedOut: s.PlayedOut, Overturned: s.Overturned, Dropped: s.Dropped, Ended: s.Ended,
	}
	if n := len(s.Gates); n > 0 {
		o.Gate = &s.Gates[n-1].Report
	}
	set.Name = fmt.Sprintf("%.60s-%s", r.config.Start.Name, r.id[:8])
	set.Provenance = r.provenance(o)
	if o.Place, err = r.setting.Store.SaveWeights("candidate", set); err != nil {
		return nil, err
	}
	r.enter(StageDone, 0)
	return o, nil
}

func (r *Run) provenance(o *Outcome) *weights.Provenance {
	c := r.config
	p := &weights.Provenance{
		Run: r.id, Start: c.StartName, Seed: c.Seed,
		Games: int64(r.state.Evolution), Generations: int64(o.Generations), Nodes: c.Nodes,
		Optimizer: c.Optimizer, Engine: c.Engine, Commit: r.setting.Commit, Proven: o.Proven,
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
