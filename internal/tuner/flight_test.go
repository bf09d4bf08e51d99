package tuner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/selfplay"
	"quintune/weights"
)

// inFlightConfig returns a run with several generations in flight.
func inFlightConfig(t *testing.T, budget, inFlight int) *Config {
	t.Helper()
	c := smallConfig(t, budget)
	c.Settings.InFlight, c.Anchors = inFlight, nil
	return c
}

// The runner plays one batch at a time: package runfolder tests the same with batches that overlap.
func TestStoppedAnywhereWithGenerationsInFlight(t *testing.T) {
	elo := matchtest.Hill(t, 30)
	var alone []byte
	for _, inFlight := range []int{0, 3} {
		c := inFlightConfig(t, 500, inFlight)
		whole := &runtest.Store{}
		want := marshal(t, play(t, c, &matchtest.Runner{Elo: elo}, whole).Set)
		if bytes.Equal(alone, want) {
			t.Error("three generations in flight give the weights of one")
		}
		alone = want
		for stop := 0; stop < len(whole.States); stop += 5 {
			within := stop % 2 * 5
			if got := marshal(t, stopAndResume(t, c, elo, stop, within).Set); !bytes.Equal(got, want) {
				t.Fatalf("%d in flight, stopped %d pairs after step %d of %d: another result", inFlight, within, stop, len(whole.States))
			}
		}
	}
}

// gated is a runner of batches that overlap. The first gate is decided only while a generation is played that comes after it.
type gated struct {
	runner       func() *matchtest.Runner
	after        string // purpose of the first generation after the gate
	begun, gated chan struct{}
	missed       atomic.Bool // the gate has waited in vain for the generation
}

func (g *gated) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	switch b.Purpose {
	case g.after:
		select {
		case g.begun <- struct{}{}: // the gate is played now
			<-g.gated
		case <-g.gated:
		}
	case run.GatePurpose(0):
		select {
		case <-g.begun:
		case <-time.After(time.Minute):
			g.missed.Store(true)
		}
		defer close(g.gated)
	}
	return g.runner().Run(ctx, b, done)
}

// An interim gate is played, and openings are retired, while other generations are in flight.
func TestStoppedAroundAGateWithGenerationsInFlight(t *testing.T) {
	t.Parallel()
	c := inFlightConfig(t, 20_000, 3)
	c.Openings = Lines(matchtest.Book(t, 200, 15)) // few, so that each is played often enough to be retired
	c = open(t, c.Spec, nil)
	elo := func(*weights.Set) float64 { return 0 }
	runner := func() *matchtest.Runner { return &matchtest.Runner{Elo: elo, Bias: 3000} }
	whole := &runtest.Store{}
	want := marshal(t, play(t, c, runner(), whole).Set)
	last := whole.States[len(whole.States)-1]
	if last.Retired.Len() == 0 {
		t.Fatalf("no opening was retired in %d generations, want some", last.Generations)
	}
	gate := slices.IndexFunc(whole.States, func(s run.State) bool { return len(s.Gates) > 0 })
	if gate < 0 {
		t.Fatalf("no gate in %d steps, want an interim one", len(whole.States))
	}
	for stop := gate - 1; stop <= gate+1; stop++ {
		r, err := Restore(c, whole.States[stop])
		if err != nil {
			t.Fatal(err)
		}
		r.MakeOpenings = matchtest.Openings
		overlapped := &gated{runner: runner, begun: make(chan struct{}), gated: make(chan struct{})}
		if stop < gate {
			overlapped.after = fmt.Sprintf("generation %d", whole.States[gate].Gates[0].Generation)
		}
		o, err := r.Run(t.Context(), Environment{Runner: overlapped, Overlap: true, Store: &runtest.Store{}})
		if err != nil {
			t.Fatal(err)
		}
		if overlapped.missed.Load() {
			t.Error("no generation was in flight at the gate")
		}
		if !bytes.Equal(marshal(t, o.Set), want) {
			t.Errorf("resumed after step %d, the gate is step %d: another result", stop, gate)
		}
	}
}

// drawing notes by their purpose what the batches of the generations hold.
type drawing struct {
	runner func() *matchtest.Runner
	mu     sync.Mutex
	drawn  map[string]string // purpose to openings and number of contestants
}

func (d *drawing) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	if strings.HasPrefix(b.Purpose, "generation ") {
		text := fmt.Sprint(len(b.Contestants))
		for i := range b.Pairings {
			text += " " + board.FormatMoves(b.Pairings[i].Opening)
		}
		d.mu.Lock()
		d.drawn[b.Purpose] = text
		d.mu.Unlock()
	}
	return d.runner().Run(ctx, b, done)
}

