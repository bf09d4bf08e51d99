package match

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/match/matchtest"
	"quintune/internal/stats"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// newTestMatch returns a match of two sets over the given number of openings.
func newTestMatch(t *testing.T, a, b *weights.Set, pairs, size int) *Match {
	t.Helper()
	return &Match{
		A: Side{Name: "a", Player: selfplay.Contestant{Weights: a}}, B: Side{Name: "b", Player: selfplay.Contestant{Weights: b}},
		Rule: pattern.Freestyle, Size: size, Nodes: 30, Openings: matchtest.Book(t, pairs, size).Openings,
	}
}

func TestPlayersOfEqualWeightsSplitEveryPair(t *testing.T) {
	m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "huang"), 12, 9)
	tally, err := m.Play(context.Background(), selfplay.NewPool(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	if tally.Pairs != (stats.Pentanomial{2: 12}) || tally.Wins != tally.Losses || tally.Wins+tally.Draws+tally.Losses != 24 {
		t.Errorf("tally %+v", tally)
	}
}

func TestMatchIsTheMirrorOfItsReverse(t *testing.T) {
	a, b := weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat")
	there, err := newTestMatch(t, a, b, 12, 9).Play(context.Background(), selfplay.NewPool(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := newTestMatch(t, b, a, 12, 9).Play(context.Background(), selfplay.NewPool(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	if there.Pairs != back.Pairs.Mirror() || there.Wins != back.Losses || there.Losses != back.Wins || there.Draws != back.Draws {
		t.Errorf("there %+v, back %+v", there, back)
	}
	if there.Pairs == (stats.Pentanomial{2: 12}) {
		t.Error("all pairs were split: the test shows nothing")
	}
}

// seeds is a runner that notes the seeds of the pairs and plays none.
type seeds []uint64

func (s *seeds) Run(_ context.Context, b *selfplay.Batch, _ func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	for i := range b.Pairings {
		*s = append(*s, b.Pairings[i].Seed)
	}
	return nil, nil
}

// Players that draw numbers draw others in each pair and with each seed of a match.
func TestEachPairHasItsSeed(t *testing.T) {
	m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat"), 8, 9)
	var all seeds
	for m.Seed = range 2 {
		if _, err := m.Play(context.Background(), &all, nil); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(all)
	if len(all) != 16 || len(slices.Compact(slices.Clone(all))) != 16 {
		t.Errorf("seeds of two matches of 8 pairs: %d", all)
	}
	var again seeds
	if _, err := m.Play(context.Background(), &again, nil); err != nil {
		t.Fatal(err)
	}
	for _, seed := range again {
		if _, found := slices.BinarySearch(all, seed); !found {
			t.Errorf("the same match again has a seed %d", seed)
		}
	}
}

func TestMatchRefusesRepeatedOpenings(t *testing.T) {
	m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat"), 3, 9)
	m.Openings[2] = m.Openings[0]
	if _, err := m.Play(context.Background(), selfplay.NewPool(1), nil); err == nil || !strings.Contains(err.Error(), "1 and 3") {
		t.Errorf("error %v", err)
	}
	m.Openings = nil
	if _, err := m.Play(context.Background(), selfplay.NewPool(1), nil); err == nil {
		t.Error("a match without openings was played")
	}
}

// gap returns a strength for matchtest.Runner by which a is stronger than b by elo.
func gap(a *weights.Set, elo float64) func(*weights.Set) float64 {
	return func(s *weights.Set) float64 {
		if slices.Equal(s.Values, a.Values) {
			return elo
		}
		return 0
	}
}

func TestGateVerdicts(t *testing.T) {
	a, b := weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat")
	tests := []struct {
		name  string
		elo   float64
		pairs int
		want  stats.Verdict
	}{
		{"much better", 200, 2000, stats.AcceptH1},
		{"much worse", -200, 2000, stats.AcceptH0},
		{"too few pairs", 30, 20, stats.Inconclusive},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tallies []Tally
			for _, backward := range []bool{false, true} {
				m := newTestMatch(t, a, b, test.pairs, 15)
				runner := &matchtest.Runner{Elo: gap(a, test.elo), Bias: 200, Backward: backward}
				var last Tally
				report, err := m.Gate(context.Background(), runner, GateTest(1, 0), func(t Tally, _ *stats.Test) { last = t })
				if err != nil {
					t.Fatal(err)
				}
				if report.Verdict != test.want.String() || report.Passed != (test.want == stats.AcceptH1) {
					t.Errorf("%s: verdict %s, passed %v", test.name, report.Verdict, report.Passed)
				}
				if report.Pairs != last.Pairs.Pairs() || report.Pairs == 0 {
					t.Errorf("%s: %d pairs reported, %d watched", test.name, report.Pairs, last.Pairs.Pairs())
				}
				if test.want != stats.Inconclusive && !backward && runner.Pairs > int(report.Pairs) {
					t.Errorf("%s: %d pairs played, %d judged", test.name, runner.Pairs, report.Pairs)
				}
				tallies = append(tallies, last)
			}
			if !reflect.DeepEqual(tallies[0], tallies[1]) {
				t.Errorf("%s: the order of arrival changes the tally", test.name)
			}
		})
	}
}

// voiding makes every third pair void.
type voiding struct{ matchtest.Runner }

func (v *voiding) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return v.Runner.Run(ctx, b, func(i int, r *selfplay.Result) {
		if i%3 == 0 {
			r.Games[0].Fault = errors.New("it does not answer")
		}
		done(i, r)
	})
}

// Void pairs are games that were played, and say nothing of strength: the test sees the others alone, and is undecided where these are used up.
func TestVoidPairsAreNotJudged(t *testing.T) {
	a, b := weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat")
	for _, test := range []struct {
		name  string
		elo   float64
		pairs int
		want  stats.Verdict
	}{
		{"much better", 200, 2000, stats.AcceptH1},
		{"too few pairs", 0, 90, stats.Inconclusive},
	} {
		t.Run(test.name, func(t *testing.T) {
			judged, err := stats.NewTest(GateTest(1, 0), int64(test.pairs))
			if err != nil {
				t.Fatal(err)
			}
			counted := 0
			runner := &voiding{matchtest.Runner{Elo: gap(a, test.elo), Bias: 200}}
			m := newTestMatch(t, a, b, test.pairs, 15)
			m.Keep = func(_ int, r *selfplay.Result) error {
				if counted++; !r.Void() {
					judged.Add(r.Points())
				}
				return nil
			}
			report, err := m.Gate(context.Background(), runner, GateTest(1, 0), nil)
			if err != nil {
				t.Fatal(err)
			}
			if report.Verdict != test.want.String() || report.LLR != judged.LLR() {
				t.Errorf("verdict %s with LLR %v, want %v with %v", report.Verdict, report.LLR, test.want, judged.LLR())
			}
			if want := int64((counted + 2) / 3); report.Void != want || report.Pairs != int64(counted)-want || report.Played() != 2*counted {
				t.Errorf("of %d pairs %d are void and %d count, %d games were played", counted, report.Void, report.Pairs, report.Played())
			}
		})
	}
}

func TestGateOfEqualWeightsFailsWithoutAGame(t *testing.T) {
	a := weightstest.Preset(t, "huang")
	runner := &matchtest.Runner{Elo: gap(a, 0)}
	report, err := newTestMatch(t, a, a.Clone(), 10, 15).Gate(context.Background(), runner, GateTest(1, 0), nil)
	if err != nil || report.Passed || runner.Pairs != 0 {
		t.Errorf("passed %v after %d pairs, error %v", report.Passed, runner.Pairs, err)
	}
}

// Players without an identity may be anybody, so no match of them is one of a player with itself.
func TestPlayersWithoutAnIdentityAreNotTheSame(t *testing.T) {
	outside := func(identity string) Side { return Side{Player: selfplay.Contestant{Identity: identity}} }
	for _, tc := range []struct {
		a, b string
		same bool
	}{{"", "", false}, {"x", "", false}, {"x", "y", false}, {"x", "x", true}} {
		if m := (&Match{A: outside(tc.a), B: outside(tc.b)}); m.Same() != tc.same {
			t.Errorf("identities %q and %q: the same is %v", tc.a, tc.b, m.Same())
		}
	}
}

func TestGateStoppedFromOutsideIsAnError(t *testing.T) {
	a := weightstest.Preset(t, "huang")
	ctx, cancel := context.WithCancel(context.Background())
	runner := &matchtest.Runner{Elo: gap(a, 0), After: func(int) { cancel() }}
	if _, err := newTestMatch(t, a, weightstest.Preset(t, "flat"), 100, 15).Gate(ctx, runner, GateTest(1, 0), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestReportJSON(t *testing.T) {
	m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat"), 2, 9)
	data, err := json.Marshal(m.Report(Tally{Pairs: stats.Pentanomial{0, 0, 1, 0, 1}, Wins: 3, Losses: 1}))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"a", "b", "rule", "size", "pairs", "games", "wins", "draws", "losses", "pentanomial",
		"score", "elo", "elo_low", "elo_high", "nelo", "los", "faults", "seed", "openings",
	} {
		t.Run(key, func(t *testing.T) {
			if _, ok := got[key]; !ok {
				t.Errorf("no %q in %s", key, data)
			}
		})
	}
	faults, _ := json.Marshal(got["faults"])
	if string(faults) != `{"a":{},"b":{}}` || got["games"] != 4.0 || got["score"] != .75 {
		t.Errorf("%s", data)
	}
}

func TestTallyCountsFaults(t *testing.T) {
	crash := &gomocup.Fault{Kind: gomocup.FaultCrash, Text: "gone"}
	var tally Tally
	// In game 1 A is White, so Black's failure is one of B.
	tally.Add(&selfplay.Result{Games: [2]selfplay.Game{
		{Outcome: board.WinFor(board.Black)},
		{Outcome: board.WinFor(board.White), Fault: crash, Faulty: board.Black},
	}})
	tally.Add(&selfplay.Result{Games: [2]selfplay.Game{
		{Outcome: board.WinFor(board.White), Fault: errors.New("j9 is occupied"), Faulty: board.Black},
		{Outcome: board.WinFor(board.White)},
	}})
	tally.Add(&selfplay.Result{
		Games:     [2]selfplay.Game{{Outcome: board.WinFor(board.Black)}, {Outcome: board.WinFor(board.White)}},
		Discarded: []selfplay.Game{{}, {Fault: crash, Faulty: board.Black}},
	})
	want := Tally{
		Pairs: stats.Pentanomial{4: 1}, Wins: 2, Void: 2,
		FaultsA: map[string]int64{"illegal": 1}, FaultsB: map[string]int64{"crash": 2},
		FirstA: map[string]string{"illegal": "j9 is occupied"}, FirstB: map[string]string{"crash": "crash: gone"},
	}
	if !reflect.DeepEqual(tally, want) {
		t.Errorf("tally %+v, want %+v", tally, want)
	}
	if tally.Games() != 6 {
		t.Errorf("%d games", tally.Games())
	}
}

// The least number of pairs that can pass a gate is reported before a run that cannot play as many.
func TestLeastPairs(t *testing.T) {
	for planned, ends := range map[int]int{1: 0, 2: 1, 3: 2} {
		least := LeastPairs(GateTest(planned, ends))
		for pairs, want := range map[int64]stats.Verdict{least: stats.AcceptH1, least - 1: stats.Inconclusive} {
			test, err := stats.NewTest(GateTest(planned, ends), pairs)
			if err != nil {
				t.Fatal(err)
			}
			for range pairs {
				test.Add(stats.Outcomes - 1)
			}
			if test.Verdict() != want {
				t.Errorf("%d gates: %d pairs won, the least are %d: %v", planned, pairs, least, test.Verdict())
			}
		}
	}
}
