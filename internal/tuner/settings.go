package tuner

import (
	"math"

	"quintune/ga"
)

// Settings are the numbers of the optimisers that a run is stored with, since its games depend on them.
type Settings struct {
	SigmaFrom float64 `json:"sigma_from"` // mutation at the start of the genetic algorithm, gene units
	SigmaTo   float64 `json:"sigma_to"`   // at its end
	Founders  float64 `json:"founders"`   // sd of its first generation, gene units
	Perturb   float64 `json:"perturb"`    // final perturbation of the simultaneous one, gene units
	Rate      float64 `json:"rate"`       // its final rate for rateGames
}

// DefaultSettings returns the settings measured in games (docs/results/optimisers.md), for a run with a warm start or one
// without. The optimisers' own defaults, which suit synthetic landscapes, are too wide here: a gene spans a factor of 64.
func DefaultSettings(warm bool) Settings {
	if warm { // what is near an optimum already is spoilt by wide steps
		return Settings{
			SigmaFrom: .03, SigmaTo: .015, Founders: .03,
			Perturb: .04, // a factor of 1.09 on a weight
			Rate:    .010,
		}
	}
	return Settings{
		SigmaFrom: .10, SigmaTo: .05, Founders: .10, // a third of what suits the landscapes
		Perturb: .10, // a factor of 1.23 on a weight
		Rate:    .010,
	}
}

const (
	rateGames = 40_000 // games of the rate; it falls with the root of the budget
	mostRate  = .02
)

// apply gives the settings to the configuration of an optimiser whose budget is set.
func (s Settings) apply(c *ga.Config) {
	c.SigmaFrom, c.SigmaTo, c.Founders = s.SigmaFrom, s.SigmaTo, s.Founders
	c.Perturb = s.Perturb
	c.Rate = min(mostRate, s.Rate*math.Sqrt(rateGames/float64(max(1, c.Budget))))
}
