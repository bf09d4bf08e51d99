package run

import (
	"quintune/internal/match"
	"quintune/internal/stats"
)

// Figures describe the optimiser after a closed generation, for watching only; see ga.Progress.
type Figures struct {
	Sigma  float64 `json:"sigma"`  // mutation or perturbation, gene units
	Spread float64 `json:"spread"` // mean over genes of the genomes' standard deviation, gene units
	Best   float64 `json:"best"`   // Elo of the centre above where the optimiser began
	Mean   float64 `json:"mean"`   // the same, but in runs of older programs
}

// Rated reports whether Best and Mean are ratings. An optimiser that does not rate its genomes leaves both 0.
func (f *Figures) Rated() bool { return f.Best != 0 || f.Mean != 0 }

// Generation is a closed generation of the optimiser.
type Generation struct {
	Number int    `json:"number"`
	Phase  string `json:"phase"`
	Games  int    `json:"games"` // of the evolution so far
	Figures
	Values []float64 `json:"values"` // of the current champion, in the order of Spec.Parameters; a page is told of tuned ones only
}

// Check is one check match: the current champion against the start weights.
type Check struct {
	Games int               `json:"games"` // evolution games before it
	Pairs stats.Pentanomial `json:"pairs"`
	Genes []float64         `json:"genes"` // of the champion
}

// Point returns the strength that the check measured.
func (c *Check) Point() Point {
	return Point{Games: c.Games, Pairs: c.Pairs.Pairs(), Estimate: c.Pairs.Elo()}
}

// Point is a strength against the start with its 95 % interval.
type Point struct {
	Games int   `json:"games"` // games of the evolution before this check
	Pairs int64 `json:"pairs"` // that it is measured on
	stats.Estimate
}

// Gate is one gate that was played.
type Gate struct {
	Generation int              `json:"generation"` // generations closed before it
	Final      bool             `json:"final"`
	Genes      []float64        `json:"genes"` // of the candidate
	Report     match.GateReport `json:"report"`
}

// Fault counts the games in which a player failed in one way. Their pairs are void, or lost where the move was forbidden or the
// player is an engine that is tuned.
type Fault struct {
	Player string `json:"player"`
	Kind   string `json:"kind"` // such as "timeout"
	Count  int64  `json:"count"`
	First  string `json:"first"` // what happened the first time
}
