package ga

import (
	"fmt"
	"math"
	"slices"

	"quintune/internal/stats"
	"quintune/internal/stream"
)

// CMAES is separable CMA-ES (Ros and Hansen 2008): a normal search distribution
// with a diagonal covariance, whose mean, step size and variances learn from the
// ranking of its samples. Games and ratings are those of the genetic algorithm;
// the champion is the average of the last 30 % of the means.
type CMAES struct {
	config Config
	space  space
	state  cmaesState
	open   *Batch
}

// cmaesState is the closed part of a run, and its checkpoint.
type cmaesState struct {
	Mean      []float64 `json:"mean"`     // [free gene]
	Sigma     float64   `json:"sigma"`    // step size, gene units
	Variance  []float64 `json:"variance"` // [free gene], relative to sigma²
	PathS     []float64 `json:"path_s"`   // evolution path of the step size
	PathC     []float64 `json:"path_c"`   // evolution path of the variances
	Window    window    `json:"window"`   // recent means
	Opponents roster    `json:"opponents"`
	Progress  Progress  `json:"progress"`
}

const (
	leastSigma, mostSigma       = 1e-3, 1.0
	leastVariance, mostVariance = 1e-4, 1e4
)

// NewCMAES returns separable CMA-ES with SigmaFrom as its first step size.
func NewCMAES(c Config) (*CMAES, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &CMAES{config: c, space: newSpace(c.Genes)}
	d := len(s.space.free)
	s.state = cmaesState{
		Mean: s.space.start(), Sigma: c.SigmaFrom,
		Variance: slices.Repeat([]float64{1}, d), PathS: make([]float64, d), PathC: make([]float64, d),
		Opponents: slices.Clone(roster(c.Opponents)),
		Progress:  Progress{Phase: MethodCMAES, Generation: -1, Budget: c.Budget},
	}
	return s, nil
}

// Ask returns the next generation, false when the budget cannot pay for it.
func (s *CMAES) Ask() (Batch, bool) {
	if s.open != nil {
		return *s.open, true
	}
	generation := s.state.Window.Closed
	f, _ := fieldFor(s.config, s.state.Opponents, generation, s.state.Progress.Games)
	pairings := f.pairings(stream.New(s.config.Seed, "gen %d/pairings", generation))
	b := &Batch{Generation: generation, Phase: MethodCMAES, Pairings: pairings, Openings: f.pairs}
	if s.state.Progress.Games+b.Games() > s.config.Budget {
		return Batch{}, false
	}
	rng := stream.New(s.config.Seed, "gen %d/samples", generation)
	for range f.lambda {
		point := make([]float64, len(s.state.Mean))
		for i, m := range s.state.Mean {
			sd := s.state.Sigma * math.Sqrt(s.state.Variance[i])
			point[i] = clamp(m + float64(sd*rng.NormFloat64()))
		}
		b.Genomes = append(b.Genomes, s.space.expand(point))
	}
	s.open = b
	return *b, true
}

// Open returns the open batch: one is in flight.
func (s *CMAES) Open() []Batch { return only(s.Ask()) }

// Tell closes the generation.
func (s *CMAES) Tell(results []stats.Pentanomial) error {
	if s.open == nil {
		return errNothingAsked
	}
	void, err := checkResults(s.open.Pairings, results)
	if err != nil {
		return err
	}
	elo, err := rate(*s.open, results, s.state.Opponents)
	if err != nil {
		return err
	}
	steps := s.bestSteps(elo)
	weights := cmaesWeights(len(steps))
	s.learn(steps, weights, newCMAESRates(len(s.state.Mean), weights))
	s.close(elo, void)
	return nil
}

// bestSteps returns the steps from the mean, in units of sigma, of the better
// half of the samples, best first. Steps are taken after clamping.
func (s *CMAES) bestSteps(elo []float64) [][]float64 {
	order := make([]int, len(elo))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case elo[a] > elo[b]:
			return -1
		case elo[a] < elo[b]:
			return 1
		}
		return 0
	})
	steps := make([][]float64, len(order)/2)
	for k := range steps {
		steps[k] = make([]float64, len(s.state.Mean))
		for i, g := range s.space.free {
			steps[k][i] = (s.open.Genomes[order[k]][g] - s.state.Mean[i]) / s.state.Sigma
		}
	}
	return steps
}

