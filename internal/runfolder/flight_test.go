package runfolder

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"quintune/internal/match/matchtest"
	"quintune/internal/record"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/internal/tuner"
	"quintune/selfplay"
	"quintune/weights"
)

// overlapping decides pairs of several batches at the same time, at random moments.
type overlapping struct {
	elo   func(*weights.Set) float64
	pairs atomic.Int64
	after func(pairs int64)
}

func (o *overlapping) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	own := &matchtest.Runner{Elo: o.elo, After: func(int) {
		if n := o.pairs.Add(1); o.after != nil {
			o.after(n)
		}
		if rand.IntN(20) == 0 {
			time.Sleep(time.Millisecond)
		}
	}}
	return own.Run(ctx, b, done)
}

// Generations that are played at the same time give the weights, the state and the stored games of the run that plays one after the
// other, however often it is interrupted, and where the evolution ends while some are being played.
func TestGenerationsInFlightAreTheSameRun(t *testing.T) {
	for name, evolution := range map[string]int{"whole": 0, "ended early": 150} {
		t.Run(name, func(t *testing.T) { inFlightIsTheSameRun(t, evolution) })
	}
}

func inFlightIsTheSameRun(t *testing.T, evolution int) {
	t.Helper()
	elo := matchtest.Hill(t, 30)
	config := func() *tuner.Config {
		c := newConfig(t, 600)
		c.Settings, c.Anchors, c.Evolution = run.DefaultSettings("ga", nil, false), nil, evolution
		c.Settings.InFlight = 3
		return c
	}
	plain := &overlapping{elo: elo}
	runs := openRuns(t, t.TempDir())
	f, _ := newFolder(t, runs, "r", config())
	want := marshal(t, mustPlay(t, newRun(t, config()), tuner.Environment{Runner: plain, Store: f}).Set)
	games := gamesOf(t, runs)
	for _, every := range []int64{0, 90, 23} { // pairs between two interruptions; 0: none
		dir := t.TempDir()
		runs := openRuns(t, dir)
		f, _ := newFolder(t, runs, "r", config())
		r := newRun(t, config())
		for stops := int64(1); ; stops++ {
			ctx, cancel := context.WithCancelCause(context.Background())
			runner := &overlapping{elo: elo, after: func(n int64) {
				if every > 0 && n == every {
					cancel(errStopped)
				}
			}}
			o, err := r.Run(ctx, tuner.Environment{Runner: runner, Store: f, Overlap: stops%3 != 0})
			cancel(nil)
			if err == nil {
				if got := marshal(t, o.Set); !bytes.Equal(got, want) {
					t.Errorf("interrupted every %d pairs: another result", every)
				}
				break
			}
			if !errors.Is(err, errStopped) {
				t.Fatal(err)
			}
			if err := f.Release(); err != nil {
				t.Fatal(err)
			}
			var s *Stored
			if f, s, err = runs.Hold("r"); err != nil {
				t.Fatal(err)
			}
			if err := f.Resume(runs, s.Record); err != nil {
				t.Fatal(err)
			}
			r = restore(t, config(), s.State)
		}
		if got := gamesOf(t, runs); got != games {
			t.Errorf("interrupted every %d pairs: other games are stored", every)
		}
	}
}

// Real games of three generations in flight give the same weights and stored games for any number of workers, and after an
// interruption.
func TestWorkersOfGenerationsInFlight(t *testing.T) {
	config := func() *tuner.Config {
		c := newConfig(t, 120)
		c.Settings, c.Anchors, c.NoGate = run.DefaultSettings("ga", nil, false), nil, true
		c.Settings.InFlight = 3
		return c
	}
	var want []byte
	var games string
	for _, test := range []struct {
		name    string
		workers int
		stop    int64 // after this number of pairs; 0: never
	}{{"1 worker", 1, 0}, {"2 workers", 2, 0}, {"7 workers", 7, 0}, {"7 workers, interrupted", 7, 25}} {
		t.Run(test.name, func(t *testing.T) {
			runs := openRuns(t, t.TempDir())
			f, _ := newFolder(t, runs, "r", config())
			r, pool := newRun(t, config()), pools(test.workers)
			if test.stop > 0 {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				stopping := &interrupting{Runner: pool, stop: func(pairs int64) {
					if pairs == test.stop {
						cancel(errStopped)
					}
				}}
				if _, err := r.Run(ctx, tuner.Environment{Runner: stopping, Store: f, Overlap: true}); !errors.Is(err, errStopped) {
					t.Fatalf("error %v, want %v", err, errStopped)
				}
				if err := f.Release(); err != nil {
					t.Fatal(err)
				}
				held, s, err := runs.Hold("r")
				if err != nil {
					t.Fatal(err)
				}
				if err := held.Resume(runs, s.Record); err != nil {
					t.Fatal(err)
				}
				f, r = held, restore(t, config(), s.State)
			}
			got := marshal(t, mustPlay(t, r, tuner.Environment{Runner: pool, Store: f, Overlap: true}).Set)
			stored := gamesOf(t, runs)
			if want == nil {
				want, games = got, stored
			}
			if !bytes.Equal(got, want) {
				t.Error("other weights than of one worker")
			}
			if stored != games || stored == "" {
				t.Error("other games are stored than of one worker")
			}
		})
	}
}

// pools plays each batch in a pool of its own with this number of workers, so that batches may overlap.
type pools int

func (p pools) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return selfplay.NewPool(int(p)).Run(ctx, b, done)
}

// interrupting counts the finished pairs of all batches.
type interrupting struct {
	selfplay.Runner
	pairs atomic.Int64
	stop  func(pairs int64)
}

func (i *interrupting) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return i.Runner.Run(ctx, b, func(k int, r *selfplay.Result) {
		if done != nil {
			done(k, r)
		}
		i.stop(i.pairs.Add(1))
	})
}

func mustPlay(t *testing.T, r *tuner.Run, s tuner.Environment) *tuner.Outcome {
	t.Helper()
	o, err := r.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// gamesOf returns the stored games of the run with their keys.
func gamesOf(t *testing.T, runs *Runs) string {
	t.Helper()
	var b bytes.Buffer
	err := runs.Games("r", func(g *record.Game, k store.Key) error {
		b.WriteString(k.String() + " ")
		return record.Write(&b, record.JSON, g)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
