package fit

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/evaluator"
	"quintune/internal/strictmath"
	"quintune/pattern"
	"quintune/weights"
)

func space(t testing.TB) (*weights.Space, []float64) {
	t.Helper()
	return spaceOf(t, "line", "cell", "tempo")
}

// spaceOf returns the space of some groups around huang, and its genes there.
func spaceOf(t testing.TB, groups ...string) (*weights.Space, []float64) {
	t.Helper()
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	sp, err := weights.NewSpace(set, groups)
	if err != nil {
		t.Fatal(err)
	}
	projection, err := sp.Encode(set)
	if err != nil {
		t.Fatal(err)
	}
	return sp, projection.Genes
}

// truth is a synthetic world: positions with random features, whose results follow the logistic function of
// their true scores.
type truth struct {
	tuned  []int // places that features are of
	values []float64
	scale  float64
	rng    *rand.Rand
}

func (w *truth) positions(games, each int) []Position {
	var list []Position
	for g := range games {
		for range each {
			p := Position{Game: g, Best: -1}
			for range 20 {
				p.Features = append(p.Features, Feature{uint16(w.tuned[w.rng.IntN(30)]), int16(w.rng.IntN(9) - 4)})
			}
			if w.rng.Float64() < logistic(p.score(w.values)/w.scale) {
				p.Label = 1
			}
			list = append(list, p)
		}
	}
	return list
}

// moves returns positions with random moves, of which the best is drawn from the exponential of the true scores.
func (w *truth) moves(games int) []Position {
	list := make([]Position, games)
	for g := range list {
		p := &list[g]
		p.Game = g
		best := math.Inf(-1)
		for i := range 15 {
			m := Move{Count: 1}
			for k := range m.Weights {
				m.Weights[k] = uint16(w.tuned[w.rng.IntN(len(w.tuned))])
			}
			p.Moves = append(p.Moves, m)
			gumbel := -strictmath.Log(-strictmath.Log(w.rng.Float64()))
			if s := m.score(w.values)/1500 + gumbel; s > best {
				best, p.Best = s, i
			}
		}
	}
	return list
}

// newTruth is far from the genes.
func newTruth(sp *weights.Space, genes []float64, seed uint64) *truth {
	rng := rand.New(rand.NewPCG(seed, 1))
	far := slices.Clone(genes)
	for i := range far {
		far[i] = max(-.9, min(.9, far[i]+float64(.5*rng.NormFloat64())))
	}
	var tuned []int
	for _, r := range sp.Reaches() {
		tuned = append(tuned, r.Place)
	}
	return &truth{tuned: tuned, values: sp.Real(far), scale: 30_000, rng: rng}
}

