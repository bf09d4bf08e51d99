package ga

import (
	"fmt"
	"math"
	"slices"

	"github.com/MaxHalford/eaopt"

	"quintune/internal/stats"
	"quintune/internal/stream"
)

// GA is a genetic algorithm on eaopt: each generation's candidates play each
// other and the outside opponents, the best third by Bradley–Terry rating
// become parents, and nobody keeps a fitness that was not earned in the
// generation's own games. The champion is the average of the elite means over
// the last 30 % of the generations.
type GA struct {
	config Config
	space  space
	habits habits
	state  gaState
	open   *openGeneration // asked and not yet told
}

// gaState is the closed part of a run, and its checkpoint.
type gaState struct {
	Parents   []savedParent `json:"parents"` // best first
	Window    window        `json:"window"`
	Opponents roster        `json:"opponents"`
	Precision precision     `json:"precision"`
	Progress  Progress      `json:"progress"`
}

type savedParent struct {
	Point []float64 `json:"point"` // [free gene]
	Elo   float64   `json:"elo"`
}

// openGeneration is a generation whose games are being played.
type openGeneration struct {
	batch      Batch
	children   eaopt.Individuals
	mu         int
	sigma      float64
	immigrants int
}

// NewGA returns the genetic algorithm alone, which spends the whole budget.
func NewGA(c Config) (*GA, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	g := &GA{config: c, space: newSpace(c.Genes), habits: habitsFor(c)}
	g.state.Opponents = slices.Clone(roster(c.Opponents))
	g.state.Progress = Progress{Phase: MethodGA, Generation: -1, Budget: c.Budget}
	return g, nil
}

// Ask returns the next generation, false when the budget cannot pay for it.
func (g *GA) Ask() (Batch, bool) {
	if g.open == nil {
		g.open = g.next()
	}
	if g.open == nil {
		return Batch{}, false
	}
	return g.open.batch, true
}

// Open returns the open batch: one is in flight.
func (g *GA) Open() []Batch { return only(g.Ask()) }

// next draws the next generation from the closed state alone.
func (g *GA) next() *openGeneration {
	generation := g.state.Window.Closed
	c := g.config
	if c.Pairs == 0 {
		c.Pairs = pairsFor(c.Budget) << g.state.Precision.Doubled
	}
	f, mu := fieldFor(c, g.state.Opponents, generation, g.state.Progress.Games)
	pairings := f.pairings(stream.New(g.config.Seed, "gen %d/pairings", generation))
	o := &openGeneration{mu: mu, sigma: g.sigma()}
	o.batch = Batch{Generation: generation, Phase: MethodGA, Pairings: pairings, Openings: f.pairs}
	if g.state.Progress.Games+o.batch.Games() > g.config.Budget {
		return nil
	}
	o.children = g.children(o, f.lambda)
	for _, p := range points(o.children) {
		o.batch.Genomes = append(o.batch.Genomes, g.space.expand(p))
	}
	return o
}

// sigma falls geometrically over the budget.
func (g *GA) sigma() float64 {
	spent := float64(g.state.Progress.Games) / float64(g.config.Budget)
	return g.config.SigmaFrom * math.Pow(g.config.SigmaTo/g.config.SigmaFrom, spent)
}

// habits are the settings of breeding that no budget changes.
type habits struct {
	blend    float64 // α of BLX
	byGroup  float64 // share of the crossovers that are uniform by group
	resample float64 // share of the genes that mutation draws anew
	founders float64 // sd of generation zero around the start, gene units
}

// measuredHabits did best on the reference landscapes (docs/results/landscapes.md).
func measuredHabits() habits {
	return habits{blend: .5, byGroup: .75, resample: .001, founders: .2}
}

// A budget below manyGames has few generations: its first one looks farther.
const (
	manyGames     = 20_000
	hastyFounders = .4
)

// habitsFor returns the measured habits, with the configured founders where there are any.
func habitsFor(c Config) habits {
	h := measuredHabits()
	switch {
	case c.Founders > 0:
		h.founders = c.Founders
	case c.Budget < manyGames:
		h.founders = hastyFounders
	}
	return h
}

const (
	// A population has collapsed when its parents' spread is below this share of
	// the mutation; then one child in immigrantOf comes from outside.
	collapsedBelow = .5
	immigrantOf    = 8
)

// children returns the unplayed candidates of a generation: around the start
// genome at first, bred by eaopt from the parents later.
func (g *GA) children(o *openGeneration, lambda int) eaopt.Individuals {
	generation := o.batch.Generation
	group, groups := g.space.groups()
	ops := &operators{
		group: group, groups: groups, sigma: o.sigma,
		blend: g.habits.blend, byGroup: g.habits.byGroup, resample: g.habits.resample,
	}
	if generation == 0 {
		return g.founders(ops, lambda)
	}
	parents := g.parents(ops)
	if spread(points(parents)) < collapsedBelow*o.sigma {
		o.immigrants = lambda / immigrantOf
	}
	model := &breeding{
		seed: g.config.Seed, generation: generation, lambda: lambda,
		immigrants: o.immigrants, reach: g.habits.founders, ops: ops,
	}
	pop := eaopt.Population{Individuals: parents, Generations: uint(generation)}
	if err := model.Apply(&pop); err != nil {
		panic(err) // the configuration was validated: our own invariant is broken
	}
	return pop.Individuals
}