// cmaesWeights returns the logarithmic recombination weights of μ samples; they
// sum to one.
func cmaesWeights(mu int) []float64 {
	weights := make([]float64, mu)
	sum := 0.0
	for i := range weights {
		weights[i] = math.Log(float64(mu)+.5) - math.Log(float64(i+1))
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// cmaesRates are the learning rates of Hansen's tutorial (2016), those of the
// variances faster by (d+2)/3 since only a diagonal is learnt.
type cmaesRates struct {
	mass           float64 // variance-effective number of parents
	sigma, damping float64 // step size and its damping
	path           float64 // evolution path of the variances
	one, mu        float64 // rank-one and rank-μ
	length         float64 // expected length of a normal vector
}

func newCMAESRates(genes int, weights []float64) cmaesRates {
	squares := 0.0
	for _, w := range weights {
		squares += float64(w * w)
	}
	d, mass := float64(genes), 1/squares
	r := cmaesRates{mass: mass}
	r.sigma = (mass + 2) / (d + mass + 5)
	r.damping = 1 + float64(2*max(0, math.Sqrt((mass-1)/(d+1))-1)) + r.sigma
	r.path = (4 + mass/d) / (d + 4 + 2*mass/d)
	faster := (d + 2) / 3
	r.one = min(1, faster*2/(float64((d+1.3)*(d+1.3))+mass))
	r.mu = min(1-r.one, faster*2*(mass-2+1/mass)/(float64((d+2)*(d+2))+mass))
	r.mu = max(0, r.mu)
	r.length = math.Sqrt(d) * (1 - 1/(4*d) + 1/float64(21*d*d))
	return r
}

// learn moves the distribution towards the best steps.
func (s *CMAES) learn(steps [][]float64, weights []float64, r cmaesRates) {
	st := &s.state
	keepS, gainS := 1-r.sigma, math.Sqrt(r.sigma*(2-r.sigma)*r.mass)
	keepC, gainC := 1-r.path, math.Sqrt(r.path*(2-r.path)*r.mass)
	length := 0.0
	for i, variance := range st.Variance {
		step, square := 0.0, 0.0
		for k, w := range weights {
			x := steps[k][i]
			step += float64(w * x)
			square += float64(w * float64(x*x))
		}
		st.Mean[i] = clamp(st.Mean[i] + float64(st.Sigma*step))
		st.PathS[i] = float64(keepS*st.PathS[i]) + float64(gainS*step/math.Sqrt(variance))
		st.PathC[i] = float64(keepC*st.PathC[i]) + float64(gainC*step)
		rankOne := float64(st.PathC[i] * st.PathC[i])
		v := float64((1-r.one-r.mu)*variance) + float64(r.one*rankOne) + float64(r.mu*square)
		st.Variance[i] = max(leastVariance, min(mostVariance, v))
		length += float64(st.PathS[i] * st.PathS[i])
	}
	growth := math.Exp(r.sigma / r.damping * (math.Sqrt(length)/r.length - 1))
	st.Sigma = max(leastSigma, min(mostSigma, st.Sigma*growth))
}

func (s *CMAES) close(elo []float64, void int) {
	st := &s.state
	st.Window.add(slices.Clone(st.Mean))
	st.Progress = Progress{
		Phase: MethodCMAES, Generation: s.open.Generation, Budget: s.config.Budget,
		Games: st.Progress.Games + s.open.Games(), VoidedPairs: st.Progress.VoidedPairs + void,
		Sigma: st.Sigma, Spread: spread(s.open.Genomes),
		Best: slices.Max(elo), Mean: mean(elo), Fitness: elo,
	}
	s.open = nil
}

// Champion returns the average of the means of the last 30 % of the generations.
func (s *CMAES) Champion() []float64 {
	point := s.state.Window.champion()
	if point == nil {
		point = s.space.start()
	}
	return s.space.expand(point)
}

// AddChampion adds a gated champion as an opponent from the next batch on.
func (s *CMAES) AddChampion(name string) int {
	from := s.state.Window.Closed
	if s.open != nil {
		from++
	}
	return s.state.Opponents.add(name, from)
}

// Opponents returns a copy of the outside opponents by index.
func (s *CMAES) Opponents() []Opponent { return slices.Clone(s.state.Opponents) }

// Progress returns the figures of the last closed generation.
func (s *CMAES) Progress() Progress { return s.state.Progress }

// Checkpoint returns the last closed generation.
func (s *CMAES) Checkpoint() ([]byte, error) {
	return encodeCheckpoint(MethodCMAES, len(s.space.free), s.state)
}

// Restore continues from a checkpoint.
func (s *CMAES) Restore(checkpoint []byte) error {
	var state cmaesState
	if err := decodeCheckpoint(checkpoint, MethodCMAES, len(s.space.free), &state); err != nil {
		return err
	}
	if err := state.check(s.config, len(s.space.free)); err != nil {
		return err
	}
	state.Progress.Budget = s.config.Budget
	s.state, s.open = state, nil
	return nil
}

// check reports a state that no run of the configuration can have left.
func (s cmaesState) check(c Config, genes int) error {
	if err := checkPoint("mean", s.Mean, genes); err != nil {
		return err
	}
	if len(s.Variance) != genes || len(s.PathS) != genes || len(s.PathC) != genes {
		return fmt.Errorf("ga: checkpoint: variances and paths have %d, %d and %d genes, %d expected",
			len(s.Variance), len(s.PathS), len(s.PathC), genes)
	}
	if !(s.Sigma >= leastSigma && s.Sigma <= mostSigma) {
		return fmt.Errorf("ga: checkpoint: sigma is %v, outside [%v, %v]", s.Sigma, leastSigma, mostSigma)
	}
	for i, v := range s.Variance {
		if !(v >= leastVariance && v <= mostVariance) {
			return fmt.Errorf("ga: checkpoint: variance %d is %v, outside [%v, %v]", i, v, leastVariance, mostVariance)
		}
	}
	if err := s.Window.check(genes); err != nil {
		return err
	}
	if err := checkCounts(s.Progress.Games, s.Progress.VoidedPairs); err != nil {
		return err
	}
	return s.Opponents.checkAgainst(c.Opponents)
}
