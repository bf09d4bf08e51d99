package tuner

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/match/matchtest"
	"quintune/internal/run/runtest"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// faulty is a pool that returns a changed result for the pairs that wrong selects.
type faulty struct {
	*selfplay.Pool
	wrong func(b *selfplay.Batch, index int) bool
}

func (f *faulty) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results, err := f.Pool.Run(ctx, b, nil)
	for i := range results {
		if f.wrong(b, i) {
			results[i].Worker = "faulty"
			results[i].Games[0].Outcome, results[i].Games[1].Outcome = board.WinFor(board.Black), board.WinFor(board.White)
			results[i].Games[0].Nodes++
		}
		if done != nil {
			done(i, &results[i])
		}
	}
	return results, err
}

// A pair whose replay differs stops the run, whatever it is played for, and the error holds both results. After resuming, the step is
// played again, and the run ends as if nothing had happened.
func TestSelfCheckStopsTheRun(t *testing.T) {
	c := boardConfig(t)
	c.Budget = 600
	whole := play(t, c, selfplay.NewPool(1), &runtest.Store{})
	if whole.Audited == 0 || whole.Audited > whole.Games/10 {
		t.Errorf("%d of %d games replayed, want some, a tenth at most", whole.Audited, whole.Games)
	}
	for _, purpose := range []string{"generation", "gate", "validation"} {
		t.Run(purpose, func(t *testing.T) {
			var wrong *selfplay.Batch // the first one of the purpose: its replays are right
			runner := &faulty{Pool: selfplay.NewPool(2), wrong: func(b *selfplay.Batch, _ int) bool {
				if wrong == nil && strings.HasPrefix(b.Purpose, purpose) {
					wrong = b
				}
				return b == wrong
			}}
			kept := &runtest.Store{}
			o, err := newRun(t, c).Run(context.Background(), Environment{Runner: runner, Store: kept})
			if o != nil || err == nil {
				t.Fatalf("an outcome: %v, error %v, want none and one", o != nil, err)
			}
			for _, part := range []string{"self-check of " + purpose, "the pair from ", "first faulty, black wins after ", "then worker ", " nodes"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q, want %q in it", err, part)
				}
			}
			if kept.Forgotten != 1 {
				t.Errorf("the pairs of the step were deleted %d times, want 1", kept.Forgotten)
			}
			r := newRun(t, c)
			if n := len(kept.States); n > 0 {
				if r, err = Restore(c, kept.States[n-1]); err != nil {
					t.Fatal(err)
				}
				r.MakeOpenings = matchtest.Openings
			}
			o, err = r.Run(context.Background(), Environment{Runner: selfplay.NewPool(2), Store: &runtest.Store{}})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(marshal(t, o.Set), marshal(t, whole.Set)) {
				t.Error("the wrong result is in the resumed run")
			}
		})
	}
}

// counting is a Runner that counts the pairs that it plays.
type counting struct {
	selfplay.Runner
	pairs int
}

func (c *counting) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	c.pairs += len(b.Pairings)
	return c.Runner.Run(ctx, b, done)
}

// A runner that makes its own audits is not checked a second time. The run is the same to the byte.
func TestAuditedRunnerIsNotReplayed(t *testing.T) {
	c := boardConfig(t)
	c.Budget = 600
	want, err := newRun(t, c).Run(context.Background(), Environment{Runner: selfplay.NewPool(1), Store: &runtest.Store{}})
	if err != nil {
		t.Fatal(err)
	}
	counted := &counting{Runner: selfplay.NewPool(2)}
	got, err := newRun(t, c).Run(context.Background(), Environment{Runner: counted, Store: &runtest.Store{}, Audited: true})
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

// Only games that a proven win ended are counted as played on, and of these the ones that the claimed winner did not win.
func TestPlayedOutCountsProvenWins(t *testing.T) {
	c := boardConfig(t)
	r := newRun(t, c)
	var five []board.Cell // Black has five in a row after the ninth move
	for x := range 4 {
		five = append(five, board.At(x, 0), board.At(x, 2))
	}
	five = append(five, board.At(4, 0))
	batch := &selfplay.Batch{
		Size: 9, Nodes: 10, Pairings: make([]selfplay.Pairing, 1),
		Contestants: []selfplay.Contestant{{Weights: weightstest.Preset(t, "huang")}},
	}
	for _, test := range []struct {
		game                  selfplay.Game
		playedOut, overturned int // after this game too
	}{
		{selfplay.Game{Outcome: board.BlackWins}, 0, 0},
		{selfplay.Game{Outcome: board.Draw}, 0, 0},
		{selfplay.Game{Outcome: board.Draw, Adjudicated: true}, 0, 0},
		{selfplay.Game{Outcome: board.BlackWins, Adjudicated: true, Moves: five}, 2, 0},
		{selfplay.Game{Outcome: board.WhiteWins, Adjudicated: true, Moves: five}, 4, 2},
	} {
		results := []selfplay.Result{{Games: [2]selfplay.Game{test.game, test.game}}}
		if err := r.playOut(t.Context(), batch, results, []int{0}); err != nil || r.state.PlayedOut != test.playedOut || r.state.Overturned != test.overturned {
			t.Errorf("%v, adjudicated %v: %d games were played on, want %d; %d without a win, want %d; error %v",
				test.game.Outcome, test.game.Adjudicated, r.state.PlayedOut, test.playedOut, r.state.Overturned, test.overturned, err)
		}
	}
}
