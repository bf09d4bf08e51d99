package tuner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"quintune/board"
	"quintune/internal/bench"
	"quintune/internal/engine"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/internal/stats/statstest"
	"quintune/pattern"
	"quintune/selfplay"
)

// engineText is an engine file. Its program exists but is never started.
const engineText = `command: go
pass: argument
parameters:
  - {name: width, kind: float, start: 2, min: 1, max: 32, scale: log, group: eval}
  - {name: depth, kind: int, start: 10, min: 0, max: 100, group: eval}
  - {name: idle, kind: int, start: 5, min: 0, max: 10, group: rest}
`

// fakeEngine holds the values of each contestant by its identity.
type fakeEngine map[string]engine.Values

// outsideConfig returns a run of a fake engine, whose games the runner decides by known strengths.
func outsideConfig(t *testing.T, budget int, text string) (*Config, fakeEngine) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "params.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := engine.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	fake := fakeEngine{}
	c := smallConfig(t, budget)
	if c.Start, err = json.Marshal(file.Start()); err != nil {
		t.Fatal(err)
	}
	c.Groups, c.Frozen, c.Anchors, c.StartName, c.Settings.Width = nil, nil, nil, "fake", 0
	outside := &Outside{File: file, Player: func(v engine.Values) selfplay.Contestant {
		fake[file.Hash()+" "+v.Hash()] = v
		return selfplay.Contestant{Open: func(int, pattern.Rule, int64) (selfplay.Player, error) {
			return idle{}, nil
		}}
	}}
	return open(t, c.Spec, outside), fake
}

// idle is a player that starts and plays the cells of the board in order.
type idle struct{}

func (idle) NewGame(uint64) error { return nil }

func (idle) Move(_ context.Context, b *board.Board) (selfplay.Reply, error) {
	for at := range b.Size() * b.Size() {
		if c := board.At(at%b.Size(), at/b.Size()); b.Legal(c) == nil {
			return selfplay.Reply{Move: c}, nil
		}
	}
	return selfplay.Reply{}, errors.New("no cell is left")
}

// elo returns the strength of a contestant, greatest at width 8 and depth 40. ok is false beyond depth 60, where
// the engine crashes.
func (f fakeEngine) elo(c *selfplay.Contestant) (elo float64, ok bool) {
	v := f[c.Identity].Numbers()
	w, d := math.Log(v[0]/8), (v[1]-40)/20
	return -200 * (w*w + d*d), v[1] <= 60
}

// Run decides a batch; see selfplay.Runner.
func (f fakeEngine) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results := make([]selfplay.Result, len(b.Pairings))
	for i, p := range b.Pairings {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		for g, sides := range [2][2]int{{p.A, p.B}, {p.B, p.A}} {
			results[i].Games[g] = f.game(&b.Contestants[sides[0]], &b.Contestants[sides[1]], p.Opening)
		}
		if done != nil {
			done(i, &results[i])
		}
	}
	return results, nil
}

func (f fakeEngine) game(black, white *selfplay.Contestant, opening []board.Cell) selfplay.Game {
	b, blackOK := f.elo(black)
	w, whiteOK := f.elo(white)
	fault := &selfplay.Fault{Kind: "lost by crash", Text: "crash: too deep"}
	switch {
	case !blackOK:
		return selfplay.Game{Outcome: board.WhiteWins, Fault: fault, Faulty: board.Black}
	case !whiteOK:
		return selfplay.Game{Outcome: board.BlackWins, Fault: fault, Faulty: board.White}
	}
	h := fnv.New64a()
	fmt.Fprint(h, black.Identity, white.Identity, board.FormatMoves(opening))
	if rand.New(rand.NewPCG(h.Sum64(), 1)).Float64() < statstest.ScoreOf(b-w) {
		return selfplay.Game{Outcome: board.BlackWins}
	}
	return selfplay.Game{Outcome: board.WhiteWins}
}

func TestOutsideEngineIsTuned(t *testing.T) {
	c, fake := outsideConfig(t, 20_000, engineText)
	store := &runtest.Store{}
	o := play(t, c, fake, store)
	width, _ := o.Values.Get("width")
	depth, _ := o.Values.Get("depth")
	if !o.Proven || o.Set != nil || math.Abs(width/8-1) > .15 || math.Abs(depth/40-1) > .15 {
		t.Errorf("proven %v, values %v", o.Proven, o.Values)
	}
	if f := o.Fault("candidates", "crash"); f.Count == 0 || o.Void != 0 {
		t.Errorf("%d failures of candidates, %d void pairs", f.Count, o.Void)
	}
	result, err := engine.ParseResult(store.Results[run.Candidate])
	if err != nil || !result.Values.Equal(o.Values) || !result.Provenance.Proven || result.Provenance.Engine != c.Tuned.File.Hash() {
		t.Errorf("the file holds %+v (%v)", result, err)
	}
	if last := store.Generations[len(store.Generations)-1]; len(last.Values) != 3 {
		t.Errorf("a generation has the values %v", last.Values)
	}
}

