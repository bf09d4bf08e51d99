package ga

import (
	"math"
	"slices"

	"quintune/internal/stats"
	"quintune/internal/strictmath"
)

// Adaptive is an evolution strategy that sets its own step and its own mutation width. A generation is a set of couples,
// twins mirrored around one centre that play each other. All couples recombine into one move of the centre, weighted by
// their scores. Five signals control it:
//
//   - Trials: after a share of the budget the average of the centre plays the start. Where it loses, the width is too
//     great for this landscape: the strategy goes back to the start with a third of it. A draw asks for another trial.
//   - The step grows while the moves of successive generations agree and shrinks when they do not (Kesten 1958; the
//     cumulative path of Ostermeier, Gawelczyk and Hansen 1994).
//   - A gene whose moves agree with its path takes more of the step than the others, as in Rprop.
//   - Some couples are narrower than the others. Where they keep pulling another way, the wide ones climb a
//     blurred picture of the landscape, and the width is halved.
//   - The centre plays the start. Where it keeps losing, the strategy goes back to the start with half the width.
//
// The champion lies between the average of the centre over the last 30 % of the generations since it was last on the start and the
// point where the slopes that all couples saw vanish. Rivals play the twins of some couples; the other outside opponents take no part.
type Adaptive struct {
	config Config
	space  space
	kin    *kin
	state  adaptiveState
	open   []*openBatch // oldest first
	given  int          // of these Ask or Open has returned, the oldest ones
}

// The figures below were measured on the families of docs/results/landscapes.md.
const (
	lastWidth    = .4     // at the end of the budget, of a gene's range of 2; it falls as the perturbation of SPSA does
	manyFrom     = 86     // genes beyond which the width grows: each decides less, so a pair tells less of it
	widening     = 1. / 7 // the power of their number with which it grows
	fewFrom      = 10     // ratio of the budget to what is played from which the width of few genes falls faster
	fewDecay     = 2      // the power with which it falls then, times their number
	mostDecay    = .4     // greatest such power; with 20 genes and more it is that of SPSA
	narrowRatio  = .5     // narrow couples against wide ones
	narrowing    = .5     // factor of the width after doubt or harm
	narrowEvery  = 8      // couples of which one is narrow
	doubtedEvery = 2      // the same once the width has been halved
	aloneEvery   = 4      // couples of which one moves each gene by itself, where there are classes of genes
	firstStep    = .46    // length of the first move in widths, spread over all genes
	// The step is held where the agreement of a move with the path is this much, over the root of the genes. Chance alone gives 0: with
	// many genes this is little above it, with two or three the step shrinks unless moves agree well.
	agreement = 2
	// Generations of a run, each with a share of the budget, and the bounds of its pairs: of couples, of rivals and of the centre.
	wantedMoves     = 500
	leastPairs      = 6
	mostPairs       = 512
	mostPairsFlying = 4096 // with generations in flight: many machines need not begin a new one several times a second
	stepRate        = 5    // change of ln step over a whole run for an agreement of 1
	mostStepRate    = .2   // the same a generation
	shareAllowed    = .1   // agreement of a gene's move with its path at which its share of the step stays
	mostAgrees      = 4    // agreement of one gene beyond counts as this
	leastShare      = .05
	pathFade        = .2  // share of the path that a generation replaces
	slowFade        = .05 // the same for the paths of dissent
	// Evidence is the sum of unit-variance signals less an allowance each, not below 0: a one-sided CUSUM (Page 1954). It
	// acts where it exceeds its bound.
	doubtAllowance = .15
	doubtBound     = 24
	leastJudging   = 12 // pairs of which one is the centre against the start: about one a generation, within these bounds
	mostJudging    = 32
	harmAllowance  = .35
	harmBound      = 7
	mostLost       = 3   // pairs that the centre may have lost to the start beyond those it won, if it is to be the champion
	leastMet       = 8   // pairs of the centre against the start since it came back to it, before there is another champion
	pairDeviation  = .32 // standard deviation of the score of an even pair
	mostSignal     = 5   // agreement beyond counts as this
	firstJudged    = 4   // generations before the step changes
	ratingFade     = .05 // share of the counted games that the shown rating forgets a generation
	evenPairs      = 4.  // that draw it to 0
)

// newAdaptive returns the strategy of a valid configuration.
func newAdaptive(c Config) *Adaptive {
	a := &Adaptive{config: c, space: newSpace(c.Genes)}
	a.kin = a.space.kin()
	width := c.Width
	if width == 0 {
		many := max(1, float64(len(a.space.free))/manyFrom)
		width = min(1, lastWidth*strictmath.Pow(many, widening))
	}
	a.state = adaptiveState{
		Width: width, Opponents: slices.Clone(roster(c.Opponents)),
		Progress: Progress{Phase: MethodGA, Generation: -1, Budget: c.Budget, Sigma: width},
	}
	a.restart()
	return a
}

