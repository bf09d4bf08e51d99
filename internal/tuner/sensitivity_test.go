package tuner

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"quintune/internal/match"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/weights"
)

// tunedRun returns a run that has been played to its end.
func tunedRun(t *testing.T, c *Config, runner *matchtest.Runner) *Run {
	t.Helper()
	r := newRun(t, c)
	if _, err := r.Run(context.Background(), Environment{Runner: runner, Store: &runtest.Store{}}); err != nil {
		t.Fatal(err)
	}
	return r
}

// The cost of a change is the Elo lost by setting it back, and its intervals reflect how precisely it was
// measured.
func TestSensitivityFindsWhatMattered(t *testing.T) {
	elo := matchtest.Hill(t, 20)
	c := smallConfig(t, 20_000)
	c.Groups, c.Frozen, c.Openings = []string{"line", "order"}, nil, Lines(matchtest.Book(t, 4000, 15))
	c = open(t, c.Spec, nil)
	r := tunedRun(t, c, &matchtest.Runner{Elo: elo})
	for _, backward := range []bool{false, true} {
		s, err := r.Sensitivity(context.Background(), &matchtest.Runner{Elo: elo, Backward: backward}, 10_000, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Changes) != len(r.own.space.Genes()) || s.Games != 10_000 || s.Run != r.ID() {
			t.Fatalf("%d changes, %d games of run %s, want %d, 10000 of %s", len(s.Changes), s.Games, s.Run, len(r.own.space.Genes()), r.ID())
		}
		checkCosts(t, r, s, elo)
	}
}

// checkCosts compares the measured costs with the true ones.
func checkCosts(t *testing.T, r *Run, s *run.Sensitivity, elo func(*weights.Set) float64) {
	t.Helper()
	covered, costs := 0, 0
	genes := r.recommendedGenes()
	tuned, err := r.own.space.Decode(genes)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range s.Changes {
		if i > 0 && math.Abs(c.Change) > math.Abs(s.Changes[i-1].Change) {
			t.Errorf("change %d is greater than the one before", i)
		}
		if c.Spread == nil {
			t.Errorf("%s has no spread", c.Name)
		}
		if (c.Cost != nil) != (i < MostAblations) {
			t.Errorf("cost of change %d: %v", i, c.Cost)
		}
		if c.Cost == nil {
			continue
		}
		back := append([]float64(nil), genes...)
		for k, g := range r.own.space.Genes() {
			if g.Name == c.Name {
				back[k] = r.own.projection.Genes[k]
			}
		}
		without, err := r.own.space.Decode(back)
		if err != nil {
			t.Fatal(err)
		}
		costs++
		if truth := elo(tuned) - elo(without); c.Cost.EloLow <= truth && truth <= c.Cost.EloHigh {
			covered++
		}
	}
	if costs != MostAblations || covered < costs-2 {
		t.Errorf("%d of %d intervals hold the truth, want all but two of %d", covered, costs, MostAblations)
	}
}

// A weight whose gene moved and whose value did not has no match, and does not count as changed; nor does one that moved with the
// class below it play.
func TestSensitivityOfEqualValues(t *testing.T) {
	c := smallConfig(t, 1000)
	c.Groups = []string{"line", "search"}
	r := newRun(t, open(t, c.Spec, nil))
	genes := slices.Clone(r.subject.start())
	moved := map[string]float64{"search.vcf_root_share": .001, "search.lmr_scale": .0001, "line.open_two.self": .3, "line.four.self": .2}
	for i, g := range r.subject.genes() {
		genes[i] += moved[g.Name]
	}
	r.state.Gates = []run.Gate{{Genes: genes, Report: match.GateReport{Passed: true}}}
	s, err := r.Sensitivity(context.Background(), &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, 4000, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range s.Changes {
		if played, want := change.Cost != nil, strings.HasPrefix(change.Name, "line.") && change.Change != 0; played != want {
			t.Errorf("%s from %v to %v by %v has a match: %v", change.Name, change.Start, change.Tuned, change.Change, played)
		}
	}
	if len(s.Groups) != 0 { // only one has changes
		t.Errorf("groups %+v, want none", s.Groups)
	}
}

func TestSensitivityWithoutGames(t *testing.T) {
	elo := matchtest.Hill(t, 20)
	c := smallConfig(t, 1000)
	r := tunedRun(t, c, &matchtest.Runner{Elo: elo})
	s, err := r.Sensitivity(context.Background(), nil, 0, nil)
	if err != nil || s.Games != 0 {
		t.Fatalf("%d games, error %v", s.Games, err)
	}
}