func TestOutsideRunGoesOnFromItsSpec(t *testing.T) {
	c, fake := outsideConfig(t, 2000, engineText)
	whole := play(t, c, fake, &runtest.Store{})
	ctx, stop := context.WithCancelCause(context.Background())
	store := &runtest.Store{OnSave: func(saves int) {
		if saves == 7 {
			stop(errStopped)
		}
	}}
	if _, err := newRun(t, c).Run(ctx, Environment{Runner: fake, Store: store}); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	data, err := json.Marshal(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "command") {
		t.Error("the specification holds a command")
	}
	var back run.Spec
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	restored, err := Open(&back, bench.Signature(), c.Tuned)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Restore(restored, store.States[len(store.States)-1])
	if err != nil {
		t.Fatal(err)
	}
	r.MakeOpenings = newRun(t, c).MakeOpenings
	o, err := r.Run(context.Background(), Environment{Runner: fake, Store: &runtest.Store{}})
	if err != nil || !bytes.Equal(o.File, whole.File) {
		t.Errorf("resumed it gives %s, want %s (%v)", o.File, whole.File, err)
	}
}

func TestChangedEnginesAreRefused(t *testing.T) {
	c, _ := outsideConfig(t, 2000, engineText)
	if _, err := Open(&c.Spec, bench.Signature(), nil); err == nil || !strings.Contains(err.Error(), "engine file") {
		t.Errorf("without its engine: %v", err)
	}
	for _, test := range []struct{ old, now, want string }{
		{"max: 32", "max: 64", "width was float in [1, 32]"},
		{"name: idle", "name: other", "parameter idle is gone"},
		{"command: go", "command: go version", "hash"},
		{
			"{name: width, kind: float, start: 2, min: 1, max: 32, scale: log, group: eval}\n  - {name: depth, kind: int, start: 10, min: 0, max: 100, group: eval}",
			"{name: depth, kind: int, start: 10, min: 0, max: 100, group: eval}\n  - {name: width, kind: float, start: 2, min: 1, max: 32, scale: log, group: eval}", "another order",
		},
		{"pass: argument", "pass: environment", "passed by argument, and are by environment"},
		{"pass: argument", "pass: argument\nlimit: 50ms", "0 ms, and has 50"},
	} {
		t.Run(test.now, func(t *testing.T) {
			other, _ := outsideConfig(t, 2000, strings.Replace(engineText, test.old, test.now, 1))
			if _, err := Open(&c.Spec, bench.Signature(), other.Tuned); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

// A time limit replaces the node limit of all players and excludes a validation at more nodes.
// The groups of weights that --only names, by the groups of the file.
func TestWeightGroupsOfAnEngine(t *testing.T) {
	outside := &Outside{File: &engine.File{Parameters: []engine.Parameter{
		{Name: "search.futility", Group: "search"}, {Name: "line.open_two.self", Group: "eval"},
	}}}
	for _, test := range []struct{ only, want []string }{
		{nil, []string{"line", "search"}}, {[]string{"search"}, []string{"search"}}, {[]string{"eval"}, []string{"line"}},
	} {
		if got := outside.WeightGroups(test.only); !slices.Equal(got, test.want) {
			t.Errorf("only %q: got %q, want %q", test.only, got, test.want)
		}
	}
}

func TestOutsideEngineUnderTime(t *testing.T) {
	c, fake := outsideConfig(t, 4000, strings.Replace(engineText, "pass: argument", "pass: argument\nlimit: 50ms", 1))
	o := play(t, c, fake, &runtest.Store{})
	if v := o.Validation; v == nil || v.Nodes != 0 || v.TimeMS != 50 || len(o.Further) != 0 {
		t.Errorf("validation %+v, further %+v", v, o.Further)
	}
	if result, err := engine.ParseResult(o.File); err != nil || result.Provenance.Nodes != 0 {
		t.Errorf("error %v, provenance %+v, want no nodes", err, result)
	}
	if o.Audited != 0 {
		t.Errorf("%d games were played again", o.Audited)
	}
}

// crashing is a player that starts and fails at its first move.
type crashing struct{ idle }

func (crashing) Move(context.Context, *board.Board) (selfplay.Reply, error) {
	return selfplay.Reply{}, errors.New("no book")
}

// An engine that begins to fail in every game, at its start values too, ends its run.
func TestAnEngineThatFailsInEveryGameEndsTheRun(t *testing.T) {
	c, _ := outsideConfig(t, 2000, engineText)
	c.Tuned.Player = func(engine.Values) selfplay.Contestant {
		return selfplay.Contestant{Open: func(int, pattern.Rule, int64) (selfplay.Player, error) { return crashing{}, nil }}
	}
	for _, inFlight := range []int{0, 3} {
		c.Settings.InFlight = inFlight
		runner, store := &overlapping{}, &runtest.Store{}
		r := newRun(t, c)
		_, err := r.Run(t.Context(), Environment{Runner: runner, Store: forgetting{store, runner}, Overlap: true})
		if err == nil || !strings.Contains(err.Error(), "does not play either") || !strings.Contains(err.Error(), "no book") {
			t.Errorf("%d in flight: error %v", inFlight, err)
		}
		if len(store.States) != 0 || store.Forgotten != 1 {
			t.Errorf("%d in flight: %d steps are stored, pairs were deleted %d times, want 0 and once", inFlight, len(store.States), store.Forgotten)
		}
	}
}

// overlapping plays each batch in a pool of its own. It counts those that are being played.
type overlapping struct{ playing atomic.Int64 }

func (o *overlapping) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	o.playing.Add(1)
	defer o.playing.Add(-1)
	return selfplay.NewPool(1).Run(ctx, b, done)
}

// forgetting refuses to delete pairs while some are being played.
type forgetting struct {
	*runtest.Store
	runner *overlapping
}

func (f forgetting) Forget() error {
	if n := f.runner.playing.Load(); n > 0 {
		return fmt.Errorf("%d batches are being played", n)
	}
	return f.Store.Forget()
}