// restart puts the centre on the start, with nothing learnt but the width and whether a trial was won.
func (a *Adaptive) restart() {
	s, genes := &a.state, len(a.space.free)
	s.Centre, s.Trail = a.space.start(), newTrail()
	s.Path, s.WidePath, s.Dissent = make([]float64, genes), make([]float64, genes), make([]float64, genes)
	s.Step, s.Doubt, s.Harm = a.stepFor(s.Width), 0, 0
	s.Points, s.Judged, s.Shares = 0, 0, slices.Repeat([]float64{1}, genes)
	s.Standstill, s.Slopes = newStandstill(), newSlopes(genes)
	s.Progress.Best, s.Progress.Mean, s.Progress.Settled = 0, 0, false
	s.Begun, s.NextTrial = s.Pairs, s.Pairs+max(leastLearnt, int(learnShare*float64(a.config.pairs())))
}

// narrow multiplies the width, which never falls below what a user may set.
func (a *Adaptive) narrow(factor float64) { a.state.Width = max(leastSetting, a.state.Width*factor) }

// stepFor returns the step to begin with: a move of about half the widest width, and of less with a narrower one, whatever the
// number of genes. All generations in flight together move as far.
func (a *Adaptive) stepFor(width float64) float64 {
	return firstStep * math.Sqrt(width*lastWidth/float64(len(a.space.free))) / math.Sqrt(float64(a.config.inFlight()))
}

// Tell closes the oldest open generation and moves the centre. It is an error, and closes nothing, where none is open or
// where the results do not fit the pairings; see CheckResults.
func (a *Adaptive) Tell(results []stats.Pentanomial) error {
	if a.given == 0 {
		return errNothingAsked
	}
	o := a.open[0]
	void, err := CheckResults(o.batch.Pairings, results)
	if err != nil {
		return err
	}
	// Whatever is in flight now was drawn before these results.
	a.draw()
	a.close(void)
	switch {
	case o.Begun != a.state.Begun: // the strategy has gone back to the start since: this is about another centre
	case o.Trial:
		a.tried(results[0])
	default:
		a.learn(o, results)
	}
	a.state.Progress.Sigma = a.width(a.state.Width, a.state.Pairs)
	return nil
}

// learn moves the centre by the results of a generation, or goes back to the start.
func (a *Adaptive) learn(o *openBatch, results []stats.Pentanomial) {
	genes := len(a.space.free)
	narrow, wide := newRecombination(genes), newRecombination(genes)
	for k, c := range o.couples {
		score, signal, played := c.score(results)
		if !played {
			continue
		}
		// As Crossover left it: with generations in flight it would be much to keep.
		away := a.space.away(o.batch.Genomes[2*k], o.batch.Genomes[2*k+1])
		if c.narrow {
			narrow.add(score, signal, away)
		} else {
			wide.add(score, signal, away)
		}
	}
	if last := o.batch.Pairings[len(results)-1]; last.A == 2*len(o.couples) { // the centre against the start
		judged := results[len(results)-1]
		a.rate(judged)
		if a.addHarm(judged) {
			a.narrow(narrowing)
			a.state.Narrowings++
			a.restart()
			return
		}
	}
	a.doubt(narrow, wide)
	all := narrow.plus(wide)
	a.state.Slopes.add(o.Centre, all)
	a.move(all.direction(), o.Path)
}

// rate notes how far the centre is above the start, and whether that still grows.
func (a *Adaptive) rate(result stats.Pentanomial) {
	s, n := &a.state, float64(result.Pairs())
	s.Points = float64((1-ratingFade)*s.Points) + float64(n*result.Score())
	s.Judged = float64((1-ratingFade)*s.Judged) + n
	s.Progress.Mean = stats.EloOf((s.Points + evenPairs/2) / (s.Judged + evenPairs))
	s.Progress.Best = s.Progress.Mean
	s.Standstill.note(result, s.Pairs-s.Begun)
	s.Progress.Settled = s.Standstill.Settled
}

// addHarm adds pairs of the centre against the start and reports whether the centre has lost too many.
func (a *Adaptive) addHarm(result stats.Pentanomial) bool {
	if n := float64(result.Pairs()); n > 0 {
		a.state.Harm = max(0, a.state.Harm+float64(n*((.5-result.Score())/pairDeviation-harmAllowance)))
	}
	return a.state.Harm > harmBound
}