// From a wrong start the fit must come most of the way back to the true weights.
func TestFitFindsTheTruth(t *testing.T) {
	sp, genes := space(t)
	world := newTruth(sp, genes, 1)
	found, report, err := Fit(t.Context(), sp, genes, world.positions(8000, 5), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	judge := world.positions(2000, 1)
	values := sp.Real(genes)
	best, before := meanLoss(scoreLoss, world.values, world.scale, judge, 2), meanLoss(scoreLoss, values, bestScale(func(s float64) float64 { return meanLoss(scoreLoss, values, s, judge, 2) }), judge, 2)
	after := meanLoss(scoreLoss, sp.Real(found), report.Scale, judge, 2)
	if after > best+.15*(before-best) || report.After >= report.Before || report.Positions != 36_000 {
		t.Errorf("loss %.4f before, %.4f after, %.4f of the truth; report %+v", before, after, best, report)
	}
}

// A fit to noise is dropped: if the result is no better on other games, the start stays.
func TestFitOfNoiseKeepsTheStart(t *testing.T) {
	sp, genes := space(t)
	world := newTruth(sp, genes, 2)
	positions := world.positions(200, 5)
	for i := range positions {
		positions[i].Label = float64(world.rng.IntN(2))
	}
	found, report, err := Fit(t.Context(), sp, genes, positions, Settings{prior: 100})
	if err != nil {
		t.Fatal(err)
	}
	if report.After >= report.Before && !slices.Equal(found, genes) {
		t.Errorf("worse on other games (%.4f, %.4f), but other genes", report.Before, report.After)
	}
}

func TestFitDoesNotDependOnWorkers(t *testing.T) {
	sp, genes := space(t)
	positions := newTruth(sp, genes, 3).positions(3000, 4)
	start := make([]float64, len(genes))
	var want []float64
	for _, workers := range []int{1, 2, 8} {
		got, _, err := Fit(t.Context(), sp, start, positions, Settings{workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: other genes", workers)
		}
	}
	if slices.Equal(want, start) {
		t.Error("nothing was fitted: the test shows nothing")
	}
}

func TestFrozenGenesStay(t *testing.T) {
	sp, genes := space(t)
	positions := newTruth(sp, genes, 4).positions(3000, 4)
	start := make([]float64, len(genes))
	got, _, err := Fit(t.Context(), sp, start, positions, Settings{Frozen: []int{0, 5}})
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != 0 || got[5] != 0 || got[1] == 0 {
		t.Errorf("genes %v, want 0 for the first and the sixth, another for the second", got[:6])
	}
}

func TestGradientIsThatOfTheLoss(t *testing.T) {
	sp, genes := space(t)
	world := newTruth(sp, genes, 5)
	for name, loss := range map[string]lossOf{"scores": scoreLoss, "moves": moveLoss} {
		positions := world.positions(300, 3)
		for i := range positions {
			p := &positions[i]
			for range 10 {
				m := Move{Count: uint16(1 + world.rng.IntN(3))}
				for k := range m.Weights {
					m.Weights[k] = uint16(world.tuned[world.rng.IntN(30)])
				}
				p.Moves = append(p.Moves, m)
			}
			p.Best = world.rng.IntN(11) - 1
		}
		f := fitter{space: sp, settings: Settings{workers: 2}, reaches: free(sp, []int{3, 4}), fitted: positions}
		p := f.problem(loss, sp.Real(genes), 20_000, .2)
		if len(p.free) < 20 {
			t.Fatalf("%s: %d free weights, want 20 or more", name, len(p.free))
		}
		x := p.first()
		for i := range x {
			x[i] += .1
		}
		gradient := make([]float64, len(x))
		p.gradientAt(gradient, x)
		const h = 1e-5
		for i := range x {
			y := slices.Clone(x)
			y[i] += h
			up := p.value(y)
			y[i] -= 2 * h
			if want := (up - p.value(y)) / (2 * h); math.Abs(gradient[i]-want) > 1e-6+1e-4*math.Abs(want) {
				t.Errorf("%s, argument %d: derivative %v, by differences %v", name, i, gradient[i], want)
			}
		}
	}
}

func TestTooFewPositions(t *testing.T) {
	sp, genes := space(t)
	if _, _, err := Fit(t.Context(), sp, genes, newTruth(sp, genes, 6).positions(3, 5), Settings{}); err == nil || !strings.Contains(err.Error(), "too few") {
		t.Errorf("error %v", err)
	}
}

func TestChosenPositions(t *testing.T) {
	// Black builds an open three and then a four; no position after it is quiet.
	games := []Played{
		{Moves: boardtest.Moves(t, "h8a1i8a3j8a5k8a7l8"), Opening: 2, Outcome: board.WinFor(board.Black)},
		{Moves: boardtest.Moves(t, "h8i9a1o15c3m13a15o1e5k11b9n6h1h15"), Opening: 3, Outcome: board.Draw},
	}
	list, err := Choose(games, 15, pattern.Freestyle, 1, "test")
	if err != nil {
		t.Fatal(err)
	}
	count := map[int]int{}
	for i, s := range list {
		count[s.Game]++
		if s.Ply <= games[s.Game].Opening {
			t.Errorf("ply %d of game %d is of the opening", s.Ply, s.Game)
		}
		if s.Game == 0 && s.Ply >= 5 {
			t.Errorf("at ply %d of game 0 Black has an open three and wins", s.Ply)
		}
		if i > 0 && list[i-1].Game == s.Game && list[i-1].Ply >= s.Ply {
			t.Errorf("positions out of order: %v", list)
		}
	}
	if count[0] == 0 || count[1] != perGame {
		t.Errorf("positions by game %v, want some of the first, %d of the second", count, perGame)
	}
	again, err := Choose(games, 15, pattern.Freestyle, 1, "test")
	if err != nil || !slices.Equal(again, list) {
		t.Errorf("chosen with the same seed: %v, want %v; error %v", again, list, err)
	}
}

// Labels are what the search expects, in units that the games' results gave, and its proofs where it has any.
func TestLabels(t *testing.T) {
	var games []Played
	for range 4 {
		games = append(games, Played{Moves: boardtest.Moves(t, "h8i9j9h9h10g11"), Outcome: board.WinFor(board.Black)})
	}
	games[3].Outcome = board.WinFor(board.White)
	var scored []Scored
	for g := range games { // Black is to move and its score predicts four of the five results that count
		scored = append(scored, Scored{Game: g, Ply: 4, Score: 900})
	}
	scored = append(scored,
		Scored{Game: 0, Ply: 3, Score: -900}, Scored{Game: 0, Ply: 4, Score: 1 << 25},
		Scored{Game: 3, Ply: 2, Score: 1 << 28}, Scored{Game: 3, Ply: 3, Score: -1 << 28}, // against the result: they do not count for the scale
	)
	won := .97 // a variable: of constants, 1-won would be exactly .03, which stored runs do not have
	for _, version := range []int{OldestVersion, Version} {
		list, err := (&Labeller{Size: 15, Rule: pattern.Freestyle, Version: version}).Label(t.Context(), games, scored)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{.8, .8, .8, .8, .2, won, won, 1 - won} {
			if got := list[i].Label; math.Abs(got-want) > .03 || i > 4 && got != want {
				t.Errorf("version %d, position %d: label %v, want %v", version, i, got, want)
			}
			if len(list[i].Features) < 10 {
				t.Errorf("position %d: %d features, want 10 or more", i, len(list[i].Features))
			}
		}
	}
}

// Where scores tell nothing of the results, labels are the results, from version 4 on.
func TestLabelsOfScoresThatTellNothing(t *testing.T) {
	var games []Played
	var scored []Scored
	for g := range 40 {
		games = append(games, Played{Moves: boardtest.Moves(t, "h8i9j9h9h10g11"), Outcome: board.WinFor(board.Colour(g % 2))})
		scored = append(scored, Scored{Game: g, Ply: 4, Score: 900 - 1800*int32(g/2%2)}) // Black is to move
	}
	for version, want := range map[int][4]float64{OldestVersion: {.5, .5, .5, .5}, Version: {1, 0, 1, 0}} {
		list, err := (&Labeller{Size: 15, Rule: pattern.Freestyle, Version: version}).Label(t.Context(), games, scored)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if got := list[i].Label; math.Abs(got-want[i%4]) > .01 {
				t.Errorf("version %d, position %d: label %.3f, want %.3f", version, i, got, want[i%4])
			}
		}
	}
}

// The share of the results falls as the scores tell more.
func TestResultShare(t *testing.T) {
	for _, test := range []struct{ loss, want float64 }{
		{math.Ln2, 1}, {math.Ln2 + .1, 1}, {(1 - .175*.175) * math.Ln2, .5}, {.84 * math.Ln2, 0}, {.5, 0}, {0, 0},
	} {
		t.Run(fmt.Sprintf("loss %.3f", test.loss), func(t *testing.T) {
			if got := resultShare(test.loss); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("share %.4f, want %.4f", got, test.want)
			}
		})
	}
}

