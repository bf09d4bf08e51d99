package selfplay

import "errors"

// FaultIllegal is the kind of a fault that the board found: a move that it refused.
const FaultIllegal = "illegal"

// Fault is the failure of a player as it is stored or sent: the kind, such as "timeout", and what happened.
type Fault struct{ Kind, Text string }

// Error returns the kind and what happened.
func (f *Fault) Error() string { return f.Kind + ": " + f.Text }

// FaultKind returns the kind.
func (f *Fault) FaultKind() string { return f.Kind }

// FaultKind returns the kind of a Game's Fault: what its method FaultKind says, or else "illegal".
func FaultKind(fault error) string {
	var f interface{ FaultKind() string }
	if errors.As(fault, &f) {
		return f.FaultKind()
	}
	return FaultIllegal
}
