package fit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quintune/ga"
	"quintune/internal/stats"
	"quintune/internal/stream"
	"quintune/internal/strictjson"
	"quintune/weights"
)

// Method is the name of the optimiser.
const Method = "fit"

// Version is raised when equal settings begin to give other games or weights. A stored run continues with the
// version with which it began. In version 3 the results of games have no part in labels. Up to version 4 pairs that are too few for a fit and its trial are played one by one. Up to version 5 a fit scales
// weights of families that it does not fit, and a single fit is kept without a trial. Up to version 6 a first batch has no upper bound.
const Version = 7

// OldestVersion is the first version of a run that goes on: there is no older one of the present weights.
const OldestVersion = 3

// resultsCount is the first version whose labels hold the results of the games.
const resultsCount = 4

// endsEarly is the first version that leaves pairs unplayed which no fit could use.
const endsEarly = 5

// sparesOthers is the first version that leaves families alone which it does not fit.
const sparesOthers = 6

// triesAll is the first version that tries a single fit, too, if it has 512 games.
const triesAll = 6

// boundsFirst is the first version whose first batch has mostPairs at the most, as the others have.
const boundsFirst = 7

// Learner is an optimiser that also learns from the positions of its games. The caller passes the positions of a
// batch before the results of the batch.
type Learner interface {
	ga.Optimizer
	// Wants reports whether the open batch's games are to be labelled.
	Wants() bool
	// Learn takes the labelled positions of the open batch's games. With an error nothing changes; a ctx that is done is one.
	Learn(ctx context.Context, positions []Position) error
}

// Optimizer plays the present weights against themselves. In each pair one side adds a random change to the
// weights and the other subtracts it (antithetic perturbations), so no two games are equal. It then fits the weights to the
// positions of the batch, starting from the last fit. A small budget is one batch. A large one has a small first batch, so that
// better weights play and label the rest (docs/results/fit.md). Each fit is kept only if it wins a short match
// against the weights before it: a fit to games of good weights is often worse than they are. A fit of fewer than 512
// games is kept without a match: an eighth of them would tell nothing.
type Optimizer struct {
	config  ga.Config
	space   *weights.Space
	version int
	state   state
	open    *ga.Batch
	fitted  []float64 // by Learn, until Tell; nil: not yet
	report  *Report   // of that fit; nil: the positions were too few
}

// state is the closed part of a run, and its checkpoint.
type state struct {
	Genes     []float64     `json:"genes"`
	Tried     []float64     `json:"tried,omitempty"` // fitted genes that the next batch plays against Genes; none: it does not
	Batches   int           `json:"batches"`
	Fits      []Report      `json:"fits"` // all so far; only people and tests read them
	Progress  ga.Progress   `json:"progress"`
	Opponents []ga.Opponent `json:"opponents"`
}

// New returns the optimiser for the genes of the space, which are those of the configuration, in a version of the fit.
func New(c ga.Config, space *weights.Space, version int) (*Optimizer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	o := &Optimizer{config: c, space: space, version: version}
	for _, g := range c.Genes {
		o.state.Genes = append(o.state.Genes, g.Start)
	}
	o.state.Opponents = append(o.state.Opponents, c.Opponents...)
	o.state.Progress = ga.Progress{Phase: Method, Generation: -1, Budget: c.Budget}
	return o, nil
}

const (
	mostPairs   = 25_000 // pairs of a batch: some quarter of a million positions, which take 1.2 GB
	singlePairs = 4096   // greatest number of pairs of a budget that is not large
	leastPairs  = 32
	firstPart   = 4   // parts of a large budget, of which the first fit has one: its weights then label the rest
	trialPairs  = 128 // pairs of the match that decides whether a fit is kept: its standard error is some 20 Elo
	trialPart   = 8   // parts of a budget for a single fit, of which that match has one at the most; none where that is fewer than leastPairs
	variety     = .10 // change of every gene, gene units
)

// Ask returns the next batch, false when the budget is used up.
func (o *Optimizer) Ask() (ga.Batch, bool) { return ga.First(o.Open()) }