// doubt compares the narrow couples with the wide ones and halves the width where the narrow keep pulling another way.
func (a *Adaptive) doubt(narrow, wide recombination) {
	s := &a.state
	if narrow.couples == 0 || wide.couples == 0 {
		return
	}
	// On a landscape that is straight enough the narrow couples see what the wide ones see, only weaker.
	expected := narrowRatio * math.Sqrt(float64(narrow.couples)/float64(wide.couples))
	n, w := narrow.direction(), wide.direction()
	dissent := make([]float64, len(n))
	for i := range dissent {
		dissent[i] = (n[i] - float64(expected*w[i])) / math.Sqrt(1+float64(expected*expected))
	}
	signal := dot(dissent, s.Dissent)
	// What lies along the way of the wide couples does not count: it is only steeper or flatter.
	if length := dot(s.WidePath, s.WidePath); length > 0 {
		signal -= dot(dissent, s.WidePath) * dot(s.Dissent, s.WidePath) / length
	}
	s.Doubt = max(0, s.Doubt+signal/math.Sqrt(float64(len(n)))-doubtAllowance)
	follow(s.Dissent, dissent, slowFade)
	follow(s.WidePath, w, slowFade)
	if s.Doubt > doubtBound {
		s.Doubt = 0
		a.narrow(narrowing)
		s.Narrowings++
		s.Step = max(s.Step, a.stepFor(s.Width))
	}
}

// move takes the step of a generation and adapts its length. before is the path that led to the generation's centre: whether the move
// agrees with those that other generations have made since says nothing of the step.
func (a *Adaptive) move(direction, before []float64) {
	s := &a.state
	root := math.Sqrt(float64(len(direction)))
	if s.Trail.Closed >= firstJudged {
		agrees := max(-mostSignal, min(mostSignal, dot(direction, before)/root))
		rate := min(mostStepRate, stepRate*float64(a.size())/float64(max(1, a.config.pairs())))
		s.Step = min(1, s.Step*strictmath.Exp(float64(rate*(agrees-agreement/root))))
		s.share(direction, before, rate)
	}
	follow(s.Path, direction, pathFade)
	for i, x := range direction {
		s.Centre[i] = clamp(s.Centre[i]+float64(s.Step*s.Shares[i]*x), a.space.reach[i])
	}
	s.Trail.add(s.Centre)
}

// share adapts what each gene takes of the step to how its move agrees with its path.
func (s *adaptiveState) share(direction, before []float64, rate float64) {
	squares := 0.0
	for i, x := range direction {
		agrees := max(-mostAgrees, min(mostAgrees, float64(x*before[i])))
		s.Shares[i] *= strictmath.Exp(float64(rate * (agrees - shareAllowed)))
		squares += float64(s.Shares[i] * s.Shares[i])
	}
	mean := math.Sqrt(squares / float64(len(direction)))
	for i := range s.Shares {
		s.Shares[i] = max(leastShare, s.Shares[i]/mean)
	}
}

// close counts the oldest open generation. Its Progress has no width yet.
func (a *Adaptive) close(void int) {
	s, o := &a.state, a.open[0]
	b := &o.batch
	s.Pairs += o.Pairs
	s.Couples += len(o.couples)
	s.Generation++
	s.Progress = Progress{
		Phase: b.Phase, Generation: b.Generation, Budget: a.config.Budget,
		Games: s.Progress.Games + b.Games(), VoidedPairs: s.Progress.VoidedPairs + void,
		Spread: b.Spread(), Best: s.Progress.Best, Mean: s.Progress.Mean,
		Settled: s.Standstill.Settled,
	}
	a.open, a.given = a.open[1:], a.given-1
}

// Champion returns the middle between the average of the centre over the last 30 % of the generations since it was last on the start
// and the point where the slopes that the couples saw vanish; the average alone where the landscape does not bend. It is the start while the
// centre has lost too many pairs to the start, or all of the few in a tiny run, and for some pairs after a return to the start.
func (a *Adaptive) Champion() []float64 {
	point, s := a.state.Trail.average(), &a.state.Standstill
	if point == nil || s.lost() > mostLost || s.lostAll() || a.state.Begun > 0 && s.met() < leastMet {
		return a.space.expand(a.space.start())
	}
	for i, x := range a.state.Slopes.optimum(a.space.reach) {
		point[i] += float64(slopesShare * (x - point[i]))
	}
	return a.space.expand(point)
}

// AddChampion records a gated champion, which the strategy does not play.
func (a *Adaptive) AddChampion(name string) int {
	return a.state.Opponents.add(name, a.state.Generation+len(a.open))
}

// Opponents returns a copy of the outside opponents by index.
func (a *Adaptive) Opponents() []Opponent { return slices.Clone(a.state.Opponents) }

// Progress returns the figures of the last closed generation.
func (a *Adaptive) Progress() Progress { return a.state.Progress }
