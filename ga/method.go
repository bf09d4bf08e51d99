package ga

import "fmt"

// Names of the methods, as New takes them; Batch.Phase shows which one asks.
const (
	MethodGA    = "ga"
	MethodSPSA  = "spsa"
	MethodCMAES = "cmaes"
	// PhaseTrial is the phase of the match that chooses where the local finish begins.
	PhaseTrial = "trial"
	// PhasePolish is the phase of the local finish.
	PhasePolish = "polish"

	methodMemetic = "ga+polish"
)

// Methods returns the names that New takes.
func Methods() []string { return []string{MethodGA, MethodSPSA, MethodCMAES} }

// New returns the optimiser of a name: MethodGA is the genetic algorithm with
// its local finish, or alone when Config.Polish is 0.
func New(method string, c Config) (Optimizer, error) {
	switch {
	case method == MethodGA && c.Polish == 0:
		return NewGA(c)
	case method == MethodGA:
		return NewMemetic(c)
	case method == MethodSPSA:
		return NewSPSA(c)
	case method == MethodCMAES:
		return NewCMAES(c)
	}
	return nil, fmt.Errorf("ga: unknown method %q, known are %q", method, Methods())
}