// founders returns the start genome and candidates scattered around it.
func (g *GA) founders(ops *operators, lambda int) eaopt.Individuals {
	rng := streamV1(g.config.Seed, "gen 0/founders")
	start := g.space.start()
	list := []*genome{{point: start, ops: ops}}
	for len(list) < lambda {
		list = append(list, scatter(start, g.habits.founders, ops, rng))
	}
	return individuals(list, 0)
}

// parents turns the stored parents into a ranked eaopt population.
func (g *GA) parents(ops *operators) eaopt.Individuals {
	list := make([]*genome, len(g.state.Parents))
	for i, p := range g.state.Parents {
		list[i] = newGenome(p, ops)
	}
	return individuals(list, g.state.Window.Closed-1)
}

// newGenome restores a stored parent with the statistics that it earned.
func newGenome(p savedParent, ops *operators) *genome {
	return &genome{point: p.Point, stats: statistics{played: true, elo: p.Elo}, ops: ops}
}

// Tell closes the generation.
func (g *GA) Tell(results []stats.Pentanomial) error {
	if g.open == nil {
		return errNothingAsked
	}
	void, err := checkResults(g.open.batch.Pairings, results)
	if err != nil {
		return err
	}
	o := g.open
	elo, err := rate(o.batch, results, g.state.Opponents)
	if err != nil {
		return err
	}
	for i, child := range o.children {
		child.Genome.(*genome).stats = statistics{played: true, elo: elo[i]}
	}
	if err := rank(o.children); err != nil {
		return err
	}
	if ratio, ok := signalRatio(o.batch, results); ok {
		g.state.Precision.add(ratio)
	}
	g.close(o, elo, void)
	return nil
}

// close stores the ranked generation and forgets everything else about it.
func (g *GA) close(o *openGeneration, elo []float64, void int) {
	s := &g.state
	s.Parents = nil
	for _, ind := range o.children[:o.mu] {
		child := ind.Genome.(*genome)
		s.Parents = append(s.Parents, savedParent{Point: child.point, Elo: child.stats.elo})
	}
	s.Window.add(meanPoint(points(o.children[:o.mu])))
	s.Progress = Progress{
		Phase: MethodGA, Generation: o.batch.Generation, Budget: g.config.Budget,
		Games: s.Progress.Games + o.batch.Games(), VoidedPairs: s.Progress.VoidedPairs + void,
		Sigma: o.sigma, Spread: spread(points(o.children)), Immigrants: o.immigrants,
		Best: s.Parents[0].Elo, Mean: mean(elo), Fitness: elo,
	}
	g.open = nil
}

// Champion returns the average of the elite means over the last 30 % of the
// generations.
func (g *GA) Champion() []float64 {
	point := g.state.Window.champion()
	if point == nil {
		point = g.space.start()
	}
	return g.space.expand(point)
}

// Population returns the parents of the next generation, best first; nil before the first is closed.
func (g *GA) Population() [][]float64 {
	var list [][]float64
	for _, p := range g.state.Parents {
		list = append(list, g.space.expand(p.Point))
	}
	return list
}

// AddChampion adds a gated champion as an opponent from the next batch on.
func (g *GA) AddChampion(name string) int {
	from := g.state.Window.Closed
	if g.open != nil {
		from++
	}
	return g.state.Opponents.add(name, from)
}

// Opponents returns a copy of the outside opponents by index.
func (g *GA) Opponents() []Opponent { return slices.Clone(g.state.Opponents) }

// Progress returns the figures of the last closed generation.
func (g *GA) Progress() Progress { return g.state.Progress }

// Checkpoint returns the last closed generation.
func (g *GA) Checkpoint() ([]byte, error) {
	return encodeCheckpoint(MethodGA, len(g.space.free), g.state)
}

// Restore continues from a checkpoint.
func (g *GA) Restore(checkpoint []byte) error {
	var state gaState
	if err := decodeCheckpoint(checkpoint, MethodGA, len(g.space.free), &state); err != nil {
		return err
	}
	if err := state.check(g.config, len(g.space.free)); err != nil {
		return err
	}
	state.Progress.Budget = g.config.Budget
	g.state, g.open = state, nil
	return nil
}

// check reports a state that no run of the configuration can have left.
func (s gaState) check(c Config, genes int) error {
	for i, p := range s.Parents {
		if err := checkPoint(fmt.Sprintf("parent %d", i), p.Point, genes); err != nil {
			return err
		}
	}
	if err := s.Window.check(genes); err != nil {
		return err
	}
	if s.Window.Closed > 0 && len(s.Parents) < 2 {
		return fmt.Errorf("ga: checkpoint: %d parents after %d generations, breeding needs 2", len(s.Parents), s.Window.Closed)
	}
	if err := checkCounts(s.Progress.Games, s.Progress.VoidedPairs); err != nil {
		return err
	}
	if err := s.Precision.check(); err != nil {
		return err
	}
	return s.Opponents.checkAgainst(c.Opponents)
}
