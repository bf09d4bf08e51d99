package tuner

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintune/internal/bench"
	"quintune/internal/fit"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// learning returns runs of real games that learn from positions.
func learning(t *testing.T) map[string]*Config {
	alone, warm := boardConfig(t), boardConfig(t)
	alone.Optimizer, alone.Budget = fit.Method, 400
	warm.WarmStart, warm.Budget = .8, 500
	return map[string]*Config{"alone": alone, "warm start": warm}
}

func TestFitDoesNotDependOnWorkersNorOnStops(t *testing.T) {
	t.Parallel()
	for name, c := range learning(t) {
		store := &runtest.Store{}
		r := newRun(t, c)
		o, err := r.Run(context.Background(), Environment{Runner: selfplay.NewPool(1), Store: store})
		if err != nil {
			t.Fatal(err)
		}
		want := marshal(t, o.Set)
		if got := marshal(t, play(t, c, selfplay.NewPool(8), &runtest.Store{}).Set); !slices.Equal(got, want) {
			t.Errorf("%s: 8 workers give another file", name)
		}
		for i := range store.States {
			var state run.State
			data, err := json.Marshal(store.States[i])
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &state); err != nil {
				t.Fatal(err)
			}
			restored, err := Restore(c, state)
			if err != nil {
				t.Fatal(err)
			}
			restored.MakeOpenings = matchtest.Openings
			again, err := restored.Run(context.Background(), Environment{Runner: selfplay.NewPool(2), Store: &runtest.Store{}})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(marshal(t, again.Set), want) {
				t.Errorf("%s: resumed after step %d, another file", name, i+1)
			}
		}
		var state struct {
			Fits []fit.Report
			Fit  struct{ Fits []fit.Report }
		}
		if err := json.Unmarshal(store.States[len(store.States)-1].Optimizer, &state); err != nil {
			t.Fatal(err)
		}
		if len(state.Fits)+len(state.Fit.Fits) == 0 {
			t.Errorf("%s: nothing was fitted", name)
		}
	}
}

// The genetic algorithm leaves the pairs of lines where the fit put them, unless it tunes nothing else.
func TestPlayLeavesTheWeightsOfAFit(t *testing.T) {
	for _, test := range []struct {
		groups []string
		moves  bool
	}{
		{weights.DefaultGroups(pattern.Freestyle), false},
		{[]string{"line", "pair"}, false},
		{[]string{"pair"}, true},
	} {
		c := boardConfig(t)
		c.Groups, c.Frozen = test.groups, nil
		r := newRun(t, c)
		batch, _ := r.optimizer.Ask()
		moves := map[string]bool{}
		for i, g := range r.subject.genes() {
			for _, genome := range batch.Genomes {
				moves[g.Group] = moves[g.Group] || genome[i] != r.subject.start()[i]
			}
		}
		for group, moved := range moves {
			if want := group != "pair" || test.moves; moved != want {
				t.Errorf("groups %v: weights of %s are moved: %v, want %v", test.groups, group, moved, want)
			}
		}
	}
}

// Beside other weights those of the search move farther, and the ones that prune stay where games of few nodes would mislead about them.
func TestSearchBesideOtherWeights(t *testing.T) {
	names := (&run.Spec{Groups: weights.DefaultGroups(pattern.Freestyle), Nodes: 1000}).Kept()
	if len(names) < 4 {
		t.Fatalf("the weights that prune are %v, want 4 or more", names)
	}
	for _, test := range []struct {
		name         string
		groups       []string // nil: the usual ones
		optimizer    string
		nodes, first int64
		freeze       []string
		kept, search bool
	}{
		{name: "few nodes", nodes: 1000, kept: true, search: true},
		{name: "one frozen by name", nodes: 1000, freeze: []string{names[1]}, kept: true, search: true},
		{name: "many nodes", nodes: run.LeastSearchNodes, search: true},
		{name: "stages", nodes: 16_000, first: 1000, kept: true, search: true},
		{name: "the search alone", groups: []string{weights.SearchGroup}, nodes: 1000, search: true},
		{name: "without the search", groups: []string{"line", "cell"}, nodes: 1000},
		{name: "a fit", optimizer: "fit", nodes: 1000},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := smallConfig(t, 4000).Spec
			s.Groups, s.Frozen, s.Nodes, s.FirstNodes = test.groups, test.freeze, test.nodes, test.first
			s.Optimizer = cmp.Or(test.optimizer, "ga")
			s.Settings = run.DefaultSettings(s.Optimizer, s.Groups, false)
			c := open(t, s, nil)
			slices.Sort(c.Frozen)
			want := slices.Clone(test.freeze)
			if test.kept {
				want = slices.Sorted(slices.Values(names))
			}
			if !slices.Equal(c.Frozen, want) || slices.Contains(c.Groups, weights.SearchGroup) != test.search {
				t.Errorf("frozen are %v, want %v; the groups are %v", c.Frozen, want, c.Groups)
			}
			if test.name != "few nodes" {
				return
			}
			r := newRun(t, c)
			batch, _ := r.optimizer.Ask()
			moved := map[string]float64{}
			for i, g := range r.subject.genes() {
				moved[g.Name] = math.Abs(batch.Genomes[0][i] - r.subject.start()[i])
			}
			for _, name := range names {
				if moved[name] != 0 {
					t.Errorf("%s moved by %v", name, moved[name])
				}
			}
			if ratio := moved["search.lmr_scale"] / moved["line.four.self"]; ratio < 3 || ratio > 3.5 {
				t.Errorf("a weight of the search moves %v times as far as one of the tables", ratio)
			}
		})
	}
}

