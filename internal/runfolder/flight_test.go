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
// other, however often it is interrupted.
func TestGenerationsInFlightAreTheSameRun(t *testing.T) {
	elo := matchtest.Hill(t, 30)
	config := func() *tuner.Config {
		c := newConfig(t, 600)
		c.Settings, c.Anchors = run.DefaultSettings("ga", false), nil
		c.Settings.InFlight = 3
		return c
	}
	plain := &overlapping{elo: elo}
	runs := openRuns(t, t.TempDir())
	f, _ := newFolder(t, runs, "r", config())
	want := marshal(t, mustPlay(t, newRun(t, config()), tuner.Setting{Runner: plain, Store: f}).Set)
	games := gamesOf(t, runs)
	for _, every := range []int64{0, 90, 23} { // pairs between two interruptions; 0: none
		dir := t.TempDir()
		runs := openRuns(t, dir)
		f, _ := newFolder(t, runs, "r", config())
		r := newRun(t, config())
		for stops := int64(1); ; stops++ {
			ctx, cancel := context.WithCancelCause(context.Background())
			flying := &overlapping{elo: elo, after: func(n int64) {
				if every > 0 && n == every {
					cancel(errStopped)
				}
			}}
			o, err := r.Run(ctx, tuner.Setting{Runner: flying, Store: f, Overlap: stops%3 != 0})
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
			var record run.Record
			var state run.State
			if f, record, state, err = runs.Hold("r"); err != nil {
				t.Fatal(err)
			}
			if err := f.Resume(runs, record); err != nil {
				t.Fatal(err)
			}
			r = restore(t, config(), state)
		}
		if got := gamesOf(t, runs); got != games {
			t.Errorf("interrupted every %d pairs: other games are stored", every)
		}
	}
}

func mustPlay(t *testing.T, r *tuner.Run, s tuner.Setting) *tuner.Outcome {
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
