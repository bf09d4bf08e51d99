package tuner

import (
	"fmt"
	"maps"
	"slices"

	"quintune/internal/match"
	"quintune/selfplay"
)

// countFaults counts the failures of candidates and of outside opponents in a generation.
func (r *Run) countFaults(g *generation) {
	for i := range g.results {
		p := &g.toPlay.Pairings[i]
		var t match.Tally
		t.Add(&g.results[i])
		opponent := candidates
		if k := p.B - len(g.Genomes); k >= 0 {
			opponent = r.opponents[k].Name
		}
		r.addFaults(candidates, opponent, &t)
	}
}

// candidates is the name under which failures of all genomes are counted.
const candidates = "candidates"

// addFaults counts the failures of both players of a tally, by their names.
func (r *Run) addFaults(a, b string, t *match.Tally) {
	r.addFaultsOf(a, t.FaultsA, t.FirstA)
	r.addFaultsOf(b, t.FaultsB, t.FirstB)
}

// addFaultsOf counts the failures of a player by kind, and reports the first one of each kind.
func (r *Run) addFaultsOf(name string, faults map[string]int64, first map[string]string) {
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		f := r.state.Fault(name, selfplay.FaultCause(kind))
		if f.Count == 0 {
			f.First = first[kind]
			r.warn(fmt.Sprintf("%s failed: %s; %s", name, f.First, match.Consequence(kind, r.config.Outside != nil)))
		}
		f.Count += faults[kind]
	}
}
