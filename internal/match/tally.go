package match

import (
	"quintune/board"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/selfplay"
)

// Tally counts the games of a match, seen from A. A pair in which a player failed twice is void: it and
// discarded games count in the faults only.
type Tally struct {
	Pairs               stats.Pentanomial
	Wins, Draws, Losses int64
	Void                int64
	FaultsA, FaultsB    map[string]int64  // [kind]; nil: no faults
	FirstA, FirstB      map[string]string // [kind]: message of the first fault of the kind; nil: no faults
}

// Add counts a pair.
func (t *Tally) Add(r *selfplay.Result) {
	for i := range r.Discarded {
		t.addFault(&r.Discarded[i], i)
	}
	for i := range r.Games {
		t.addFault(&r.Games[i], i)
	}
	if r.Void() {
		t.Void++
		return
	}
	t.Pairs[r.Points()]++
	for i := range r.Games {
		switch r.Games[i].Outcome {
		case board.Draw:
			t.Draws++
		case board.WinFor(board.Colour(i)):
			t.Wins++
		default:
			t.Losses++
		}
	}
}

// addFault counts the fault of game i. A is Black in game 0, White in game 1.
func (t *Tally) addFault(g *selfplay.Game, i int) {
	if g.Fault == nil {
		return
	}
	faults, first := &t.FaultsA, &t.FirstA
	if !g.FaultOfA(i) {
		faults, first = &t.FaultsB, &t.FirstB
	}
	if *faults == nil {
		*faults, *first = map[string]int64{}, map[string]string{}
	}
	kind := selfplay.FaultKind(g.Fault)
	if (*faults)[kind]++; (*faults)[kind] == 1 {
		(*first)[kind] = FaultText(g.Fault)
	}
}

// mostFaultText bounds the text of a fault, in bytes: engines from outside may write anything.
const mostFaultText = 300

// FaultText returns the text of a fault as it is stored.
func FaultText(fault error) string { return text.Line(fault.Error(), mostFaultText) }

// Consequence returns, for people, what comes of a fault of the kind. liable reports whether an engine that is tuned may be at fault; see
// selfplay.Contestant.
func Consequence(kind string, liable bool) string {
	switch {
	case kind == selfplay.FaultForbidden:
		return "a forbidden move loses the game"
	case liable:
		return "a pair in which a player fails is played once more, then it is void, or lost where an engine that is tuned fails"
	}
	return "a pair in which a player fails is played once more, then it is void"
}

// Games returns the number of games played, those of void pairs included.
func (t *Tally) Games() int { return int(t.Pairs.Games() + 2*t.Void) }