func TestLearnsAllButTheSearch(t *testing.T) {
	for _, test := range []struct {
		groups []string
		want   bool
	}{{nil, true}, {[]string{"search"}, false}, {[]string{"search", "order"}, true}} {
		t.Run(strings.Join(test.groups, ", "), func(t *testing.T) {
			if got := Learns(test.groups); got != test.want {
				t.Errorf("%v: %v, want %v", test.groups, got, test.want)
			}
		})
	}
}

// The weights of a move sum to what the evaluator orders it by, under every rule.
func TestMovesAreThoseOfTheEvaluator(t *testing.T) {
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, len(set.Values))
	for i, v := range set.Values {
		values[i] = float64(v)
	}
	for rule := range pattern.Rule(pattern.NumRules) {
		position, err := board.New(15, rule)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range boardtest.Moves(t, "h8i9j9h9h10g11i11g9") {
			position.Play(m)
		}
		state := evaluator.NewState(position, evaluator.Compile(set))
		near := position.Near(nil)
		best := near[len(near)/2]
		list, at := newReader(15, rule).moves(position, best)
		want, got := map[float64]int{}, map[float64]int{}
		for _, c := range near {
			want[float64(state.MoveScore(c))]++
		}
		for i := range list {
			got[list[i].score(values)] += int(list[i].Count)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%v: scores %v, want %v", rule, got, want)
		}
		if at < 0 || list[at].score(values) != float64(state.MoveScore(best)) {
			t.Errorf("%v: the best move is at %d, want one with the score %d", rule, at, state.MoveScore(best))
		}
	}
}

