package tuner

import (
	"quintune/board"
	"quintune/internal/stats"
	"quintune/selfplay"
)

// Tally counts the games of a match, seen from A. Void pairs, in which a player failed twice,
// count in Faults only, as does what was discarded.
type Tally struct {
	Pairs               stats.Pentanomial
	Wins, Draws, Losses int64
	Void                int64
	FaultsA, FaultsB    map[string]int64 // by kind; nil: none
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

// addFault counts the fault of game i, in which A has colour i.
func (t *Tally) addFault(g *selfplay.Game, i int) {
	if g.Fault == nil {
		return
	}
	faults := &t.FaultsA
	if int(g.Faulty) != i {
		faults = &t.FaultsB
	}
	if *faults == nil {
		*faults = map[string]int64{}
	}
	(*faults)[selfplay.FaultKind(g.Fault)]++
}

// Games returns the number of games played, those of void pairs included.
func (t *Tally) Games() int { return int(t.Pairs.Games() + 2*t.Void) }