// A run that is stopped while it makes labels makes only the missing ones after it is resumed, and ends with the
// same weights.
func TestAStopAmongLabelsKeepsThem(t *testing.T) {
	t.Parallel()
	c := learning(t)["alone"]
	want := marshal(t, play(t, c, selfplay.NewPool(2), &runtest.Store{}).Set)
	file := filepath.Join(t.TempDir(), "labels")
	const stopAfter = .5 // share of the labels
	ctx, stop := context.WithCancel(t.Context())
	stopped, err := newRun(t, c).Run(ctx, Environment{Runner: selfplay.NewPool(2), Store: &runtest.Store{}, Labels: file, Watch: func(e run.Event) {
		if e.Positions > 0 && float64(e.Labelled) > stopAfter*float64(e.Positions) {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if stopped.PlayedOut+stopped.Audited > 0 || stopped.Generations > 0 {
		t.Errorf("after %d closed generations %d games were played on, and %d replayed, want none: they are of the open step", stopped.Generations, stopped.PlayedOut, stopped.Audited)
	}
	lines, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept := bytes.Count(lines, []byte("\n")) - 1
	atOnce, begun := 0, false
	o, err := newRun(t, c).Run(t.Context(), Environment{Runner: selfplay.NewPool(2), Store: &runtest.Store{}, Labels: file, Watch: func(e run.Event) {
		if e.Positions > 0 && e.Labelled > 0 && !begun {
			begun = true
			after, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
			}
			atOnce = bytes.Count(after, []byte("\n")) - 1
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(marshal(t, o.Set), want) {
		t.Error("another file after a stop among the labels")
	}
	if kept < 50 || atOnce < kept {
		t.Errorf("%d labels are kept, %d when the run goes on", kept, atOnce)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file of the labels is still there: %v", err)
	}
}

// labelsLast is a pool after whose labels the run is interrupted.
type labelsLast struct {
	*selfplay.Pool
	stop func()
}

func (l labelsLast) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results, err := l.Pool.Run(ctx, b, done)
	if b.Search {
		l.stop()
	}
	return results, err
}

// A run that is interrupted while it fits closes no step, and ends with the same weights after it is resumed.
func TestStopInAFit(t *testing.T) {
	t.Parallel()
	c := learning(t)["alone"]
	want := marshal(t, play(t, c, selfplay.NewPool(2), &runtest.Store{}).Set)
	ctx, stop := context.WithCancel(t.Context())
	store := &runtest.Store{}
	o, err := newRun(t, c).Run(ctx, Environment{Runner: labelsLast{selfplay.NewPool(2), stop}, Store: store})
	if !errors.Is(err, context.Canceled) || o == nil || !o.Interrupted || o.Generations != 0 || len(store.States) != 0 {
		t.Fatalf("interrupted in the fit: outcome %+v, error %v, %d states stored", o, err, len(store.States))
	}
	if again := marshal(t, play(t, c, selfplay.NewPool(2), store).Set); !slices.Equal(again, want) {
		t.Error("another file after a stop in the fit")
	}
}

// faultinject is a cluster on which half of the first labels are forged, which comes out after them.
type faultinject struct {
	*selfplay.Pool
	marks  [][]byte
	caught bool
}

var errForged = errors.New("forged")

func (f *faultinject) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	if !b.Search || f.caught {
		return f.Pool.Run(ctx, b, done)
	}
	f.caught = true
	part := *b
	part.Pairings = b.Pairings[:len(b.Pairings)/2]
	if _, err := f.Pool.Run(ctx, &part, func(i int, r *selfplay.Result) {
		r.Games[0].Score = -r.Games[0].Score
		done(i, r)
	}); err != nil {
		return nil, err
	}
	return nil, errForged
}

func (f *faultinject) Settle(context.Context) error { return nil }

func (f *faultinject) Rewind(err error) ([]byte, bool, error) {
	if !errors.Is(err, errForged) {
		return nil, false, err
	}
	return f.marks[len(f.marks)-1], true, nil
}

func (f *faultinject) Mark(state []byte) error {
	f.marks = append(f.marks, state)
	return nil
}

// rewound is the RewindableStore of such a run.
type rewound struct {
	*runtest.Store
	labels string // file that is gone when the store goes back
}

func (rewound) Mark(s run.State) ([]byte, error) { return json.Marshal(s) }

func (r rewound) Rewind(marked []byte) (s run.State, err error) {
	if _, err := os.Stat(r.labels); !errors.Is(err, fs.ErrNotExist) {
		return s, errors.New("forged labels are kept")
	}
	return s, json.Unmarshal(marked, &s)
}

// The runner of the games makes the labels too. Those that were forged on a cluster are made again.
func TestForgedLabelsAreMadeAgain(t *testing.T) {
	t.Parallel()
	c := learning(t)["alone"]
	want := play(t, c, selfplay.NewPool(2), &runtest.Store{}).Set
	store := &runtest.Store{}
	cluster := &faultinject{Pool: selfplay.NewPool(2)}
	labels := filepath.Join(t.TempDir(), "labels")
	o, err := RunOn(t.Context(), cluster, newRun(t, c), rewound{store, labels}, Environment{Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	if !cluster.caught || !slices.Equal(o.Set.Values, want.Values) {
		t.Errorf("forged: %v; other weights than with honest labels", cluster.caught)
	}
}

// A warm start that is too small for its share of the games is left out.
func TestWarmStartOfFewGames(t *testing.T) {
	c := boardConfig(t)
	c.WarmStart, c.Budget = .4, 400
	o, err := newRun(t, c).newOptimizer()
	if err != nil {
		t.Fatal(err)
	}
	if b, more := o.Ask(); !more || b.Phase == fit.Method {
		t.Errorf("first batch %+v, more %v, want one of another phase than %s", b, more, fit.Method)
	}
}

func TestWarmStartBounds(t *testing.T) {
	for _, test := range []struct {
		method string
		share  float64
		want   string // part of the error, "" for none
	}{
		{"ga", .9, ""},
		{"spsa", .2, ""},
		{"cmaes", .2, "not one of"},
		{"fit", 0, ""},
		{"ga", .95, "warm-start: the share is 0.95, outside [0, 0.9]"},
		{"fit", .2, "a fit cannot be its own warm start"},
	} {
		t.Run(test.method, func(t *testing.T) {
			c := smallConfig(t, 2000)
			c.Optimizer, c.WarmStart = test.method, test.share
			_, err := New(c)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s %v: %v, want %q", test.method, test.share, err, test.want)
			}
		})
	}
}

// A stored run goes on with the version of the fit with which it began. One that this program does not have is refused.
func TestVersionsOfTheFit(t *testing.T) {
	c := smallConfig(t, 2000)
	if c.Fit != 0 {
		t.Errorf("without a fit the version is %d, want 0", c.Fit)
	}
	c.Optimizer = fit.Method
	if now := open(t, c.Spec, nil); now.Fit != fit.Version {
		t.Errorf("a new run fits by version %d, want %d", now.Fit, fit.Version)
	}
	for version, known := range map[int]bool{0: false, fit.OldestVersion - 1: false, fit.OldestVersion: true, fit.Version: true, fit.Version + 1: false} {
		c.Fit = version
		var other *run.Mismatch
		if back, err := Open(&c.Spec, bench.Signature(), nil); errors.As(err, &other) == known || known && back.Fit != version {
			t.Errorf("version %d: error %v, want %v", version, err, known)
		}
	}
}

// Labels take time too: a budget given as a time has fewer games where a fit comes first.
func TestTimeOfAFitIsCounted(t *testing.T) {
	games := map[string]int{}
	for name, c := range map[string]*Config{
		"none": {}, "warm": {Spec: run.Spec{WarmStart: .1}}, "fit": {Spec: run.Spec{Optimizer: fit.Method}},
	} {
		c.Nodes = 1000
		games[name] = c.affordable(50_000)
	}
	if saved := games["none"] - games["warm"]; saved < 1500 || saved > 2500 {
		t.Errorf("a warm start of some 3 000 games takes %d games of the budget, want 1500 to 2500", saved)
	}
	if games["fit"] >= games["warm"] {
		t.Errorf("budgets %v, want less for a fit alone than for a warm start", games)
	}
}
