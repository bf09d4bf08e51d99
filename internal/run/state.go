package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/stats"
)

// Outcome is what a run has come to so far.
type Outcome struct {
	Generations int            `json:"generations"` // closed
	Games       int            `json:"games"`       // of all closed steps
	Evolution   int            `json:"evolution"`   // games of the closed generations
	Void        int            `json:"void"`        // pairs of generations in which a player failed twice
	Checks      []Check        `json:"checks"`
	Validation  *match.Report  `json:"validation"`        // against the start, the one to quote; null before it is played
	Further     []match.Report `json:"further"`           // validations beside it
	Ended       int            `json:"ended"`             // games of an evolution that was ended early; 0: it was not
	Settled     bool           `json:"settled,omitempty"` // it ended since twice the games gained little, see SettledWords
	Done        bool           `json:"done"`              // no step is left
	Audited     int            `json:"audited"`           // games that were played once more for comparison, in no budget
	PlayedOut   int            `json:"played_out"`        // games that were played on beyond a proven win, in no budget
	Overturned  int            `json:"overturned"`        // games of PlayedOut that the claimed winner did not win
	Dropped     []string       `json:"dropped"`           // names of workers; read from stored runs, never written
	Faults      []Fault        `json:"faults"`            // of players from outside in all stages, by name and kind
}

// State is everything closed of a run. With its Spec it is all that is needed to continue. It holds no random
// generator and no clock.
type State struct {
	Outcome
	Optimizer json.RawMessage  `json:"optimizer"` // its checkpoint; null before the first generation
	Gates     []Gate           `json:"gates"`
	Openings  []string         `json:"openings"`            // made for the validations, in pos notation
	Extended  int              `json:"extended"`            // budgets before the present one
	Retired   *book.Retirement `json:"retired"`             // how often the pairs of each training opening were split
	WentOn    bool             `json:"went_on,omitempty"`   // it got a greater budget after it had settled, and does not settle again
	Surface   json.RawMessage  `json:"surface,omitempty"`   // of runs of the optimisers before version 4; read from stored runs, never used
	Delivered []float64        `json:"delivered,omitempty"` // genes of the result of the last budget that was used up without a gate
}

// Reopen removes the end from the state of a run that has had the given number of budgets before the present one, if it has got
// that since the state was stored.
func (s *State) Reopen(extended int) {
	if s.Extended == extended {
		return
	}
	s.Gates = slices.Clone(s.Gates)
	for i := range s.Gates {
		s.Gates[i].Final = false
	}
	s.WentOn, s.Settled = s.WentOn || s.Settled, false
	s.Extended, s.Ended, s.Done = extended, 0, false
	s.Validation, s.Further, s.Openings = nil, nil, nil
}

// Fault returns the count of a player's failures of one kind. It adds a count of 0 where there is none.
func (o *Outcome) Fault(player, kind string) *Fault {
	i := slices.IndexFunc(o.Faults, func(f Fault) bool { return f.Player == player && f.Kind == kind })
	if i < 0 {
		i = len(o.Faults)
		o.Faults = append(o.Faults, Fault{Player: player, Kind: kind})
	}
	return &o.Faults[i]
}

// Validations returns all validations that are done, the one to quote first. Some may be unplayed; see match.Report.
func (o *Outcome) Validations() []*match.Report {
	var list []*match.Report
	if o.Validation != nil {
		list = append(list, o.Validation)
	}
	for i := range o.Further {
		list = append(list, &o.Further[i])
	}
	return list
}

// recentChecks is the number of check matches that the shown strength is pooled over.
const recentChecks = 5

// Pooled returns, for every check match, its pairs together with those of up to four matches before it, because
// a single match is too short. Games is that of the last match.
func (o *Outcome) Pooled() []Check {
	list := make([]Check, len(o.Checks))
	for i := range list {
		list[i].Games = o.Checks[i].Games
		for _, c := range o.Checks[max(0, i+1-recentChecks) : i+1] {
			list[i].Pairs = list[i].Pairs.Add(c.Pairs)
		}
	}
	return list
}

// Against returns the last of the pooled check matches, empty before the first.
func (o *Outcome) Against() stats.Pentanomial {
	if n := len(o.Checks); n > 0 {
		return o.Pooled()[n-1].Pairs
	}
	return stats.Pentanomial{}
}

// Progress returns how far the run has come, without its steps.
func (o *Outcome) Progress() Progress {
	return Progress{Games: o.Games, Generations: o.Generations, Done: o.Done}
}

// RepeatedEnd returns the games after which the evolution is told to end where the run is repeated, 0 for none: those after which a deadline
// ended it, else those that were asked for. A run that settles does so by itself.
func (o *Outcome) RepeatedEnd(asked int) int {
	if o.Settled {
		return asked
	}
	return cmp.Or(o.Ended, asked)
}

// GateGames returns the games of all gates so far.
func (s *State) GateGames() int {
	games := 0
	for i := range s.Gates {
		games += s.Gates[i].Report.Played()
	}
	return games
}

// GatePurpose returns what the games of a gate are played for, by the number of gates before it.
func GatePurpose(gate int) string { return fmt.Sprintf("gate %d", gate) }

// LastGate returns the report of the last gate, nil before the first.
func (s *State) LastGate() *match.GateReport {
	if n := len(s.Gates); n > 0 {
		return &s.Gates[n-1].Report
	}
	return nil
}

// FinalGate returns the final gate, nil before it is played.
func (s *State) FinalGate() *Gate {
	if n := len(s.Gates); n > 0 && s.Gates[n-1].Final {
		return &s.Gates[n-1]
	}
	return nil
}

// EvolutionOpen reports whether the run may still use up its budget: its evolution was not ended early, and the final gate is to come.
func (s *State) EvolutionOpen() bool { return s.Ended == 0 && s.FinalGate() == nil }

// Proven returns the last gate that was passed, nil when none was.
func (s *State) Proven() *Gate {
	for i := len(s.Gates) - 1; i >= 0; i-- {
		if s.Gates[i].Report.Passed {
			return &s.Gates[i]
		}
	}
	return nil
}
