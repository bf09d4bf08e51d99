package tuner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quintune/internal/bench"
	"quintune/internal/match"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// names returns the opponents of the validations in a state, with their nodes.
func names(s *run.State) (list []string, nodes []int64) {
	for _, v := range append([]match.Report{*s.Validation}, s.Further...) {
		list, nodes = append(list, v.B), append(nodes, v.Nodes)
	}
	return list, nodes
}

func TestValidationsAgainstAllThatMatter(t *testing.T) {
	t.Parallel()
	c := smallConfig(t, 60_000)
	c.Seed, c.Nodes, c.Openings = 1, 100, Lines(matchtest.Book(t, 6000, 15))
	c.Anchors = append(c.Anchors, anchor(t, "flat"))
	c = open(t, c.Spec, nil)
	store := &runtest.Store{}
	o := play(t, c, &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, store)
	last := &store.States[len(store.States)-1]
	if len(last.Gates) != 2 || !last.Gates[0].Report.Passed || !last.Gates[1].Report.Passed {
		t.Fatalf("gates %+v, want two, both passed", last.Gates)
	}
	got, nodes := names(last)
	if want := []string{"huang", "huang", championName(&last.Gates[0]), "shapes", "flat"}; !slices.Equal(got, want) {
		t.Errorf("validated against %q, want %q", got, want)
	}
	if want := []int64{100, 400, 100, 100, 100}; !slices.Equal(nodes, want) {
		t.Errorf("nodes %d, want %d", nodes, want)
	}
	if last.Further[0].Games < 2000 || last.Validation.Games < 4000 || validationGames(last) > 9000 {
		t.Errorf("%d and %d games of %d, want 4000 and 2000 or more of 9000 at most", last.Validation.Games, last.Further[0].Games, validationGames(last))
	}
	if len(last.Openings) != int(last.Validation.Pairs) {
		t.Errorf("%d openings stored for %d pairs, want as many", len(last.Openings), last.Validation.Pairs)
	}
	p := o.Set.Provenance
	if p.Validation.Opponent != "huang" || p.Validation.Nodes != 100 || len(p.Further) != 4 || p.Further[0].Nodes != 400 {
		t.Errorf("provenance %+v, want huang at 100 nodes, and four further ones, the first at 400", p)
	}
	back, err := weights.Unmarshal(marshal(t, o.Set))
	if err != nil || !back.Equal(o.Set) {
		t.Errorf("the file reads as %+v, error %v", back, err)
	}
}

func TestSmallBudgetsValidateOnce(t *testing.T) {
	store := &runtest.Store{}
	play(t, smallConfig(t, 400), &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, store)
	last := &store.States[len(store.States)-1]
	if last.Validation == nil || len(last.Further) != 0 || last.Validation.Pairs != 30 {
		t.Errorf("%+v, %d further, want 30 pairs and none", last.Validation, len(last.Further))
	}
}

