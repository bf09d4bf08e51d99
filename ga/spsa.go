package ga

import (
	"math"
	"slices"

	"quintune/internal/stats"
	"quintune/internal/stream"
	"quintune/internal/strictmath"
)

// SPSA is simultaneous perturbation stochastic approximation (Spall 1992) with
// the schedules and the parametrisation of fishtest, played in batches: each
// pair of a batch is one θ+cΔ against θ−cΔ with its own Δ of signs, and their
// steps are added when the batch is told.
type SPSA struct {
	config Config
	space  space
	state  spsaState
	open   []*openBatch // oldest first
	given  int          // of these Ask or Open has returned, the oldest ones
}

// spsaState is the closed part of a run, and its checkpoint.
type spsaState struct {
	Theta     []float64 `json:"theta"` // [free gene]
	Pairs     int       `json:"pairs"` // asked in all closed batches
	Batches   int       `json:"batches"`
	Opponents roster    `json:"opponents"`
	Progress  Progress  `json:"progress"`
	Open      []drawing `json:"open,omitempty"` // batches in flight, in a checkpoint
}

// newSPSA returns SPSA of a valid configuration.
func newSPSA(c Config) *SPSA {
	s := &SPSA{config: c, space: newSpace(c.Genes)}
	s.state.Theta = s.space.start()
	s.state.Opponents = slices.Clone(roster(c.Opponents))
	s.state.Progress = Progress{Phase: MethodSPSA, Generation: -1, Budget: c.Budget}
	return s
}

const (
	gainDecay    = .602   // α: how the gain falls with the pairs; Spall's, as are the next two
	perturbDecay = .101   // γ: how the perturbation falls
	stability    = .1     // A, as a share of all pairs
	spsaBatches  = 128    // wanted number of batches: 64 and 256 make no difference (docs/log/landscapes.md)
	leastBatch   = 8      // pairs, so that several workers have a part of the smallest batch
	mostBatch    = 512    // pairs: a bound of what is played and stored between two steps
	usualPerturb = .4     // with usualRate the best on most landscapes of 40 000 games (docs/results/landscapes.md)
	usualRate    = .002   // for rateGames
	rateGames    = 40_000 // of the landscapes on which usualRate was found
	mostRate     = .02    // reached at 400 games (docs/log/landscapes.md)
)

// schedule returns the perturbation c and the rate r after k of n pairs: both
// fall to their final values, c as k^−γ and the gain r·c² as (A+k)^−α.
func (s *SPSA) schedule(k, n int) (c, r float64) {
	endC, endR := perturbFor(s.config), rateFor(s.config)
	c = endC * strictmath.Pow(float64(n)/float64(k+1), perturbDecay)
	a := float64(stability * float64(n))
	gain := endR * endC * endC * strictmath.Pow((a+float64(n))/(a+float64(k+1)), gainDecay)
	return c, gain / (c * c)
}

// perturbFor returns the final perturbation: wide, since one game says little
// about a narrow one.
func perturbFor(c Config) float64 {
	if c.Perturb > 0 {
		return c.Perturb
	}
	return usualPerturb
}

// rateFor returns the final rate.
func rateFor(c Config) float64 {
	if c.Rate > 0 {
		return c.Rate
	}
	return SPSARate(usualRate, c.Budget)
}

// SPSARate returns the final rate of SPSA for a budget in games from that for 40 000 games. It falls with the root of the
// budget, since more games allow smaller steps.
func SPSARate(base float64, budget int) float64 {
	return min(mostRate, base*math.Sqrt(rateGames/float64(max(1, budget))))
}

// Ask returns the oldest open batch, false when the budget is used up.
func (s *SPSA) Ask() (Batch, bool) {
	s.draw()
	s.given = max(s.given, min(1, len(s.open)))
	return First(batches(s.open))
}

// Open returns the open batches; see Optimizer.
func (s *SPSA) Open() []Batch {
	s.draw()
	s.given = len(s.open)
	return batches(s.open)
}

// draw opens batches until as many are in flight as there may be, or the budget is used up.
func (s *SPSA) draw() {
	for len(s.open) < s.config.inFlight() {
		d := drawing{Generation: s.state.Batches + len(s.open), Before: s.state.Pairs, Centre: slices.Clone(s.state.Theta)}
		for _, o := range s.open {
			d.Before += o.Pairs
		}
		d.Pairs = min(s.batchSize(), s.config.pairs()-d.Before)
		if d.Pairs <= 0 {
			return
		}
		d.Width, _ = s.schedule(d.Before, s.config.pairs())
		s.open = append(s.open, s.perturb(d))
	}
}

