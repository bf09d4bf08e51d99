package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"quintune/ga"
	"quintune/internal/stats"
)

// newOptimizer returns one of a version with a budget of games, in the space of the tests.
func newOptimizer(t *testing.T, version, budget int) *Optimizer {
	t.Helper()
	sp, genes := space(t)
	c := ga.DefaultConfig()
	c.Budget = budget
	for i, g := range sp.Genes() {
		c.Genes = append(c.Genes, ga.Gene{Name: g.Name, Group: g.Group, Start: genes[i]})
	}
	o, err := New(c, sp, version)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// drawn returns a split pair for each pair of a batch.
func drawn(b ga.Batch) (results []stats.Pentanomial) {
	for _, p := range b.Pairings {
		results = append(results, stats.Pentanomial{0, 0, int64(p.Pairs), 0, 0})
	}
	return results
}

// learn has the optimiser learn the positions, and returns the genes that it has then.
func learn(t *testing.T, o *Optimizer, positions []Position) []float64 {
	t.Helper()
	b, more := o.Ask()
	if !more || !o.Wants() {
		t.Fatalf("after %d games: more %v, wants %v", o.Progress().Games, more, o.Wants())
	}
	if err := o.Learn(t.Context(), positions); err != nil {
		t.Fatal(err)
	}
	if err := o.Tell(drawn(b)); err != nil {
		t.Fatal(err)
	}
	return o.Champion()
}

// A fit of several is kept if it wins its trial, and thrown away otherwise; a stop before the trial changes nothing.
func TestRoundsAreKeptByTheirTrials(t *testing.T) {
	for name, test := range map[string]struct {
		result func(pairs int64) stats.Pentanomial
		kept   bool
	}{
		"won":   {func(n int64) stats.Pentanomial { return stats.Pentanomial{0, 0, n - 1, 1, 0} }, true},
		"even":  {func(n int64) stats.Pentanomial { return stats.Pentanomial{0, 0, n, 0, 0} }, false},
		"lost":  {func(n int64) stats.Pentanomial { return stats.Pentanomial{0, 1, n - 1, 0, 0} }, false},
		"voids": {func(int64) stats.Pentanomial { return stats.Pentanomial{} }, false},
	} {
		o := newOptimizer(t, Version, 5*mostPairs)
		before := o.Champion()
		positions := newTruth(o.space, before, 7).positions(600, 5)
		fitted := learn(t, o, positions)
		if slices.Equal(fitted, before) {
			t.Fatal("nothing was learnt: the test shows nothing")
		}
		checkpoint, err := o.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		o = newOptimizer(t, Version, 5*mostPairs)
		if err := o.Restore(checkpoint); err != nil {
			t.Fatal(err)
		}
		b, more := o.Ask()
		if !more || o.Wants() || len(b.Pairings) != 1 || !slices.Equal(b.Genomes[0], fitted) || !slices.Equal(b.Genomes[1], before) {
			t.Fatalf("%s: the trial is %+v, want the fitted genes against those before", name, b)
		}
		games := o.Progress().Games
		if err := o.Tell([]stats.Pentanomial{test.result(int64(b.Pairings[0].Pairs))}); err != nil {
			t.Fatal(err)
		}
		want := before
		if test.kept {
			want = fitted
		}
		if !slices.Equal(o.Champion(), want) {
			t.Errorf("%s: kept %v, want %v", name, !test.kept, test.kept)
		}
		if played := o.Progress().Games - games; played != 2*trialPairs {
			t.Errorf("%s: the trial counts %d games, want %d", name, played, 2*trialPairs)
		}
		if b, more := o.Ask(); !more || !o.Wants() || len(b.Pairings) < mostPairs/3 {
			t.Errorf("%s: the next batch has %d pairings, want %d or more", name, len(b.Pairings), mostPairs/3)
		}
	}
}

// The spread of a batch is measured on its genomes, and a trial changes no gene at random.
func TestSpreadOfABatch(t *testing.T) {
	o := newOptimizer(t, Version, 20_000)
	positions := newTruth(o.space, o.Champion(), 4).positions(3000, 4)
	clear(o.state.Genes)
	frozen := len(o.config.Genes) / 2
	for i := range frozen {
		o.config.Genes[len(o.config.Genes)-1-i].Frozen = true
	}
	learn(t, o, positions)
	want := variety * float64(len(o.config.Genes)-frozen) / float64(len(o.config.Genes))
	if p := o.Progress(); math.Abs(p.Spread-want) > want/100 || p.Sigma != variety {
		t.Errorf("%d of %d genes are frozen: spread %v, step %v, want %v and %v", frozen, len(o.config.Genes), p.Spread, p.Sigma, want, variety)
	}
	b, _ := o.Ask()
	if o.Wants() {
		t.Fatal("no trial follows: the test shows less")
	}
	if err := o.Tell(drawn(b)); err != nil {
		t.Fatal(err)
	}
	if p := o.Progress(); p.Spread != b.Spread() || p.Spread == 0 || p.Sigma != 0 {
		t.Errorf("trial: spread %v, step %v, want %v and 0", p.Spread, p.Sigma, b.Spread())
	}
}

// All games of a budget are played, in rounds that are about alike, and no more.
func TestRoundsUseTheBudget(t *testing.T) {
	for _, test := range []struct{ version, budget, batches int }{
		{Version, 400, 1}, // too few for a trial
		{Version, 5000, 2},
		{Version, 8192, 2},
		{5, 5000, 1},
		{5, 8192, 1},
		{Version, 8194, 4},
		{Version, 20_000, 4},
		{Version, 100_000, 6},
		{Version, 400_000, 16},
		{OldestVersion, 20_000, 4},
	} {
		t.Run(fmt.Sprintf("version %d, %d games", test.version, test.budget), func(t *testing.T) {
			o := newOptimizer(t, test.version, test.budget)
			batches, pairs := 0, 0
			for b, more := o.Ask(); more; b, more = o.Ask() {
				if o.Wants() {
					if len(b.Pairings) > mostPairs+trialPairs || test.batches > 1 && len(b.Pairings) < min(mostPairs/3, test.budget/2/firstPart) {
						t.Errorf("%+v: a batch of %d pairs, want %d at most, and no small one of several", test, len(b.Pairings), mostPairs+trialPairs)
					}
					o.fitted = slices.Clone(o.state.Genes)
					o.fitted[0] = float64(batches+1) / 100
				}
				batches++
				pairs += b.Games() / 2
				if err := o.Tell(drawn(b)); err != nil {
					t.Fatal(err)
				}
			}
			if batches != test.batches || pairs != test.budget/2 {
				t.Errorf("version %d: %d games are %d batches of %d pairs, want %d batches", test.version, test.budget, batches, pairs, test.batches)
			}
		})
	}
}

// The first batch of a very large budget has as many pairs as memory allows. Runs of older versions go on with a quarter of all.
func TestFirstBatchIsBounded(t *testing.T) {
	for version, want := range map[int]int{boundsFirst - 1: 125_000, Version: mostPairs} {
		if got := newOptimizer(t, version, 1_000_000).size(500_000); got != want {
			t.Errorf("version %d: the first batch of 1 000 000 games has %d pairs, want %d", version, got, want)
		}
	}
}

// Where fits change nothing there is no trial, and its pairs are too few for another fit: they stay unplayed.
func TestPairsThatNoFitCanUseStayUnplayed(t *testing.T) {
	for version, want := range map[int]int{4: 2 + trialPairs, Version: 2} {
		o := newOptimizer(t, version, 20_000)
		batches := 0
		for b, more := o.Ask(); more; b, more = o.Ask() {
			o.fitted = slices.Clone(o.state.Genes)
			batches++
			if err := o.Tell(drawn(b)); err != nil {
				t.Fatal(err)
			}
		}
		if left := 20_000 - o.Progress().Games; batches != want || version == Version && left != 2*trialPairs {
			t.Errorf("version %d: %d batches, %d games left; want %d batches", version, batches, left, want)
		}
	}
}

func TestCheckpointsAndResultsOfOthersAreRefused(t *testing.T) {
	o := newOptimizer(t, Version, 5*mostPairs)
	checkpoint, err := o.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	o.config.Opponents = []ga.Opponent{{Name: "anchor", Kind: ga.Anchor}}
	if err := o.Restore(checkpoint); err == nil || !strings.Contains(err.Error(), "0 opponents, 1 are configured") {
		t.Errorf("no opponents where one is configured: error %v", err)
	}
	o = newOptimizer(t, Version, 5*mostPairs)
	b, _ := o.Ask()
	o.fitted = slices.Clone(o.state.Genes)
	results := drawn(b)
	results[0][2] = 2
	if err := o.Tell(results); err == nil || !strings.Contains(err.Error(), "result 0") {
		t.Errorf("two pairs where one was asked: error %v", err)
	}
}

func TestGenesOfCheckpointsAreChecked(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*state)
		want  string // "": it is restored
	}{
		{"as it is", func(*state) {}, ""},
		{"a gene is tried", func(s *state) { s.Tried = []float64{0} }, "tries 1"},
		{"beyond the bounds", func(s *state) { s.Genes[2] = 1.5 }, "is 1.5, outside [-1, 1]"},
		{"a free gene elsewhere", func(s *state) { s.Genes[2] = -.375 }, ""},
		{"a frozen gene elsewhere", func(s *state) { s.Genes[1] = -.375 }, "is -0.375, and frozen at"},
		{"a frozen gene is tried elsewhere", func(s *state) { s.Tried = slices.Clone(s.Genes); s.Tried[1] = -.375 }, "is -0.375, and frozen at"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newOptimizer(t, Version, 5*mostPairs)
			o.config.Genes[1].Frozen = true
			test.spoil(&o.state)
			checkpoint, err := o.Checkpoint()
			if err != nil {
				t.Fatal(err)
			}
			err = o.Restore(checkpoint)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// Learn changes nothing of the closed part of a run; of two fits to a batch the last one counts. Calls out of turn are errors.
func TestLearnBelongsToTheOpenBatch(t *testing.T) {
	o := newOptimizer(t, Version, 5*mostPairs)
	checkpoint := func() string {
		t.Helper()
		data, err := o.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	refused := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	refused(o.Tell(nil), "was not asked for")
	refused(o.Learn(t.Context(), nil), "was not asked for")
	positions := newTruth(o.space, o.Champion(), 7).positions(600, 5)
	b, _ := o.Ask()
	refused(o.Tell(drawn(b)), "were not learnt")
	before := checkpoint()
	for range 2 {
		if err := o.Learn(t.Context(), positions); err != nil {
			t.Fatal(err)
		}
	}
	if checkpoint() != before {
		t.Error("the checkpoint holds what an open batch taught")
	}
	if err := o.Tell(drawn(b)); err != nil {
		t.Fatal(err)
	}
	if len(o.state.Fits) != 1 {
		t.Errorf("%d fits are listed, 1 was told", len(o.state.Fits))
	}
	if _, more := o.Ask(); !more || o.Wants() {
		t.Fatal("no trial follows: the test shows less")
	}
	refused(o.Learn(t.Context(), positions), "is not learnt from")
}

// doneAfter is a context that is done after a number of questions.
type doneAfter struct {
	context.Context
	questions int
}

func (d *doneAfter) Err() error {
	if d.questions--; d.questions < 0 {
		return context.Canceled
	}
	return nil
}

// A fit that is interrupted, wherever it is, leaves the optimiser as it was, and the next one is the same as without it.
func TestInterruptedFitChangesNothing(t *testing.T) {
	const many = math.MaxInt32
	o := newOptimizer(t, Version, 5*mostPairs)
	positions := newTruth(o.space, o.Champion(), 7).positions(600, 5)
	want := learn(t, o, positions)
	o = newOptimizer(t, Version, 5*mostPairs)
	b, _ := o.Ask()
	all := &doneAfter{t.Context(), many}
	if err := o.Learn(all, positions); err != nil {
		t.Fatal(err)
	}
	o = newOptimizer(t, Version, 5*mostPairs)
	o.Ask()
	asked := many - all.questions
	for _, questions := range []int{0, 1, asked / 4, asked / 2, asked - 1} {
		if err := o.Learn(&doneAfter{t.Context(), questions}, positions); !errors.Is(err, context.Canceled) {
			t.Errorf("done after %d of %d questions: error %v", questions, asked, err)
		}
		if err := o.Tell(drawn(b)); err == nil || !strings.Contains(err.Error(), "were not learnt") {
			t.Errorf("done after %d of %d questions: results of the batch give error %v", questions, asked, err)
		}
	}
	if got := learn(t, o, positions); !slices.Equal(got, want) {
		t.Error("a fit after interrupted ones has other genes")
	}
}

// A checkpoint that is refused changes nothing, and one after the fit leaves no trace in what is restored after it.
func TestWarmRestoresWholeOrNothing(t *testing.T) {
	o := newOptimizer(t, Version, 4000)
	warm := func() *Warm {
		t.Helper()
		w, err := NewWarm(o.config, o.space, Version, .5, func(c ga.Config) (ga.Optimizer, error) { return ga.New(ga.MethodSPSA, c) })
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	checkpoint := func(w *Warm) string {
		t.Helper()
		data, err := w.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	positions := newTruth(o.space, o.Champion(), 7).positions(600, 5)
	w := warm()
	first, _ := w.Ask()
	fitting := checkpoint(w)
	for b, more := w.Ask(); more && b.Phase == Method; b, more = w.Ask() {
		if w.Wants() {
			if err := w.Learn(t.Context(), positions); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Tell(drawn(b)); err != nil {
			t.Fatal(err)
		}
	}
	rest := checkpoint(w)
	if !strings.Contains(rest, `"rest"`) {
		t.Fatal("the fit has not ended: the test shows nothing")
	}
	spoilt := strings.Replace(rest, `"method":"spsa"`, `"method":"other"`, 1)
	overspent := strings.Replace(rest, fmt.Sprintf(`"games":%d`, w.fit.state.Progress.Games), `"games":4002`, 1)
	fitOverspent := strings.Replace(fitting, `"games":0`, `"games":4002`, 1)
	w = warm()
	for _, c := range []string{spoilt, overspent, fitOverspent} {
		if err := w.Restore([]byte(c)); err == nil || checkpoint(w) != fitting {
			t.Errorf("error %v, state changed: %v", err, checkpoint(w) != fitting)
		}
	}
	for _, c := range []string{rest, fitting} {
		if err := w.Restore([]byte(c)); err != nil || checkpoint(w) != c {
			t.Errorf("error %v, restored and stored again %s, want %s", err, checkpoint(w), c)
		}
	}
	if b, more := w.Ask(); !more || len(b.Pairings) != len(first.Pairings) {
		t.Errorf("more %v, a batch of %d pairings, want %d", more, len(b.Pairings), len(first.Pairings))
	}
}

// A greater budget after the last batch of the fit goes on with what comes after it, whether that was asked for or not.
func TestGreaterBudgetAfterTheFit(t *testing.T) {
	config, space := newOptimizer(t, Version, 4000).config, newOptimizer(t, Version, 4000).space
	warm := func(budget int) *Warm {
		t.Helper()
		c := config
		c.Budget = budget
		w, err := NewWarm(c, space, Version, .5, func(c ga.Config) (ga.Optimizer, error) { return ga.New(ga.MethodSPSA, c) })
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := warm(4000)
	for left := WarmGames(.5, 4000); left > 0; {
		b, _ := w.Ask()
		if left -= b.Games(); w.Wants() {
			w.fit.fitted = slices.Clone(w.fit.state.Genes)
			w.fit.fitted[0] = .01
		}
		if err := w.Tell(drawn(b)); err != nil {
			t.Fatal(err)
		}
	}
	checkpoint, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	greater := warm(40_000)
	if err := greater.Restore(checkpoint); err != nil {
		t.Fatal(err)
	}
	if b, more := greater.Ask(); !more || b.Phase != ga.MethodSPSA {
		t.Errorf("more %v, phase %q, want %q", more, b.Phase, ga.MethodSPSA)
	}
}

// A large warm start has several fits: their trials are not learnt from, and the other optimiser begins when the last is over.
func TestLargeWarmStart(t *testing.T) {
	c := newOptimizer(t, Version, 40_000).config
	space := newOptimizer(t, Version, 40_000).space
	w, err := NewWarm(c, space, Version, .5, func(c ga.Config) (ga.Optimizer, error) { return ga.New(ga.MethodSPSA, c) })
	if err != nil {
		t.Fatal(err)
	}
	var learnt, tried int
	for b, more := w.Ask(); more && b.Phase == Method; b, more = w.Ask() {
		if w.Wants() {
			learnt += b.Games()
			w.fit.fitted = slices.Clone(w.fit.state.Genes)
			w.fit.fitted[0] = float64(learnt) / 100_000
		} else {
			tried += b.Games()
			if err := w.Learn(t.Context(), nil); err == nil {
				t.Error("positions of a trial are learnt")
			}
		}
		if err := w.Tell(drawn(b)); err != nil {
			t.Fatal(err)
		}
	}
	if tried != 2*2*trialPairs || learnt+tried != 20_000 {
		t.Errorf("%d games learnt from and %d of trials, want 20000 together, %d of trials", learnt, tried, 2*2*trialPairs)
	}
	if b, more := w.Ask(); !more || w.Wants() || b.Phase != ga.MethodSPSA {
		t.Errorf("after the fits: more %v, phase %s, want %s", more, b.Phase, ga.MethodSPSA)
	}
}

// A warm start that is too small for a fit shows the other optimiser from the first generation on.
func TestWarmStartWithoutFit(t *testing.T) {
	o := newOptimizer(t, Version, 1000)
	build := func(c ga.Config) (ga.Optimizer, error) { return ga.New(ga.MethodSPSA, c) }
	w, err := NewWarm(o.config, o.space, Version, .1, build)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := build(o.config)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		b, more := w.Ask()
		if _, _ = alone.Ask(); !more || b.Phase != ga.MethodSPSA {
			t.Fatalf("more %v, phase %q, want %q", more, b.Phase, ga.MethodSPSA)
		}
		if got, want := w.Progress(), alone.Progress(); got != want {
			t.Errorf("progress before generation %d is %+v, want %+v", b.Generation, got, want)
		}
		if err := w.Tell(drawn(b)); err != nil {
			t.Fatal(err)
		}
		if err := alone.Tell(drawn(b)); err != nil {
			t.Fatal(err)
		}
	}
}
