package tuner

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintune/internal/fit"
	"quintune/selfplay"
)

// steady is a runner that ends a pair in every interval, until it is stopped.
type steady time.Duration

func (s steady) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	for i := range b.Pairings {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(s)):
			done(i, &selfplay.Result{})
		}
	}
	return nil, nil
}

// The measurement takes as long as it should, or two pairs a worker where games are slow.
func TestSpeedIsMeasuredInTime(t *testing.T) {
	const workers, asked = 2, 8 * time.Hour
	for _, test := range []struct {
		name string
		pair time.Duration // between two ends
		most time.Duration // that the measurement may take
	}{
		{"quick games", 10 * time.Millisecond, mostSpeedTime + time.Second},
		{"six seconds a pair", 6 * time.Second, 24 * time.Second},
		{"a minute a pair", time.Minute, 4 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := smallConfig(t, 30_000)
				began := time.Now()
				got, err := GamesIn(t.Context(), asked, c, steady(test.pair), workers)
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > test.most {
					t.Errorf("it took %v, at most %v is wanted", took, test.most)
				}
				if want := c.affordable(2 * float64(asked) / float64(test.pair)); float64(got) < .85*float64(want) || float64(got) > 1.15*float64(want) {
					t.Errorf("%d games, want about %d", got, want)
				}
			})
		})
	}
}

// Matches beside a run have all of the time: the plan of the run, its stages and its labels do not count.
func TestSpeedOfMatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := smallConfig(t, 30_000)
		c.FirstNodes, c.Nodes, c.Optimizer = 1, 1000, fit.Method
		const pair = 10 * time.Millisecond
		got, err := MatchGamesIn(t.Context(), time.Hour, c, steady(pair), 1)
		if want := int(2 * time.Hour / pair); err != nil || got < want*99/100 || got > want*101/100 {
			t.Errorf("%d games, want about %d; error %v", got, want, err)
		}
	})
}

// The candidates of a measurement are bounded, since a worker may claim thousands of jobs and each candidate holds all values.
func TestCandidatesOfAMeasurementAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, fake := outsideConfig(t, 30_000, engineText)
		if _, err := MatchGamesIn(t.Context(), time.Hour, c, steady(time.Millisecond), 4096); err != nil {
			t.Fatal(err)
		}
		if got := len(fake); got > 3*mostCouples {
			t.Errorf("%d candidates, want %d at most", got, 3*mostCouples)
		}
	})
}

// A budget in generations leaves them to the evolution, also where gates and validations do not get their shares.
func TestGamesOfGenerations(t *testing.T) {
	gated, plain := smallConfig(t, 30_000), smallConfig(t, 30_000)
	plain.NoGate = true
	for _, test := range []struct {
		c           *Config
		generations int64
		want        int // 0: any
	}{
		{gated, 1, 1487},
		{gated, 10, 14_870},
		{gated, 31, 46_100},
		{gated, 40, 59_483},
		{gated, 60, 0},
		{gated, 100, 0},
		{gated, 400, 0},
		{gated, 3000, 0},
		{plain, 1, 950},
		{plain, 97, 92_200},
		{plain, 400, 380_206},
	} {
		got, err := GamesOf(test.generations, test.c)
		if test.want > 0 && got != test.want {
			t.Errorf("%d generations are a budget of %d games, want %d", test.generations, got, test.want)
		}
		if over := test.c.plan(got).evolution - int(test.generations)*GenerationGames; err != nil || over < 0 || over > 100 {
			t.Errorf("%d generations: %d games of evolution too many; error %v", test.generations, over, err)
		}
	}
}

func TestGenerationsOutOfBoundsAreRefused(t *testing.T) {
	for _, generations := range []int64{-1, 0, 2_000_000} {
		games, err := GamesOf(generations, smallConfig(t, 30_000))
		if want := fmt.Sprintf("tuner: the budget is %d generations, not in [1, ", generations); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d generations: %d games, error %v, want %q", generations, games, err, want)
		}
	}
}

// An interruption ends the measurement.
func TestSpeedIsNotMeasuredOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if games, err := GamesIn(ctx, time.Hour, smallConfig(t, 30_000), steady(time.Millisecond), 1); err == nil {
		t.Errorf("%d games after an interruption, want an error", games)
	}
}

// paired records the players of each pair, which takes a second.
type paired [][2]string

func (p *paired) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	for _, pairing := range b.Pairings {
		*p = append(*p, [2]string{b.Contestants[pairing.A].Identity, b.Contestants[pairing.B].Identity})
	}
	return steady(time.Second).Run(ctx, b, done)
}

// The speed of an engine from outside is that of candidates: the engine may be started again for each.
func TestSpeedIsMeasuredWithCandidates(t *testing.T) {
	c, _ := outsideConfig(t, 20_000, engineText)
	synctest.Test(t, func(t *testing.T) {
		var pairs paired
		if _, err := GamesIn(t.Context(), time.Hour, c, &pairs, 2); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i, pair := range pairs {
			for _, identity := range pair {
				if seen[identity] {
					t.Errorf("pair %d: the values %s play again", i, identity)
				}
				seen[identity] = true
			}
		}
	})
}
