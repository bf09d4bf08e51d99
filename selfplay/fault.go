package selfplay

import (
	"errors"
	"strings"

	"quintune/board"
)

// Kinds of faults in moves.
const (
	// FaultIllegal is an illegal move.
	FaultIllegal = "illegal"
	// FaultForbidden is a forbidden move of Black under renju. As in tournaments it loses the game and is not a failure of
	// the player, so the pair counts.
	FaultForbidden = "forbidden"
)

// lostBy begins the kind of a failure that counts as a lost game, such as "lost by crash"; see
// Contestant.Liable.
const lostBy = "lost by "

// FaultCause returns the kind without "lost by ".
func FaultCause(kind string) string { return strings.TrimPrefix(kind, lostBy) }

// Fault is the failure of a player in the form in which it is stored or sent: its kind, such as "timeout", and the
// text of the error.
type Fault struct{ Kind, Text string }

// Error returns the text.
func (f *Fault) Error() string { return f.Text }

// FaultKind returns the kind.
func (f *Fault) FaultKind() string { return f.Kind }

// FaultKind returns the kind of a Game's Fault, which is not nil: the result of its method FaultKind if it has one, else
// "forbidden" or "illegal".
func FaultKind(fault error) string {
	var f interface{ FaultKind() string }
	if errors.As(fault, &f) {
		return f.FaultKind()
	}
	if errors.Is(fault, board.ErrForbidden) {
		return FaultForbidden
	}
	return FaultIllegal
}

// failed reports whether the game ended by the failure of a player.
func (g *Game) failed() bool {
	if g.Fault == nil {
		return false
	}
	kind := FaultKind(g.Fault)
	return kind != FaultForbidden && !strings.HasPrefix(kind, lostBy)
}

// FaultOfA reports whether A is at fault in a game with a Fault, which is game i of its pair; A has colour i.
func (g *Game) FaultOfA(i int) bool { return int(g.Faulty) == i }

// Failed returns the last failures of A and of B in a void pair; nil for a side that did not fail.
func (r *Result) Failed() (failures [2]error) {
	for i := range r.Games {
		if g := &r.Games[i]; g.failed() {
			side := 0
			if !g.FaultOfA(i) {
				side = 1
			}
			failures[side] = g.Fault
		}
	}
	return failures
}

// answer turns failures of liable players into losses.
func (r *Result) answer(batch *Batch, pairing *Pairing) {
	for i := range r.Games {
		g, faulty := &r.Games[i], pairing.A
		if !g.FaultOfA(i) {
			faulty = pairing.B
		}
		if g.failed() && batch.Contestants[faulty].Liable {
			kind := lostBy + FaultKind(g.Fault)
			g.Fault = &Fault{kind, kind + ": " + g.Fault.Error()}
		}
	}
}