// A deadline ends the evolution and nothing else. Another run with the same number of games gives the same
// result.
func TestDeadlineCanBeRepeated(t *testing.T) {
	c := smallConfig(t, 30_000)
	elo := matchtest.Hill(t, 20)
	store := &runtest.Store{}
	r := newRun(t, c)
	o, err := r.Run(context.Background(), Environment{
		Runner: &matchtest.Runner{Elo: elo}, Store: store, Deadline: time.Now().Add(-time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	last := store.States[len(store.States)-1]
	if o.Generations != 1 || last.Ended == 0 || last.Ended != last.Evolution || o.Gate == nil || o.Validation == nil {
		t.Fatalf("%d generations, ended after %d of %d games, gate %v, validation %v",
			o.Generations, last.Ended, last.Evolution, o.Gate != nil, o.Validation != nil)
	}
	again := *c
	again.Evolution = last.Ended
	against := &runtest.Store{}
	repeated := play(t, &again, &matchtest.Runner{Elo: elo}, against)
	if !slices.Equal(marshal(t, repeated.Set), marshal(t, o.Set)) {
		t.Error("told when to end, the run is another one")
	}
	longer, err := c.Extend(last, 40_000)
	if err != nil {
		t.Fatal(err)
	}
	other, err := again.Extend(against.States[len(against.States)-1], 40_000)
	if err != nil {
		t.Fatal(err)
	}
	if got := longer.Extended[0].Evolution; got != last.Ended || mustID(t, longer) != mustID(t, other) {
		t.Errorf("the extended run knows of an end after %d games, want %d; its id is %s, that of the repeated one %s", got, last.Ended, mustID(t, longer), mustID(t, other))
	}
	// Stopped after the end of the evolution, the run goes on with gate and validation.
	for step := range store.States {
		if store.States[step].Ended == 0 {
			continue
		}
		restored, err := Restore(c, store.States[step])
		if err != nil {
			t.Fatal(err)
		}
		restored.MakeOpenings = matchtest.Openings
		resumed, err := restored.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: elo}, Store: &runtest.Store{}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(marshal(t, resumed.Set), marshal(t, o.Set)) {
			t.Errorf("resumed after step %d, the run is another one", step+1)
		}
	}
}

// A deadline that passes between two generations, as before a run is resumed, begins no other, unless a gate came in between. Another
// run with the same number of games gives the same result.
func TestDeadlineBetweenGenerations(t *testing.T) {
	c := smallConfig(t, 20_000) // the least with two gates
	runner := &matchtest.Runner{Elo: matchtest.Hill(t, 20)}
	store := &runtest.Store{}
	play(t, c, runner, store)
	isGated := func(s run.State) bool { return len(s.Gates) > 0 && s.Gates[0].Generation == s.Generations }
	for _, step := range []int{7, slices.IndexFunc(store.States, isGated)} {
		state := store.States[step]
		want, gated := state.Generations, isGated(state)
		if gated {
			want++
		}
		r, err := Restore(c, state)
		if err != nil {
			t.Fatal(err)
		}
		r.MakeOpenings = matchtest.Openings
		o, err := r.Run(context.Background(), Environment{Runner: runner, Store: &runtest.Store{}, Deadline: time.Now().Add(-time.Hour)})
		if err != nil || o.Generations != want || o.Ended != o.Evolution {
			t.Fatalf("step %d: %d generations after the deadline, want %d; ended after %d of %d games; error %v", step, o.Generations, want, o.Ended, o.Evolution, err)
		}
		again := *c
		again.Evolution = o.Ended
		if repeated := play(t, &again, runner, &runtest.Store{}); !slices.Equal(marshal(t, repeated.Set), marshal(t, o.Set)) {
			t.Errorf("step %d: told when to end, the run is another one", step)
		}
	}
}

func TestSpecKeepsTheEndOfTheEvolutionOutOfTheID(t *testing.T) {
	c := smallConfig(t, 1000)
	id := func() string {
		id, err := c.ID()
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	before := id()
	c.Evolution = 500
	if id() != before {
		t.Error("the end of the evolution changes the id")
	}
	c.Settings.Rate *= 2
	if id() == before {
		t.Error("the settings of the optimisers do not change the id")
	}
}

func TestFrozenWeights(t *testing.T) {
	names := func(n int) []string {
		space, err := weights.NewSpace(weightstest.Preset(t, "huang"), []string{"line"})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, g := range space.Genes()[:min(n, len(space.Genes()))] {
			list = append(list, g.Name)
		}
		return list
	}
	all := names(1000)
	for _, test := range []struct {
		frozen []string
		want   string // part of the error, "" for none
	}{
		{all[:3], ""},
		{all, "genes are frozen, none is left to tune"},
		{append(slices.Clone(all), "cell.four.self"), "none of the"},
		{[]string{"line.no_such.self"}, `"line.no_such.self" is to be frozen, but it is none of the`},
		{[]string{all[0], all[0]}, "is frozen twice"},
	} {
		t.Run(test.want, func(t *testing.T) {
			c := smallConfig(t, 1000)
			c.Groups, c.Frozen, c.NoGate = []string{"line"}, test.frozen, true
			r, err := New(c)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%d frozen: %v, want %q", len(test.frozen), err, test.want)
			}
			if err != nil {
				return
			}
			o, err := r.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, Store: &runtest.Store{}})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range test.frozen {
				was, _ := r.own.projection.Set.Get(name)
				if is, _ := o.Set.Get(name); is != was {
					t.Errorf("%s was %d and is %d", name, was, is)
				}
			}
			if slices.Equal(o.Set.Values, r.own.projection.Set.Values) {
				t.Error("nothing was tuned")
			}
		})
	}
}