// Neither a stop nor batches that overlap change a batch of a generation in flight, though openings were retired or a gate was passed
// since it was drawn: its stored pairs would be lost.
func TestBatchesInFlightStayAsTheyWereDrawn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		openings int
		runner   matchtest.Runner
		since    func(before, after *run.State) bool // after a step
	}{
		{"retired", 200, matchtest.Runner{Elo: func(*weights.Set) float64 { return 0 }, Bias: 3000}, func(before, after *run.State) bool {
			return after.Retired.Len() > before.Retired.Len()
		}},
		{"passed", 3000, matchtest.Runner{Elo: matchtest.Hill(t, 200)}, func(before, after *run.State) bool {
			return len(after.Gates) > len(before.Gates) && after.LastGate().Passed && after.FinalGate() == nil
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := inFlightConfig(t, 20_000, 3)
			c.Openings = Lines(matchtest.Book(t, test.openings, 15))
			c = open(t, c.Spec, nil)
			noting := func() *drawing {
				return &drawing{runner: func() *matchtest.Runner { return &matchtest.Runner{Elo: test.runner.Elo, Bias: test.runner.Bias} }, drawn: map[string]string{}}
			}
			whole, alone := &runtest.Store{}, noting()
			play(t, c, alone, whole)
			stops := 0
			for stop := 1; stop < len(whole.States) && stops < 3; stop++ {
				if !test.since(&whole.States[stop-1], &whole.States[stop]) {
					continue
				}
				stops++
				r, err := Restore(c, whole.States[stop-1])
				if err != nil {
					t.Fatal(err)
				}
				r.MakeOpenings = matchtest.Openings
				resumed := noting()
				if _, err := r.Run(t.Context(), Environment{Runner: resumed, Overlap: true, Store: &runtest.Store{}}); err != nil {
					t.Fatal(err)
				}
				for purpose, drawn := range resumed.drawn {
					if drawn != alone.drawn[purpose] {
						t.Errorf("resumed before step %d: %s has other openings or opponents", stop, purpose)
					}
				}
				if len(resumed.drawn) < 10 {
					t.Errorf("resumed before step %d: %d generations", stop, len(resumed.drawn))
				}
			}
			if stops == 0 {
				t.Error("nothing of this kind happened in the run")
			}
		})
	}
}

// halting is a runner that counts pairs, and cancels the run when generation 0 and another generation have been played.
type halting struct {
	runner func() *matchtest.Runner
	cancel context.CancelFunc
	pairs  atomic.Int64
	other  chan struct{}
	once   sync.Once
}

func (h *halting) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results, err := h.runner().Run(ctx, b, func(i int, r *selfplay.Result) {
		done(i, r)
		h.pairs.Add(1)
	})
	if err != nil {
		return results, err
	}
	if b.Purpose != "generation 0" {
		h.once.Do(func() { close(h.other) })
		return results, nil
	}
	<-h.other
	h.cancel()
	return nil, ctx.Err()
}

// The last words of an interrupted run count the games that are stored, as `tune show` does.
func TestGamesInFlightCountWhenInterrupted(t *testing.T) {
	c := inFlightConfig(t, 2000, 3)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := &halting{runner: func() *matchtest.Runner { return &matchtest.Runner{Elo: matchtest.Hill(t, 30)} }, cancel: cancel, other: make(chan struct{})}
	o, err := newRun(t, c).Run(ctx, Environment{Runner: h, Overlap: true, Store: &runtest.Store{}})
	if !errors.Is(err, context.Canceled) || o == nil {
		t.Fatalf("outcome %v, error %v", o, err)
	}
	if want := 2 * int(h.pairs.Load()); o.Open != want {
		t.Errorf("%d open games, want %d", o.Open, want)
	}
}

func TestGenerationsInFlightAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"outside":       func(c *Config) { c.Settings.InFlight = 65 },
		"below":         func(c *Config) { c.Settings.InFlight = -1 },
		"optimizer fit": func(c *Config) { c.Optimizer = "fit" },
	} {
		t.Run(name, func(t *testing.T) {
			c := inFlightConfig(t, 2000, 3)
			change(c)
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), "in-flight: ") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestInFlightIsChosenByTheJobs(t *testing.T) {
	for _, test := range []struct {
		jobs, budget, nodes, want int
	}{
		{1, 1_000_000, 1000, 0},
		{16, 1_000_000, 1000, 0},
		{100, 100_000_000, 1000, 4},
		{100, 10_000, 1000, 2},
		{1000, 100_000_000, 15_000, 3},
		{1000, 100_000_000, 100_000, 2},
	} {
		c := inFlightConfig(t, test.budget, 0)
		c.Nodes = int64(test.nodes)
		if got, err := c.InFlight(test.jobs); err != nil || got != test.want {
			t.Errorf("%d jobs, %d games, %d nodes: %d in flight, want %d; error %v", test.jobs, test.budget, test.nodes, got, test.want, err)
		}
	}
}
