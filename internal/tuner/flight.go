package tuner

import (
	"fmt"
	"time"

	"quintune/ga"
)

// checkInFlight refuses generations in flight of a method that needs the results of each before the next.
func (c *Config) checkInFlight() error {
	n := c.Settings.InFlight
	switch {
	case n < 0 || n > ga.MaxInFlight:
		return fmt.Errorf("tuner: %d generations in flight are outside [0, %d]", n, ga.MaxInFlight)
	case n > 1 && !c.flies():
		return fmt.Errorf("tuner: %d generations in flight: with optimizer %s each needs the results of the one before", n, c.Optimizer)
	}
	return nil
}

// flies reports whether several generations of the optimizer may be in flight.
func (c *Config) flies() bool {
	return c.Optimizer == ga.MethodSPSA || c.Optimizer == ga.MethodGA && c.Settings.Adapt
}

const (
	fewJobs = 16 // wait so little at the end of a generation that nothing is gained
	// The end of a generation, with its stragglers and lost tasks, takes about this time (docs/scaling.md).
	endOfGeneration = 6 * time.Second
	pairAt1000Nodes = 30 * time.Millisecond // on one core
	mostChosen      = 8                     // beyond, the strategy loses more by old results than the jobs win
)

// InFlight returns the number of generations in flight that keeps a number of jobs busy while each ends; 0 stands for one.
func (c *Config) InFlight(jobs int) (int, error) {
	if jobs <= fewJobs || !c.flies() {
		return 0, nil
	}
	for n := 2; n < mostChosen; n++ {
		pairs, err := c.generationPairs(n)
		if err != nil {
			return 0, err
		}
		pair := time.Duration(c.Nodes) * pairAt1000Nodes / 1000
		if time.Duration((n-1)*pairs)*pair >= time.Duration(jobs)*endOfGeneration {
			return n, nil
		}
	}
	return mostChosen, nil
}

// generationPairs returns the pairs of the first generation of the optimizer, with a number of them in flight.
func (c *Config) generationPairs(inFlight int) (int, error) {
	flying := *c
	flying.Settings.InFlight, flying.WarmStart = inFlight, 0
	r, err := New(&flying)
	if err != nil {
		return 0, err
	}
	b, _ := r.optimizer.Ask()
	return b.Games() / 2, nil
}