// Open returns the open batch. There is only one, because the next one depends on what is learnt from it.
func (o *Optimizer) Open() []ga.Batch {
	if o.open == nil {
		left := (o.config.Budget - o.state.Progress.Games) / 2
		switch {
		case left <= 0, o.ends(left):
			return nil
		case o.state.Tried != nil:
			o.open = o.trial(min(left, trialPairs))
		default:
			o.open = o.batch(o.size(left))
		}
	}
	return []ga.Batch{*o.open}
}

// ends reports whether the pairs that are left are too few for another fit with its trial.
func (o *Optimizer) ends(left int) bool {
	return o.version >= endsEarly && o.state.Batches > 0 && o.state.Tried == nil && left <= trialPairs
}

// size returns the number of pairs in the next batch to learn from. left is the number of pairs left; all
// batches but the first of a large budget have nearly the same size.
func (o *Optimizer) size(left int) int {
	if o.state.Batches == 0 && left > singlePairs {
		first := left / firstPart
		if o.version >= boundsFirst {
			first = min(mostPairs, first)
		}
		return first
	}
	rounds := (left + mostPairs + trialPairs - 1) / (mostPairs + trialPairs)
	if rounds == 1 && o.state.Batches == 0 {
		if trial := min(trialPairs, left/trialPart); o.version >= triesAll && trial >= leastPairs {
			return left - trial
		}
		return left
	}
	return max(1, left/rounds-trialPairs)
}

// trial returns the batch that the fitted genes play against those before.
func (o *Optimizer) trial(pairs int) *ga.Batch {
	generation := o.state.Batches
	return &ga.Batch{
		Generation: generation, Phase: Method, Openings: pairs, Genomes: [][]float64{o.state.Tried, o.state.Genes},
		Pairings: []ga.Pairing{{A: 0, B: 1, Pairs: pairs, Block: generation}},
	}
}

// batch draws the pairs of the next batch: the changes of each are a Rademacher vector times variety.
func (o *Optimizer) batch(size int) *ga.Batch {
	b := &ga.Batch{Generation: o.state.Batches, Phase: Method, Openings: size}
	rng := stream.New(o.config.Seed, "fit %d/changes", o.state.Batches)
	for k := range size {
		plus, minus := make([]float64, len(o.state.Genes)), make([]float64, len(o.state.Genes))
		for i, z := range o.state.Genes {
			plus[i], minus[i] = z, z
			if o.config.Genes[i].Frozen {
				continue
			}
			change := variety
			if rng.Uint64()&1 == 1 {
				change = -variety
			}
			plus[i], minus[i] = max(-1, min(1, z+change)), max(-1, min(1, z-change))
		}
		b.Genomes = append(b.Genomes, plus, minus)
		b.Pairings = append(b.Pairings, ga.Pairing{A: 2 * k, B: 2*k + 1, Pairs: 1, Block: b.Generation, Opening: k})
	}
	return b
}

var errNotLearnt = errors.New("fit: positions of a batch that is not learnt from")

// Wants reports whether the open batch is one to learn from. That of a trial is not.
func (o *Optimizer) Wants() bool { return o.state.Tried == nil }

// Learn fits the weights to the positions of the open batch. Too few positions leave them as they are. Of several calls for a batch
// the last one counts.
func (o *Optimizer) Learn(ctx context.Context, positions []Position) error {
	if o.open == nil {
		return errors.New("fit: positions of a batch that was not asked for")
	}
	if !o.Wants() {
		return errNotLearnt
	}
	s := Settings{ScaleAll: o.version < sparesOthers}
	for i, g := range o.config.Genes {
		if g.Frozen {
			s.Frozen = append(s.Frozen, i)
		}
	}
	if fitted, heldOut := split(positions); !enough(fitted, heldOut) {
		o.fitted, o.report = o.state.Genes, nil
		return nil
	}
	genes, report, err := Fit(ctx, o.space, o.state.Genes, positions, s)
	if err != nil {
		return err
	}
	o.fitted, o.report = genes, &report
	return nil
}

