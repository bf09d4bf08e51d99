package gomocup

import (
	"fmt"
	"slices"
	"time"

	"quintune/internal/text"
)

// statusWait is how long the exit status of an engine that closed its output is waited for.
const statusWait = time.Second

// Alive reports whether the engine can be asked more. It stays true after a fault that ends a game
// but not the engine, such as an illegal move.
func (c *Client) Alive() bool { return c.dead == nil }

// Quit ends the engine: END, a while to leave, then a kill. The error is a FaultTimeout when the
// kill was needed. All goroutines have ended when it returns.
func (c *Client) Quit() error {
	var late error
	if c.dead == nil {
		c.send("END")
		if !c.leaves(c.options.QuitTimeout) {
			late = fault(FaultTimeout, "did not leave within %d ms of END", c.options.QuitTimeout.Milliseconds())
		}
		c.dead = fault(FaultCrash, "the engine was ended")
	}
	c.Kill()
	return late
}

// Kill ends the engine, its process group and the client's goroutines at once. A call that waits
// in another goroutine returns a FaultCrash.
func (c *Client) Kill() {
	c.once.Do(func() { close(c.closed) })
	c.program.close()
	c.running.Wait()
}

// leaves reads on until the engine closes its output, and reports whether it did in time.
func (c *Client) leaves(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		select {
		case in, ok := <-c.lines:
			if !ok {
				return true
			}
			c.options.Report(in.text)
		case <-timer.C:
			return false
		}
	}
}

// fail ends an engine that cannot go on.
func (c *Client) fail(f *Fault) *Fault {
	c.dead = f
	c.Kill()
	return f
}

// crashed returns the fault of an engine whose output has ended.
func (c *Client) crashed() *Fault {
	return c.fail(fault(FaultCrash, "the engine %s", c.program.lastWords(statusWait)))
}

// FaultKind says in which way an engine failed.
type FaultKind uint8

const (
	FaultStart    FaultKind = iota // the process or the board could not be started
	FaultCrash                     // the engine ended, or closed its output
	FaultTimeout                   // no answer in time; or one that came too late
	FaultIllegal                   // a move off the board, onto a stone, or against the rule
	FaultProtocol                  // ERROR, or nothing but lines that are not answers
)

// faultKinds holds the kinds' names.
var faultKinds = [...]string{"start", "crash", "timeout", "illegal", "protocol"}

// String returns the kind's name, such as "timeout".
func (k FaultKind) String() string { return faultKinds[k] }

// IsFaultKind reports whether a kind has the name.
func IsFaultKind(name string) bool { return slices.Contains(faultKinds[:], name) }

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
