package run

import (
	"quintune/internal/match"
	"quintune/internal/stats"
)

// Sensitivity lists which weights of a run mattered.
type Sensitivity struct {
	Run     string         `json:"run"`               // its id when this was measured
	Steps   int            `json:"steps"`             // that were closed by then; 0: not known
	Games   int            `json:"games"`             // played for it, in no run's budget
	Groups  []GroupChange  `json:"groups"`            // what taking back whole groups costs; empty where a run tunes one group
	Changes []WeightChange `json:"changes"`           // of the tuned weights, the greatest first
	UsedUp  bool           `json:"used_up,omitempty"` // a match has used all openings that there are: it cannot be longer
}

// Greatest returns the match of the greatest cost of a single weight that is shown; nil where none is. played is the number of costs that
// were measured. insignificant of them are shown each for itself, but one of all played may be by chance. unclear of them show nothing.
func (s *Sensitivity) Greatest() (best *match.Report, played, insignificant, unclear int) {
	for i := range s.Changes {
		if s.Changes[i].Cost != nil {
			played++
		}
	}
	for i := range s.Changes {
		cost := s.Changes[i].Cost
		if cost == nil {
			continue
		}
		// One interval of several misses 0 by chance more often than a single one does (Bonferroni).
		byChance := float64(2*played)*(1-cost.LOS) > 1-stats.Confidence
		switch shown := cost.Shown(); {
		case shown == 0:
			unclear++
		case shown > 0 && byChance:
			insignificant++
		case shown > 0 && (best == nil || cost.Elo > best.Elo):
			best = cost
		}
	}
	return best, played, insignificant, unclear
}

// GroupChange is the change of the tuned weights of a group.
type GroupChange struct {
	Name    string        `json:"name"`
	Weights int           `json:"weights"` // number of them that changed
	Cost    *match.Report `json:"cost"`    // as WeightChange.Cost, with the whole group set back; null where none was played
}

// WeightChange is the change of one tuned weight.
type WeightChange struct {
	Name   string  `json:"name"`
	Start  float64 `json:"start"`  // as the run began with it
	Tuned  float64 `json:"tuned"`  // as the run recommends it
	Change float64 `json:"change"` // of its gene, which spans [-1, 1]; that of a weight with a predecessor is its step over this one
	// Spread is the sd of its gene among the champions of the last check matches; null where there were too few. A change within
	// the spread is drift.
	Spread *float64 `json:"spread"`
	// Cost is a match of the recommended weights against the same weights with this gene set back to the start, and with
	// it the classes above it. Its Elo is the worth of the change. Null where it was not played.
	Cost *match.Report `json:"cost"`
}