// perturb makes a batch of what it is drawn from, and of nothing else.
func (s *SPSA) perturb(d drawing) *openBatch {
	rng := stream.New(s.config.Seed, "gen %d/perturb", d.Generation)
	b := Batch{Generation: d.Generation, Phase: MethodSPSA, Openings: d.Pairs}
	for k := range d.Pairs {
		plus, minus := d.perturbed(s.space.reach, rng.Uint64)
		b.Genomes = append(b.Genomes, s.space.expand(plus), s.space.expand(minus))
		b.Pairings = append(b.Pairings, Pairing{A: 2 * k, B: 2*k + 1, Pairs: 1, Block: d.Generation, Opening: k})
	}
	return &openBatch{drawing: d, batch: b}
}

func (s *SPSA) batchSize() int {
	return max(leastBatch, min(mostBatch, s.config.pairs()/spsaBatches))
}

// perturbed returns θ+cΔ and θ−cΔ, clamped, with signs from random bits.
func (d *drawing) perturbed(reach []float64, bits func() uint64) (plus, minus []float64) {
	c := d.Width
	plus, minus = make([]float64, len(d.Centre)), make([]float64, len(d.Centre))
	var word uint64
	for i, x := range d.Centre {
		if i%64 == 0 {
			word = bits()
		}
		delta := c
		if word&1 == 1 {
			delta = -c
		}
		word >>= 1
		plus[i], minus[i] = clamp(x+delta, reach[i]), clamp(x-delta, reach[i])
	}
	return plus, minus
}

// Tell closes the oldest open batch: θ moves by r·(wins − losses)·cΔ for every pair.
func (s *SPSA) Tell(results []stats.Pentanomial) error {
	if s.given == 0 {
		return errNothingAsked
	}
	b := &s.open[0].batch
	void, err := CheckResults(b.Pairings, results)
	if err != nil {
		return err
	}
	s.draw() // whatever is in flight now was drawn before these results
	c, r := s.schedule(s.state.Pairs, s.config.pairs())
	step := make([]float64, len(s.state.Theta))
	for k, result := range results {
		balance := float64(2*result.Games()) * (result.Score() - .5)
		for i, x := range s.space.away(b.Genomes[2*k], b.Genomes[2*k+1]) {
			step[i] += float64(balance * x)
		}
	}
	for i := range step {
		s.state.Theta[i] = clamp(s.state.Theta[i]+float64(r*step[i]), s.space.reach[i])
	}
	s.close(c, void)
	return nil
}

func (s *SPSA) close(c float64, void int) {
	b := &s.open[0].batch
	s.state.Pairs += len(b.Pairings)
	s.state.Batches++
	old := s.state.Progress
	s.state.Progress = Progress{
		Phase: MethodSPSA, Generation: b.Generation, Budget: s.config.Budget,
		Games: old.Games + b.Games(), VoidedPairs: old.VoidedPairs + void,
		Sigma: c, Spread: b.Spread(),
	}
	s.open, s.given = s.open[1:], s.given-1
}

// Champion returns θ.
func (s *SPSA) Champion() []float64 { return s.space.expand(s.state.Theta) }

// AddChampion records a gated champion; SPSA plays no outside opponents.
func (s *SPSA) AddChampion(name string) int {
	return s.state.Opponents.add(name, s.state.Batches+len(s.open))
}

// Opponents returns a copy of the outside opponents by index.
func (s *SPSA) Opponents() []Opponent { return slices.Clone(s.state.Opponents) }

// Progress returns the figures of the last closed batch.
func (s *SPSA) Progress() Progress { return s.state.Progress }

// Checkpoint returns the last closed batch, and what those in flight were drawn from.
func (s *SPSA) Checkpoint() ([]byte, error) {
	state := s.state
	state.Open = drawings(s.config, s.open)
	return encodeCheckpoint(MethodSPSA, len(s.space.free), state)
}

// Restore continues from a checkpoint.
func (s *SPSA) Restore(checkpoint []byte) error {
	var state spsaState
	if err := decodeCheckpoint(checkpoint, MethodSPSA, len(s.space.free), &state); err != nil {
		return err
	}
	if err := checkVector("θ", state.Theta, len(s.space.free), 1); err != nil {
		return err
	}
	if err := checkCounts(state.Pairs, state.Batches, state.Progress.Games, state.Progress.VoidedPairs); err != nil {
		return err
	}
	if err := CheckOpponents(state.Opponents, s.config.Opponents); err != nil {
		return err
	}
	if err := s.config.checkOpen(state.Open, state.Batches, state.Pairs, len(s.space.free), func(drawing) int { return s.batchSize() }); err != nil {
		return err
	}
	state.Progress.Budget = s.config.Budget
	drawn := state.Open
	state.Open = nil
	s.state, s.open = state, nil
	for _, d := range drawn {
		s.open = append(s.open, s.perturb(d))
	}
	s.given = len(s.open)
	return nil
}
