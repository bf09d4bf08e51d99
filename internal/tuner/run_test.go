package tuner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"quintune/internal/match"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/selfplay"
	"quintune/weights"
)

// newRun returns a run that makes its openings without a search.
func newRun(t *testing.T, c *Config) *Run {
	t.Helper()
	r, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r.MakeOpenings = matchtest.Openings
	return r
}

// play plays a run to its end on a fake runner.
func play(t *testing.T, c *Config, runner selfplay.Runner, store Store) *Outcome {
	t.Helper()
	r := newRun(t, c)
	o, err := r.Run(context.Background(), Environment{Runner: runner, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func marshal(t testing.TB, set *weights.Set) []byte {
	t.Helper()
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRunFindsAndProvesAGain(t *testing.T) {
	elo := matchtest.Hill(t, 10)
	c := smallConfig(t, 20_000)
	c.Settings.Width = 0 // the start is far from the hill
	o := play(t, c, &matchtest.Runner{Elo: elo}, &runtest.Store{})
	gain := elo(o.Set) - elo(c.weights)
	if !o.Proven || gain < 50 {
		t.Fatalf("proven %v, gain %.0f Elo of %.0f", o.Proven, gain, -elo(c.weights))
	}
	v := o.Validation
	if v == nil || math.Abs(v.Elo-gain) > v.EloHigh-v.EloLow { // four standard errors: two would miss one gain in twenty
		t.Fatalf("validation %+v is far from the true gain %.0f", v, gain)
	}
	p := o.Set.Provenance
	if p == nil || !p.Proven || p.Validation == nil || p.Validation.Games != v.Games || p.Run != o.Run || p.Start != "huang" {
		t.Errorf("provenance %+v, want run %s from huang, proven, validated in %d games", p, o.Run, v.Games)
	}
}

func TestNothingIsProvenOfAFlatLandscape(t *testing.T) {
	o := play(t, smallConfig(t, 2000), &matchtest.Runner{Elo: func(*weights.Set) float64 { return 0 }}, &runtest.Store{})
	if o.Proven || o.Gate == nil || o.Gate.Passed || o.Set.Provenance.Proven {
		t.Errorf("proven %v, gate %+v, want one that is not passed", o.Proven, o.Gate)
	}
	if o.Validation == nil {
		t.Error("the candidate was not measured")
	}
}

func TestBudgetHoldsEverything(t *testing.T) {
	t.Parallel()
	for _, budget := range []int{100, 101, 400, 21_000} {
		for _, noGate := range []bool{false, true} {
			c := smallConfig(t, budget)
			c.NoGate = noGate
			store := &runtest.Store{}
			runner := &matchtest.Runner{Elo: matchtest.Hill(t, 1)}
			o := play(t, c, runner, store)
			if o.Games > budget || 2*runner.Pairs-o.Audited > budget {
				t.Errorf("budget %d, no gate %v: %d games counted, %d played, %d audited", budget, noGate, o.Games, 2*runner.Pairs, o.Audited)
			}
			last := store.States[len(store.States)-1]
			if last.Evolution < budget/2 {
				t.Errorf("budget %d, no gate %v: only %d games of evolution", budget, noGate, last.Evolution)
			}
			if g := last.GateGames(); float64(g) > gateShare*float64(budget) {
				t.Errorf("budget %d: %d games of gates, want a share of %v at most", budget, g, gateShare)
			}
			if v := last.Validation; noGate != (v == nil) || float64(validationGames(&last)) > validationShare*float64(budget) {
				t.Errorf("budget %d, no gate %v: %d games of validations, first %+v", budget, noGate, validationGames(&last), v)
			}
		}
	}
}

// validationGames returns the number of games in all validations.
func validationGames(s *run.State) int {
	games := 0
	if s.Validation != nil {
		games = s.Validation.Played()
	}
	for i := range s.Further {
		games += s.Further[i].Played()
	}
	return games
}

func TestInterimGatesMakeOpponents(t *testing.T) {
	t.Parallel()
	c := smallConfig(t, 30_000)
	store := &runtest.Store{}
	o := play(t, c, &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, store)
	gates := store.States[len(store.States)-1].Gates
	if len(gates) != 2 || gates[0].Final || !gates[1].Final {
		t.Fatalf("gates %+v, want two, the second final", gates)
	}
	if !gates[0].Report.Passed || gates[0].Report.Alpha != match.GateTest(1, 0).Alpha/2 {
		t.Errorf("interim gate %+v, want it passed with half of the α %v", gates[0].Report, match.GateTest(1, 0).Alpha)
	}
	if b := gates[1].Report.B; b != championName(&gates[0]) {
		t.Errorf("the final gate was played against %s, want %s", b, championName(&gates[0]))
	}
	if !o.Proven {
		t.Error("a passed interim gate proves a gain")
	}
}

func TestResultsDoNotDependOnArrival(t *testing.T) {
	var want []byte
	var states []byte
	for _, backward := range []bool{false, true} {
		store := &runtest.Store{}
		o := play(t, smallConfig(t, 3000), &matchtest.Runner{Elo: matchtest.Hill(t, 20), Backward: backward}, store)
		all, err := json.Marshal(store.States)
		if err != nil {
			t.Fatal(err)
		}
		got := marshal(t, o.Set)
		if want == nil {
			want, states = got, all
		}
		if !bytes.Equal(got, want) || !bytes.Equal(all, states) {
			t.Error("another order of arrival gives another run")
		}
	}
}

// errStopped is the error with which tests interrupt a run.
var errStopped = errors.New("stopped")

func TestStoppedAnywhereAndResumedIsTheSameRun(t *testing.T) {
	t.Parallel()
	c := smallConfig(t, 500)
	c.Anchors = nil
	elo := matchtest.Hill(t, 30)
	whole := &runtest.Store{}
	want := marshal(t, play(t, c, &matchtest.Runner{Elo: elo}, whole).Set)
	for stop := range len(whole.States) {
		for _, within := range []int{0, 5} { // pairs that are played after closed step number stop
			got := marshal(t, stopAndResume(t, c, elo, stop, within).Set)
			if !bytes.Equal(got, want) {
				t.Fatalf("stopped %d pairs after step %d of %d: another result", within, stop, len(whole.States))
			}
		}
	}
}

func TestStoppedAroundAnInterimGate(t *testing.T) {
	t.Parallel()
	c := smallConfig(t, 8_000)
	elo := matchtest.Hill(t, 20)
	whole := &runtest.Store{}
	want := marshal(t, play(t, c, &matchtest.Runner{Elo: elo}, whole).Set)
	gate := slices.IndexFunc(whole.States, func(s run.State) bool { return len(s.Gates) > 0 })
	if !whole.States[gate].Gates[0].Report.Passed {
		t.Fatal("the interim gate was not passed")
	}
	for stop := gate; stop <= gate+2; stop++ {
		if got := marshal(t, stopAndResume(t, c, elo, stop, 3).Set); !bytes.Equal(got, want) {
			t.Errorf("stopped after step %d, the gate is step %d: another result", stop, gate+1)
		}
	}
}

// stopAndResume interrupts a run a number of pairs after a closed step, stores it as JSON, and plays it to the
// end.
func stopAndResume(t *testing.T, c *Config, elo func(*weights.Set) float64, step, within int) *Outcome {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	armed := step == 0
	store := &runtest.Store{OnSave: func(saves int) {
		armed = saves >= step
		if armed && within == 0 {
			cancel(errStopped)
		}
	}}
	count := 0
	runner := &matchtest.Runner{Elo: elo, After: func(int) {
		if armed {
			if count++; count > within {
				cancel(errStopped)
			}
		}
	}}
	r := newRun(t, c)
	o, err := r.Run(ctx, Environment{Runner: runner, Store: store})
	if err == nil {
		return o // the stop was set after the last step
	}
	if !errors.Is(err, errStopped) || o == nil || !o.Interrupted || store.Results["candidate"] == nil {
		t.Fatalf("stopped after step %d: %v, outcome %+v", step, err, o)
	}
	var state run.State
	if n := len(store.States); n > 0 {
		data, err := json.Marshal(store.States[n-1])
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &state); err != nil {
			t.Fatal(err)
		}
	}
	if r, err = Restore(c, state); err != nil {
		t.Fatal(err)
	}
	r.MakeOpenings = matchtest.Openings
	o, err = r.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: elo}, Store: &runtest.Store{}})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestExtendedRunGoesOn(t *testing.T) {
	c := smallConfig(t, 2000)
	elo := matchtest.Hill(t, 20)
	store := &runtest.Store{}
	short := play(t, c, &matchtest.Runner{Elo: elo}, store)
	last := store.States[len(store.States)-1]
	if _, err := c.Extend(last, 2000); err == nil {
		t.Error("extended by nothing")
	}
	longer, err := c.Extend(last, 8000)
	if err != nil {
		t.Fatal(err)
	}
	// A run interrupted at the same generation has no final gate, so what it goes on to is another run.
	interrupted := last
	interrupted.Done = false
	judged, err := c.Extend(interrupted, 8000) // while the validation was played
	if err != nil {
		t.Fatal(err)
	}
	if a, b := mustID(t, longer), mustID(t, judged); a != b {
		t.Errorf("after its final gate a run is extended to run %s, after its end to %s, want the same", b, a)
	}
	interrupted.Gates = nil
	other, err := c.Extend(interrupted, 8000)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := mustID(t, longer), mustID(t, other); a == b {
		t.Errorf("a finished run and an interrupted one are extended to the same run %s", a)
	}
	r, err := Restore(longer, last)
	if err != nil {
		t.Fatal(err)
	}
	r.MakeOpenings = matchtest.Openings
	o, err := r.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: elo}, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	if o.Generations <= short.Generations || o.Games <= 4000 || o.Run == short.Run {
		t.Errorf("run %s of %d games after run %s of %d, want another of more than 4000", o.Run, o.Games, short.Run, short.Games)
	}
	if o.Validation == nil || o.Validation.Openings == short.Validation.Openings {
		t.Error("the validation was not made anew")
	}
	gates := store.States[len(store.States)-1].Gates
	if len(gates) != 2 || gates[0].Final || !gates[1].Final {
		t.Errorf("gates %+v, want two, the second final", gates)
	}
	first, second := gates[0].Report.Alpha, gates[1].Report.Alpha
	if second != first/4 {
		t.Errorf("the gate after an extension has alpha %v, the first had %v: want a quarter", second, first)
	}
	if r, err = Restore(other, interrupted); err != nil {
		t.Fatal(err)
	}
	if alpha := r.gateTest().Alpha; alpha != first {
		t.Errorf("the gate of a run extended before its end has alpha %v, want %v", alpha, first)
	}
}