// Where best moves are drawn from the exponential of their scores, the fit finds an ordering that predicts them nearly as
// well as the true one.
func TestFitFindsTheOrdering(t *testing.T) {
	sp, genes := spaceOf(t, "order")
	world := newTruth(sp, genes, 6)
	found, report, err := Fit(t.Context(), sp, genes, world.moves(1500), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	judge := world.moves(500)
	judged := func(values []float64) float64 {
		return meanLoss(moveLoss, values, bestScale(func(s float64) float64 { return meanLoss(moveLoss, values, s, judge, 2) }), judge, 2)
	}
	best, before, after := judged(world.values), judged(sp.Real(genes)), judged(sp.Real(found))
	if after > best+.15*(before-best) || report.OrderAfter >= report.OrderBefore {
		t.Errorf("loss %.4f before, %.4f after, %.4f of the truth; report %+v", before, after, best, report)
	}
}

// What best moves tell changes the ordering and nothing else, whatever is tuned beside it. Up to version 5 the fit's scale
// went over to lines beside which other weights of positions stand still, and to the search.
func TestFitLeavesOtherFamiliesAlone(t *testing.T) {
	ordering, truth := spaceOf(t, "order")
	positions := newTruth(ordering, truth, 6).moves(600)
	others := func(groups []string, s Settings) (ordering, other int) {
		sp, genes := spaceOf(t, groups...)
		found, _, err := Fit(t.Context(), sp, genes, positions, s)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range sp.Genes() {
			switch {
			case found[i] == genes[i]:
			case g.Group == "order":
				ordering++
			default:
				other++
			}
		}
		return ordering, other
	}
	for _, groups := range [][]string{{"line", "order"}, {"order", "search"}, {"line", "cell", "order", "tempo", "pair", "search"}} {
		t.Run(strings.Join(groups, ","), func(t *testing.T) {
			if ordering, other := others(groups, Settings{}); ordering == 0 || other > 0 {
				t.Errorf("%d genes of the ordering and %d others changed", ordering, other)
			}
			if _, other := others(groups, Settings{ScaleAll: true}); other == 0 {
				t.Error("no gene of another family followed the scale up to version 5: the test shows nothing")
			}
		})
	}
}
