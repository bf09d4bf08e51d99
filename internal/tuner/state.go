package tuner

import (
	"encoding/json"
	"slices"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/stats"
	"quintune/internal/store"
	"quintune/selfplay"
	"quintune/weights"
)

// State is what has been closed of a run: with its configuration, all that is needed to go on.
// It holds no generator and no clock.
type State struct {
	Generations int             `json:"generations"` // closed
	Games       int             `json:"games"`       // of all closed steps
	Evolution   int             `json:"evolution"`   // games of the closed generations
	Void        int             `json:"void"`        // pairs of generations in which a player failed twice
	Optimizer   json.RawMessage `json:"optimizer"`   // its checkpoint; null before the first generation
	Checks      []Check         `json:"checks"`
	Gates       []GateRecord    `json:"gates"`
	Validation  *match.Report   `json:"validation"` // against the start, the one that is quoted; null before it is played
	Further     []match.Report  `json:"further"`    // validations beside it, in the order of Run.trials
	Openings    []string        `json:"openings"`   // made for the validations, in pos notation
	Ended       int             `json:"ended"`      // games of an evolution that was ended before its time; 0: it was not
	Extended    int             `json:"extended"`   // budgets before the present one
	Done        bool            `json:"done"`       // no step is left
	Audited     int             `json:"audited"`    // games that were played once more for comparison, in no budget
	PlayedOut   int             `json:"played_out"` // games that were played on beyond a proven win, in no budget
	Overturned  int             `json:"overturned"` // of these, games that the claimed winner did not win
	Dropped     []string        `json:"dropped"`    // workers that older programs put out; no run adds to it
	Faults      []Fault         `json:"faults"`     // of outside opponents in all stages, by name and kind
	// Retired counts how often the pairs of each training opening were split.
	Retired *book.Retirement `json:"retired"`
}

// Fault counts how often a player failed in one way; its pairs are void.
type Fault struct {
	Player string `json:"player"`
	Kind   string `json:"kind"` // such as "timeout"
	Count  int64  `json:"count"`
	First  string `json:"first"` // what happened the first time
}

// Check is one check match: the optimiser's champion of the moment against the start weights.
type Check struct {
	Games int               `json:"games"` // evolution games before it
	Pairs stats.Pentanomial `json:"pairs"`
	Genes []float64         `json:"genes"` // of the champion
}

// GateRecord is one gate that was played.
type GateRecord struct {
	Generation int              `json:"generation"` // generations closed before it
	Final      bool             `json:"final"`
	Genes      []float64        `json:"genes"` // of the candidate
	Report     match.GateReport `json:"report"`
}

// Store keeps what a run has played and closed.
type Store interface {
	// Runner returns a runner that keeps the finished pairs of the open step. What a stopped process has
	// kept of the step is not played again.
	Runner(inner selfplay.Runner) selfplay.Runner
	// Forget drops the pairs of the open step.
	Forget() error
	// SaveState replaces the stored state, whole or not at all. closed is the generation that the closed
	// step was, nil where it was none.
	SaveState(s State, closed *store.Generation) error
	// SaveWeights keeps a set under a name such as "candidate" and returns where.
	SaveWeights(name string, set *weights.Set) (place string, err error)
}

// fault returns the count of a player's failures of one kind.
func (s *State) fault(name, kind string) *Fault {
	i := slices.IndexFunc(s.Faults, func(f Fault) bool { return f.Player == name && f.Kind == kind })
	if i < 0 {
		i = len(s.Faults)
		s.Faults = append(s.Faults, Fault{Player: name, Kind: kind})
	}
	return &s.Faults[i]
}

// validations returns how many have been played.
func (s *State) validations() int {
	if s.Validation == nil {
		return 0
	}
	return 1 + len(s.Further)
}

// gateGames returns the games of all gates so far.
func (s *State) gateGames() int {
	games := 0
	for i := range s.Gates {
		games += s.Gates[i].Report.Played()
	}
	return games
}

// finalGate returns the final gate, nil before it is played.
func (s *State) finalGate() *GateRecord {
	if n := len(s.Gates); n > 0 && s.Gates[n-1].Final {
		return &s.Gates[n-1]
	}
	return nil
}

// proven returns the last gate that was passed, nil when none was.
func (s *State) proven() *GateRecord {
	for i := len(s.Gates) - 1; i >= 0; i-- {
		if s.Gates[i].Report.Passed {
			return &s.Gates[i]
		}
	}
	return nil
}

// recentChecks is how many check matches the shown strength is pooled over.
const recentChecks = 5

// Pooled returns for every check match the pairs of it and of the ones right before it, at most five together: single
// ones are too short to say much. Games is that of the last of them.
func (s *State) Pooled() []Check {
	list := make([]Check, len(s.Checks))
	for i := range list {
		list[i].Games = s.Checks[i].Games
		for _, c := range s.Checks[max(0, i+1-recentChecks) : i+1] {
			list[i].Pairs = list[i].Pairs.Add(c.Pairs)
		}
	}
	return list
}

// against returns the last of the pooled check matches, empty before the first.
func (s *State) against() stats.Pentanomial {
	if n := len(s.Checks); n > 0 {
		return s.Pooled()[n-1].Pairs
	}
	return stats.Pentanomial{}
}
