package ga

import (
	"errors"
	"fmt"
	"slices"
)

// adaptiveState is the closed part of a run, and its checkpoint.
type adaptiveState struct {
	Centre     []float64  `json:"centre"`     // [free gene]
	Width      float64    `json:"width"`      // width of the wide couples at the end of the budget, gene units
	Step       float64    `json:"step"`       // length of a move in a gene where chance alone decides, gene units
	Shares     []float64  `json:"shares"`     // relative step of each gene, root mean square 1
	Path       []float64  `json:"path"`       // moves of the centre by all couples so far, older ones fading
	WidePath   []float64  `json:"wide_path"`  // the same by the wide couples
	Dissent    []float64  `json:"dissent"`    // by how much narrow couples disagree with wide ones
	Doubt      float64    `json:"doubt"`      // evidence that the width misleads, see doubtBound
	Harm       float64    `json:"harm"`       // evidence that the centre is worse than the start, see harmBound
	Narrowings int        `json:"narrowings"` // times that the width was halved
	Trusted    bool       `json:"trusted"`    // a trial was won, so there are no more; doubt and harm may narrow the width all the same
	Begun      int        `json:"begun"`      // pairs asked when the centre was last on the start
	NextTrial  int        `json:"next_trial"` // pairs after which a trial is due while the width is not trusted
	Points     float64    `json:"points"`     // points of the centre against the start, older ones fading
	Judged     float64    `json:"judged"`     // their pairs
	Standstill standstill `json:"standstill"`
	Pairs      int        `json:"pairs"`       // asked in all closed generations
	Couples    int        `json:"couples"`     // bred in all closed generations
	Generation int        `json:"generations"` // closed so far
	Trail      trail      `json:"trail"`
	Slopes     slopes     `json:"slopes"` // what all couples saw, older ones fading
	Opponents  roster     `json:"opponents"`
	Progress   Progress   `json:"progress"`
	Open       []drawing  `json:"open,omitempty"` // generations in flight, in a checkpoint
}

// Checkpoint returns the last closed generation, and what those in flight were drawn from.
func (a *Adaptive) Checkpoint() ([]byte, error) {
	state := a.state
	state.Open = drawings(a.config, a.open)
	return encodeCheckpoint(methodAdaptive, len(a.space.free), state)
}

// Restore continues from a checkpoint.
func (a *Adaptive) Restore(checkpoint []byte) error {
	var s adaptiveState
	genes := len(a.space.free)
	if err := decodeCheckpoint(checkpoint, methodAdaptive, genes, &s); err != nil {
		return err
	}
	if err := s.check(genes); err != nil {
		return err
	}
	if err := CheckOpponents(s.Opponents, a.config.Opponents); err != nil {
		return err
	}
	most := func(d drawing) int {
		if d.Trial {
			return a.trialPairs()
		}
		return a.size()
	}
	if err := a.config.checkOpen(s.Open, s.Generation, s.Pairs, genes, most); err != nil {
		return err
	}
	for _, d := range s.Open {
		if len(d.Path) != genes {
			return fmt.Errorf("ga: checkpoint: the path to generation %d has %d genes, %d expected", d.Generation, len(d.Path), genes)
		}
	}
	s.Progress.Budget = a.config.Budget
	drawn := s.Open
	s.Open = nil
	a.state, a.open = s, nil
	for _, d := range drawn {
		a.open = append(a.open, a.breed(d))
	}
	a.given = len(a.open)
	return nil
}

// check reports a stored state that no run can have left.
func (s *adaptiveState) check(genes int) error {
	if err := checkVector("centre", s.Centre, genes, 1); err != nil {
		return err
	}
	for _, stored := range []struct {
		name   string
		vector []float64
	}{{"shares", s.Shares}, {"path", s.Path}, {"wide path", s.WidePath}, {"dissent", s.Dissent}} {
		if err := checkVector(stored.name, stored.vector, genes, mostPath); err != nil {
			return err
		}
	}
	if least := slices.Min(s.Shares); least < leastShare {
		return fmt.Errorf("ga: checkpoint: a share is %v, below %v", least, leastShare)
	}
	if !(s.Width > 0 && s.Width <= 1) {
		return fmt.Errorf("ga: checkpoint: width %v is outside (0, 1]", s.Width)
	}
	if !(s.Step >= 0 && s.Step <= 1) {
		return fmt.Errorf("ga: checkpoint: step %v is outside [0, 1]", s.Step)
	}
	if !(s.Doubt >= 0 && s.Doubt <= doubtBound && s.Harm >= 0 && s.Harm <= harmBound) {
		return fmt.Errorf("ga: checkpoint: doubt %v is outside [0, %v] or harm %v outside [0, %v]", s.Doubt, doubtBound, s.Harm, harmBound)
	}
	if !(s.Points >= 0 && s.Points <= s.Judged && s.Judged <= mostPath) {
		return fmt.Errorf("ga: checkpoint: %v points of %v pairs", s.Points, s.Judged)
	}
	if err := s.Standstill.check(s.Pairs); err != nil {
		return err
	}
	if err := checkCounts(s.Pairs, s.Couples, s.Generation, s.Narrowings, s.Begun, s.NextTrial, s.Progress.Games, s.Progress.VoidedPairs); err != nil {
		return err
	}
	if s.Trail.Closed > s.Generation {
		return fmt.Errorf("ga: checkpoint: a trail of %d generations, %d are closed", s.Trail.Closed, s.Generation)
	}
	return errors.Join(s.Trail.check(genes), s.Slopes.check(genes, s.Generation))
}

// mostPath bounds the entries of a stored path, far beyond what unit variance gives.
const mostPath = 1e6
