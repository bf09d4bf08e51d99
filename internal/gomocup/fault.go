package gomocup

import (
	"fmt"

	"quintune/internal/text"
)

// FaultKind says in which way an engine failed.
type FaultKind uint8

const (
	FaultStart    FaultKind = iota // the process or the board could not be started
	FaultCrash                     // the engine ended, or closed its output
	FaultTimeout                   // no answer in time; or one that came too late
	FaultIllegal                   // a move off the board, onto a stone, or against the rule
	FaultProtocol                  // ERROR, or nothing but lines that are not answers
)

// String returns the kind's name, such as "timeout".
func (k FaultKind) String() string {
	return [...]string{"start", "crash", "timeout", "illegal", "protocol"}[k]
}

// Fault is an engine's failure; it loses a game, and its methods return it as an error.
type Fault struct {
	Kind FaultKind
	Text string // what happened, printable ASCII
}

// Error returns the kind and what happened.
func (f *Fault) Error() string { return f.Kind.String() + ": " + f.Text }

// FaultKind returns the name of the kind, for those who count the faults of games.
func (f *Fault) FaultKind() string { return f.Kind.String() }

func fault(kind FaultKind, format string, args ...any) *Fault {
	return &Fault{kind, text.ASCII(fmt.Sprintf(format, args...), maxAnswer)}
}