// Tell closes the batch.
func (o *Optimizer) Tell(results []stats.Pentanomial) error {
	if o.open == nil {
		return errors.New("fit: results of a batch that was not asked for")
	}
	if o.Wants() && o.fitted == nil {
		return errors.New("fit: results of a batch whose positions were not learnt")
	}
	void, err := ga.CheckResults(o.open.Pairings, results)
	if err != nil {
		return err
	}
	sigma := variety
	if o.state.Tried != nil {
		sigma = 0 // a trial changes no gene
	}
	old := &o.state.Progress
	o.state.Progress = ga.Progress{
		Phase: Method, Generation: o.open.Generation, Budget: o.config.Budget, Sigma: sigma, Spread: o.open.Spread(),
		Games: old.Games + o.open.Games(), VoidedPairs: old.VoidedPairs + void,
	}
	switch left := o.config.Budget - o.state.Progress.Games; {
	case o.state.Tried != nil:
		if results[0].Score() > .5 {
			o.state.Genes = o.state.Tried
		}
		o.state.Tried = nil
	case left >= 2 && !slices.Equal(o.fitted, o.state.Genes):
		o.state.Tried = o.fitted
	default:
		o.state.Genes = o.fitted
	}
	if o.report != nil {
		o.state.Fits = append(o.state.Fits, *o.report)
	}
	o.fitted, o.report, o.open = nil, nil, nil
	o.state.Batches++
	return nil
}

// Champion returns the fitted genome; until its trial is lost that of the last fit.
func (o *Optimizer) Champion() []float64 {
	if o.state.Tried != nil {
		return slices.Clone(o.state.Tried)
	}
	return slices.Clone(o.state.Genes)
}

// AddChampion records a gated champion; the fit plays no outside opponents.
func (o *Optimizer) AddChampion(name string) int {
	o.state.Opponents = append(o.state.Opponents, ga.Opponent{Name: name, Kind: ga.OldChampion, From: o.state.Batches})
	return len(o.state.Opponents) - 1
}

// Opponents returns a copy of the outside opponents by index.
func (o *Optimizer) Opponents() []ga.Opponent {
	return append([]ga.Opponent(nil), o.state.Opponents...)
}

// Progress returns the figures of the last closed batch.
func (o *Optimizer) Progress() ga.Progress { return o.state.Progress }

// Checkpoint returns the last closed batch.
func (o *Optimizer) Checkpoint() ([]byte, error) { return json.Marshal(o.state) }

// Restore continues from a checkpoint.
func (o *Optimizer) Restore(checkpoint []byte) error {
	var s state
	if err := decode(checkpoint, &s); err != nil {
		return err
	}
	if len(s.Genes) != len(o.config.Genes) || s.Batches < 0 || s.Progress.Games < 0 {
		return fmt.Errorf("fit: checkpoint of %d genes after %d batches and %d games, %d genes expected",
			len(s.Genes), s.Batches, s.Progress.Games, len(o.config.Genes))
	}
	if err := ga.CheckOpponents(s.Opponents, o.config.Opponents); err != nil {
		return err
	}
	if s.Tried != nil && len(s.Tried) != len(s.Genes) {
		return fmt.Errorf("fit: checkpoint of %d genes tries %d", len(s.Genes), len(s.Tried))
	}
	for i, z := range slices.Concat(s.Genes, s.Tried) {
		switch g := &o.config.Genes[i%len(s.Genes)]; {
		case !(z >= -1 && z <= 1):
			return fmt.Errorf("fit: checkpoint: gene %s is %v, outside [-1, 1]", g.Name, z)
		case g.Frozen && z != g.Start:
			return fmt.Errorf("fit: checkpoint: gene %s is %v, and frozen at %v", g.Name, z, g.Start)
		}
	}
	s.Progress.Budget = o.config.Budget
	o.state, o.open, o.fitted, o.report = s, nil, nil, nil
	return nil
}

// decode reads a checkpoint strictly.
func decode(checkpoint []byte, into any) error {
	if err := strictjson.Decode(checkpoint, into); err != nil {
		return fmt.Errorf("fit: checkpoint: %w", err)
	}
	return nil
}
