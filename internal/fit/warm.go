package fit

import (
	"context"
	"encoding/json"
	"fmt"

	"quintune/ga"
	"quintune/internal/stats"
	"quintune/weights"
)

// Warm is another optimiser with a warm start: for a share of the budget, the games of one large batch at the most, the
// weights are fitted, and the other one begins where the fit ends.
type Warm struct {
	config ga.Config
	fit    *Optimizer
	build  func(ga.Config) (ga.Optimizer, error)
	rest   ga.Optimizer // nil until the fit is done
}

// warmState holds the checkpoints of both.
type warmState struct {
	Fit  json.RawMessage `json:"fit"`
	Rest json.RawMessage `json:"rest,omitempty"`
}

// leastGames is the smallest warm start: fewer games say less than the start does.
const leastGames = 200

// NewWarm returns an optimiser that fits for a share of the configuration's budget, in (0, 1), and hands the
// rest to the optimiser that build makes. A share below 200 games has no fit.
func NewWarm(c ga.Config, space *weights.Space, version int, share float64, build func(ga.Config) (ga.Optimizer, error)) (*Warm, error) {
	if !(share > 0 && share < 1) {
		return nil, fmt.Errorf("fit: the share of a warm start is %v, outside (0, 1)", share)
	}
	if _, err := build(c); err != nil {
		return nil, err
	}
	first := c
	first.Budget = WarmGames(share, c.Budget)
	fit, err := New(first, space, version)
	return &Warm{config: c, fit: fit, build: build}, err
}

// MostWarmGames is the greatest number of games of a warm start: one batch.
const MostWarmGames = 2 * mostPairs

// WarmGames returns the games of a warm start with a share of the budget, games.
func WarmGames(share float64, budget int) int {
	games := min(MostWarmGames, int(share*float64(budget)))
	if games < leastGames {
		return 0
	}
	return games
}

// begun returns the other optimiser, made where the fit has ended; nil before.
func (w *Warm) begun() ga.Optimizer {
	if w.rest != nil {
		return w.rest
	}
	if _, more := w.fit.Ask(); more {
		return nil
	}
	rest, err := w.after(w.fit)
	if err != nil {
		panic(err) // it was built with the same configuration before: our own invariant is broken
	}
	w.rest = rest
	return rest
}

// after returns the other optimiser as it begins where the fit ends.
func (w *Warm) after(fit *Optimizer) (ga.Optimizer, error) {
	c := w.config
	c.Budget -= fit.Progress().Games // once the fit has ended, a greater budget than before lengthens what comes after it
	c.Genes = append([]ga.Gene(nil), c.Genes...)
	for i, z := range fit.Champion() {
		c.Genes[i].Start = z
	}
	rest, err := w.build(c)
	if err != nil {
		return nil, err
	}
	for _, o := range fit.Opponents()[len(c.Opponents):] {
		rest.AddChampion(o.Name)
	}
	return rest, nil
}

// Ask returns the oldest open batch; generations and blocks are counted over both phases.
func (w *Warm) Ask() (ga.Batch, bool) { return ga.First(w.Open()) }

// Open returns the open batches: one of the fit, or those of the other optimiser.
func (w *Warm) Open() []ga.Batch {
	rest := w.begun()
	if rest == nil {
		return w.fit.Open()
	}
	open := rest.Open()
	for k := range open {
		b := &open[k]
		b.Generation += w.fit.state.Batches
		b.Pairings = append([]ga.Pairing(nil), b.Pairings...)
		for i := range b.Pairings {
			b.Pairings[i].Block += w.fit.state.Batches
		}
	}
	return open
}

// Wants reports whether the open batch is one of the fit that it learns from.
func (w *Warm) Wants() bool { return w.begun() == nil && w.fit.Wants() }

// Learn takes the labelled positions of the open batch's games.
func (w *Warm) Learn(ctx context.Context, positions []Position) error {
	if !w.Wants() {
		return errNotLearnt
	}
	return w.fit.Learn(ctx, positions)
}

// running returns the optimiser of the running phase.
func (w *Warm) running() ga.Optimizer {
	if w.rest != nil {
		return w.rest
	}
	return w.fit
}

// Tell closes the open batch.
func (w *Warm) Tell(results []stats.Pentanomial) error { return w.running().Tell(results) }

// Champion returns that of the running phase.
func (w *Warm) Champion() []float64 { return w.running().Champion() }

// AddChampion adds a gated champion to the running phase.
func (w *Warm) AddChampion(name string) int { return w.running().AddChampion(name) }

// Opponents returns a copy of the outside opponents by index.
func (w *Warm) Opponents() []ga.Opponent { return w.running().Opponents() }

// Progress returns the figures of the last closed generation; games and void pairs are those of both phases. Without a fit
// they are those of the other optimiser from the beginning.
func (w *Warm) Progress() ga.Progress {
	p := w.fit.Progress()
	if w.rest != nil && (w.rest.Progress().Generation >= 0 || w.fit.state.Batches == 0) {
		q := w.rest.Progress()
		q.Games += p.Games
		q.VoidedPairs += p.VoidedPairs
		q.Generation += w.fit.state.Batches
		p = q
	}
	p.Budget = w.config.Budget
	return p
}

// Checkpoint returns the last closed generation of the run.
func (w *Warm) Checkpoint() ([]byte, error) {
	var s warmState
	var err error
	if s.Fit, err = w.fit.Checkpoint(); err != nil {
		return nil, err
	}
	if rest := w.begun(); rest != nil { // stored from the end of the fit on, so that a greater budget does not go on with the fit
		if s.Rest, err = rest.Checkpoint(); err != nil {
			return nil, err
		}
	}
	return json.Marshal(s)
}

// Restore continues from a checkpoint. With an error nothing changes.
func (w *Warm) Restore(checkpoint []byte) error {
	var s warmState
	if err := decode(checkpoint, &s); err != nil {
		return err
	}
	fit := *w.fit
	if err := fit.Restore(s.Fit); err != nil {
		return err
	}
	rest, err := w.after(&fit) // of a fit that goes on too: begun must not fail
	if err != nil {
		return err
	}
	if s.Rest == nil {
		rest = nil
	} else if err := rest.Restore(s.Rest); err != nil {
		return err
	}
	*w.fit, w.rest = fit, rest
	return nil
}
