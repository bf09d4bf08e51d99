package ga

import (
	"slices"

	"github.com/MaxHalford/eaopt"

	"quintune/internal/strictmath"
)

// size returns the number of pairs of a generation.
func (a *Adaptive) size() int {
	most := mostPairs
	if a.config.inFlight() > 1 {
		most = mostPairsFlying
	}
	return max(leastPairs, min(most, a.config.pairs()/wantedMoves))
}

// Ask returns the oldest open generation, false when the budget is used up.
func (a *Adaptive) Ask() (Batch, bool) {
	a.draw()
	a.given = max(a.given, min(1, len(a.open)))
	return First(batches(a.open))
}

// Open returns the open generations; see Optimizer.
func (a *Adaptive) Open() []Batch {
	a.draw()
	a.given = len(a.open)
	return batches(a.open)
}

// draw opens generations until as many are in flight as there may be, or the budget is used up.
func (a *Adaptive) draw() {
	for len(a.open) < a.config.inFlight() {
		d := drawing{Generation: a.state.Generation, Before: a.state.Pairs, Couples: a.state.Couples, Begun: a.state.Begun}
		trying := false
		for _, o := range a.open {
			d.Generation++
			d.Before += o.Pairs
			d.Couples += len(o.couples)
			trying = trying || o.Trial
		}
		pairs := a.config.pairs() - d.Before
		if pairs <= 0 {
			return
		}
		d.Centre, d.Path = slices.Clone(a.state.Centre), slices.Clone(a.state.Path)
		d.Width, d.Doubted = a.state.Width, a.state.Narrowings > 0
		d.Pairs = min(a.size(), pairs)
		if tried := a.trialPairs(); !trying && a.trialDue() && 0 < tried && tried <= pairs {
			d.Trial, d.Pairs, d.Centre = true, tried, a.state.Trail.average()
		}
		a.open = append(a.open, a.breed(d))
	}
}

// breed makes a generation of what it is drawn from, and of nothing else.
func (a *Adaptive) breed(d drawing) *openBatch {
	if d.Trial {
		return a.trial(d)
	}
	o := &openBatch{drawing: d, batch: Batch{Generation: d.Generation, Phase: MethodGA, Openings: d.Pairs}}
	judgeEvery := max(leastJudging, min(mostJudging, a.size()))
	judging := min(d.Pairs-1, (d.Before+d.Pairs)/judgeEvery-d.Before/judgeEvery) // a couple is left
	every := narrowEvery
	if d.Doubted {
		every = doubtedEvery
	}
	rivals := a.rivals(&d, d.Pairs-judging)
	for left := d.Pairs - judging; left > 0; left-- {
		k := len(o.couples)
		number := d.Couples + k
		c := couple{
			width: a.width(d.Width, d.Before), narrow: number%every == every-1,
			joint:   (number+number/narrowEvery)%aloneEvery != 0, // narrow ones too are of both kinds
			pairing: len(o.batch.Pairings),
		}
		if c.narrow {
			c.width *= narrowRatio
		}
		twins := Pairing{A: 2 * k, B: 2*k + 1, Pairs: 1, Block: d.Generation, Opening: k}
		if k < len(rivals) {
			c.rival, left = true, left-1
			twins.B = -1 - rivals[k]
			o.batch.Pairings = append(o.batch.Pairings, twins)
			twins.A++
		}
		o.batch.Pairings = append(o.batch.Pairings, twins)
		o.couples = append(o.couples, c)
	}
	centre := &twin{point: d.Centre, away: make([]float64, len(d.Centre)), kin: a.kin}
	pop := eaopt.Population{Individuals: eaopt.Individuals{{Genome: centre}}}
	var model eaopt.Model = &coupling{seed: a.config.Seed, generation: d.Generation, couples: o.couples}
	_ = model.Apply(&pop)
	for _, child := range pop.Individuals {
		o.batch.Genomes = append(o.batch.Genomes, a.space.expand(child.Genome.(*twin).point))
	}
	if judging > 0 {
		couples := len(o.couples)
		o.batch.Genomes = append(o.batch.Genomes, a.space.expand(d.Centre), a.space.expand(a.space.start()))
		o.batch.Pairings = append(o.batch.Pairings, Pairing{
			A: 2 * couples, B: 2*couples + 1, Pairs: judging, Block: d.Generation, Opening: couples,
		})
	}
	return o
}

// width returns the mutation width of wide couples after a number of pairs. It falls to the given one at the end of the budget, and
// below it where genes are few and the width is chosen by rule: after a tenth of the budget their games suffice for narrower twins.
func (a *Adaptive) width(last float64, pairs int) float64 {
	ratio := float64(max(1, a.config.pairs())) / float64(pairs+1) // of the budget to what is played
	width := last * strictmath.Pow(ratio, perturbDecay)
	if a.config.Width > 0 {
		return width
	}
	further := max(0, min(mostDecay, fewDecay/float64(len(a.space.free)))-perturbDecay)
	return width * min(1, strictmath.Pow(ratio/fewFrom, further))
}