// A gate that has taken its games leaves too few for the final one after a short extension. After that gate, or a gate that
// passed, there is nothing to warn of.
func TestHopelessGateIsToldByTheGamesThatAreLeft(t *testing.T) {
	c := smallConfig(t, 2000)
	for _, test := range []struct {
		name     string
		gates    []run.Gate
		hopeless bool
	}{
		{"no gate yet", nil, false},
		{"most games are gone", []run.Gate{{Report: match.GateReport{Report: match.Report{Games: 500}}}}, true},
		{"a gate passed", []run.Gate{{Report: match.GateReport{Report: match.Report{Games: 500}, Passed: true}, Genes: startGenes(t, c)}}, false},
		{"the final one was played", []run.Gate{{Report: match.GateReport{Report: match.Report{Games: 500}}, Final: true}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := Restore(c, run.State{Gates: test.gates})
			if err != nil {
				t.Fatal(err)
			}
			most, least := r.GateShortfall()
			if (least > 0) != test.hopeless || (most < least) != test.hopeless {
				t.Errorf("at most %d pairs, at least %d, want too few: %v", most, least, test.hopeless)
			}
		})
	}
}

// A stored state, which may come from another's checkpoint, is refused where it does not fit the run.
func TestForeignStatesAreRefused(t *testing.T) {
	own := smallConfig(t, 2000)
	for _, test := range []struct {
		name, want string
		state      run.State
	}{
		{"check of one gene", "check match 1 is of 1 genes", run.State{Outcome: run.Outcome{Checks: []run.Check{{Genes: startGenes(t, own)}, {Genes: []float64{0}}}}}},
		{"one opening", "1 openings are stored for the validation", run.State{Openings: []string{"h8"}}},
		{"one opening, nothing left to play", "", run.State{Openings: []string{"h8"}, Outcome: run.Outcome{Done: true}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Restore(own, test.state)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestAStepThatIsNotSettledIsTakenBack(t *testing.T) {
	outside, fake := outsideConfig(t, 20_000, engineText)
	for name, c := range map[string]struct {
		*Config
		selfplay.Runner
	}{
		"weights": {smallConfig(t, 4000), &matchtest.Runner{Elo: matchtest.Hill(t, 10)}},
		"engine":  {outside, fake},
	} {
		for _, last := range []int{1, 7, 30} { // the first step has no stored state before it
			ctx, cancel := context.WithCancel(context.Background())
			steps, stored := 0, []byte("{}")
			store := &runtest.Store{}
			store.OnSave = func(saves int) { stored, _ = json.Marshal(store.States[saves-1]) }
			interrupted, games := newRun(t, c.Config), 0
			settle := func(ctx context.Context) error {
				if steps++; steps == last {
					games = interrupted.state.Games
					cancel()
				}
				return ctx.Err()
			}
			var end run.Event
			o, err := interrupted.Run(ctx, Environment{Runner: c.Runner, Settle: settle, Store: store, Watch: func(e run.Event) { end = e }})
			if !errors.Is(err, context.Canceled) || len(store.States) != last-1 {
				t.Fatalf("%s: error %v after %d stored steps, want %d", name, err, len(store.States), last-1)
			}
			if o.Games+o.Open != games || end.Stage != run.StageInterrupted || end.Games != games {
				t.Errorf("%s: step %d is not settled: %d games are closed, %d open and %d told, want %d in all", name, last, o.Games, o.Open, end.Games, games)
			}
			var state run.State
			if err := json.Unmarshal(stored, &state); err != nil {
				t.Fatal(err)
			}
			r, err := Restore(c.Config, state)
			if err != nil {
				t.Fatal(err)
			}
			want, err := r.Run(ctx, Environment{Runner: c.Runner, Store: store})
			if want == nil || !bytes.Equal(o.File, want.File) {
				t.Errorf("%s: the result with step %d not settled is not that of the steps before it (%v)", name, last, err)
			}
			if got, want := marshalState(t, interrupted), marshalState(t, r); got != want {
				t.Errorf("%s: after step %d, which was not settled, the state is\n%s, want\n%s", name, last, got, want)
			}
		}
	}
}

// marshalState returns the state of a run as it would be stored.
func marshalState(t *testing.T, r *Run) string {
	t.Helper()
	data, err := json.Marshal(r.state)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAFailingStoreEndsTheRun(t *testing.T) {
	r := newRun(t, smallConfig(t, 400))
	full := errors.New("disk full")
	if _, err := r.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 1)}, Store: &runtest.Store{Failing: full}}); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

func TestRealGamesDoNotDependOnWorkers(t *testing.T) {
	var want []byte
	for _, workers := range []int{1, 2, 8} {
		got := marshal(t, play(t, boardConfig(t), selfplay.NewPool(workers), &runtest.Store{}).Set)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers: another file", workers)
		}
	}
}

// startGenes returns the genes that a run begins with.
func startGenes(t *testing.T, c *Config) []float64 {
	t.Helper()
	r, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return r.optimizer.Champion()
}

func mustID(t *testing.T, c *Config) string {
	t.Helper()
	id, err := c.ID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}
