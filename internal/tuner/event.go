package tuner

import (
	"time"

	"quintune/internal/stats"
	"quintune/weights"
)

// Stage is what a run is doing.
type Stage string

// The stages of a run in their usual order; checks and interim gates come between generations. The labels are part of a
// generation that is fitted to: its games are played, and the fit waits for its positions.
const (
	StageSpeed      Stage = "speed"
	StageEvolution  Stage = "evolution"
	StageLabels     Stage = "labels"
	StageCheck      Stage = "check"
	StageGate       Stage = "gate"
	StageValidation Stage = "validation"
	StageDone       Stage = "done"
)

// Event is the state of a run at one moment, for showing. It comes after every pair, now and then among the labels, and
// after every closed step, from one goroutine at a time.
type Event struct {
	Stage  Stage
	Closed bool // a step was closed; false: it has come further

	Phase      string // of the optimiser: "ga", "polish", ...
	Generation int    // generations closed
	Games      int    // played so far, of all stages, before a resume too
	Evolution  int    // games of the closed generations
	Budget     int    // games
	Sigma      float64
	Spread     float64
	Best, Mean float64 // Elo of the last closed generation above the mean of the anchors; see ga.Progress

	// Against is the strength of the optimiser's champion against the start weights, pooled over
	// the last check matches: an average over recent champions at the tuning nodes, for
	// watching only. AgainstPairs is the number of its pairs, 0 before the first.
	Against      stats.Estimate
	AgainstPairs int64

	Pairs  int64          // judged of the running or closed gate or validation
	Judged stats.Estimate // of its candidate against its opponent, where Pairs is above 0
	Most   int64          // pairs that it takes at most
	LLR    float64
	Lower  float64 // LLR at which the gate fails
	Upper  float64 // LLR at which it is passed

	Labelled  int // positions, of the open step's games; 0 outside the labels
	Positions int // to be labelled

	// Champion holds the weights of the optimiser's champion of the moment, where a generation was closed;
	// nil otherwise. Not to be written to.
	Champion *weights.Set
	Game     *Sample // one of the pair that was played last in the open step, nil before the first

	GamesPerSecond float64       // since the run was started or resumed, labels left out; 0 before the first pair
	Left           time.Duration // estimate; 0 when unknown
}