func TestBooksOfARun(t *testing.T) {
	both := Lines(matchtest.Book(t, 40, 15))
	for _, test := range []struct {
		name        string
		train, gate int // openings before train are in the book, those from gate on in the book of the gates
		want        string
	}{
		{"disjoint", 20, 20, ""},
		{"overlapping", 21, 20, "the openings of the gates overlap those of the training: book: opening 1, "},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := smallConfig(t, 100).Spec
			s.Openings, s.GateBook = both[:test.train], both[test.gate:]
			c, err := Open(&s, bench.Signature(), nil)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", test.name, err, test.want)
			}
			if err != nil {
				return
			}
			if n := len(c.part(0).Openings); n != test.train {
				t.Errorf("%d openings to train on, want %d", n, test.train)
			}
		})
	}
}

// The validation against the shipped set comes last; its games are taken from the other validations.
func TestTheResultMeetsTheShippedSet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		budget int
		pairs  int64
	}{{400, 7}, {4000, 75}, {60_000, mostShippedPairs}} {
		t.Run(fmt.Sprint(test.budget), func(t *testing.T) {
			c := smallConfig(t, test.budget)
			without := planFor(c.Budget, true, len(c.Anchors), false)
			shipped := anchor(t, "default")
			c.Openings, c.Shipped = Lines(matchtest.Book(t, 6000, 15)), &shipped
			c = open(t, c.Spec, nil)
			if with := planFor(c.Budget, true, len(c.Anchors), true); with.evolution != without.evolution || with.gateGames != without.gateGames {
				t.Errorf("plan %+v, without the shipped set %+v", with, without)
			}
			store := &runtest.Store{}
			play(t, c, &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, store)
			further := store.States[len(store.States)-1].Further
			if last := further[len(further)-1]; last.B != "default" || last.Pairs != test.pairs || last.Nodes != c.Nodes {
				t.Errorf("the last validation is %d pairs of %d nodes against %s, want %d against default", last.Pairs, last.Nodes, last.B, test.pairs)
			}
		})
	}
}

// A run that was stored before there was a shipped set keeps its ID.
func TestRunsWithoutAShippedSetKeepTheirID(t *testing.T) {
	data, err := json.Marshal(smallConfig(t, 1000).Spec)
	if err != nil || strings.Contains(string(data), "shipped") {
		t.Errorf("error %v, want no shipped set in %.300s", err, data)
	}
}

// A validation against equal weights is done without a game, and no file claims that it was played. Those against other players are
// played.
func TestValidationOfEqualWeightsNeedsNoGame(t *testing.T) {
	c := smallConfig(t, 60_000)
	start, shipped := anchor(t, "default"), anchor(t, "flat")
	c.StartName, c.Start, c.Shipped = start.Name, start.Weights, &shipped
	c = open(t, c.Spec, nil)
	r := newRun(t, c)
	r.env = Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, Store: &runtest.Store{}, Audited: true}
	for n, v := range r.validationMatches() {
		if err := r.validate(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		report := r.state.Validations()[n]
		if equal := v.opponent.Name == c.StartName; report.Unplayed() != equal || equal && (report.Elo != 0 || report.EloLow != 0 || report.EloHigh != 0) {
			t.Errorf("against %s: %+v, want it without a game and with an Elo of 0: %v", v.opponent.Name, report, equal)
		}
	}
	o, err := r.finish(false)
	if err != nil {
		t.Fatal(err)
	}
	if p := o.Set.Provenance; p.Validation != nil || len(p.Further) != 2 || r.state.Games != 2*(r.plan.anchorPairs+r.plan.shippedPairs) {
		t.Errorf("%d games, provenance %+v", r.state.Games, p)
	}
}
