package tuner

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/selfplay"
)

// liars is a pool under two names, one of which reports other games than were played, on the
// pairs that it plays wrongly, until it is dropped.
type liars struct {
	*selfplay.Pool
	wrong   func(b *selfplay.Batch, index int) bool
	dropped []string
}

func (l *liars) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results, err := l.Pool.Run(ctx, b, nil)
	for i := range results {
		results[i].Worker = "honest"
		if len(l.dropped) == 0 && l.wrong(b, i) {
			results[i].Worker = "liar"
			results[i].Games[0].Outcome, results[i].Games[1].Outcome = board.WinFor(board.Black), board.WinFor(board.White)
			results[i].Games[0].Nodes++
		}
		if done != nil {
			done(i, &results[i])
		}
	}
	return results, err
}

func (l *liars) Drop(worker string) bool {
	l.dropped = append(l.dropped, worker)
	return worker == "liar"
}

// A worker that lies is named and dropped, and the run is what it would have been without it.
func TestLyingWorkerIsDropped(t *testing.T) {
	c := boardConfig(t)
	c.Budget = 600
	want := marshal(t, play(t, c, selfplay.NewPool(1), &memory{}).Set)
	r := newRun(t, c)
	runner := &liars{Pool: selfplay.NewPool(2), wrong: func(b *selfplay.Batch, i int) bool {
		// It lies where it will be found out, when it plays the pair for the first time.
		drawn := r.drawn(b.Purpose, b, len(b.Pairings))
		return len(b.Pairings) > 2*len(drawn) && slices.Contains(drawn, i)
	}}
	var warnings []string
	o, err := r.Run(context.Background(), Setting{
		Runner: runner, Store: &memory{}, Warn: func(m string) { warnings = append(warnings, m) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"liar"}; !slices.Equal(o.Dropped, want) || !slices.Equal(runner.dropped, want) {
		t.Errorf("dropped %q of the pool, %q of the run", runner.dropped, o.Dropped)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "liar is not to be trusted") {
		t.Errorf("warnings %q", warnings)
	}
	if o.Audited == 0 || o.Audited > o.Games/10 {
		t.Errorf("%d of %d games audited", o.Audited, o.Games)
	}
	if !bytes.Equal(marshal(t, o.Set), want) {
		t.Error("the liar's games are in the result")
	}
}

// counting counts the pairs that a runner plays.
type counting struct {
	selfplay.Runner
	pairs int
}

func (c *counting) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	c.pairs += len(b.Pairings)
	return c.Runner.Run(ctx, b, done)
}

// A runner that audits itself is not watched a second time, and the run is the same to the byte.
func TestAuditedRunnerIsNotReplayed(t *testing.T) {
	c := boardConfig(t)
	c.Budget = 600
	want, err := newRun(t, c).Run(context.Background(), Setting{Runner: selfplay.NewPool(1), Store: &memory{}})
	if err != nil {
		t.Fatal(err)
	}
	counted := &counting{Runner: selfplay.NewPool(2)}
	got, err := newRun(t, c).Run(context.Background(), Setting{Runner: counted, Store: &memory{}, Audited: true})
	if err != nil {
		t.Fatal(err)
	}
	if want.Audited == 0 || got.Audited != 0 || 2*counted.pairs != got.Games {
		t.Errorf("%d games audited by the run, %d where the runner does so; %d pairs played for %d games", want.Audited, got.Audited, counted.pairs, got.Games)
	}
	if !bytes.Equal(marshal(t, got.Set), marshal(t, want.Set)) || got.PlayedOut != want.PlayedOut {
		t.Error("who audits changes the result")
	}
}

// Where others play, the replays are played here: who always tells the same lie is found out, too.
func TestRunEndsWhenNobodyCanBeTrusted(t *testing.T) {
	c := boardConfig(t)
	c.Budget = 600
	runner := &liars{Pool: selfplay.NewPool(2), wrong: func(*selfplay.Batch, int) bool { return true }}
	setting := Setting{Runner: struct{ selfplay.Runner }{runner}, Local: selfplay.NewPool(1), Store: &memory{}}
	_, err := newRun(t, c).Run(context.Background(), setting)
	var d *Distrust
	if !errors.As(err, &d) || d.Worker != "liar" || !strings.Contains(err.Error(), "nobody to go on with") {
		t.Errorf("error %v", err)
	}
}
