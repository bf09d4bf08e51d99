package match

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/record"
	"quintune/internal/stats"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// For any number of workers, the games that the test counted are kept, in the order of the openings.
func TestKeptGamesDoNotDependOnWorkers(t *testing.T) {
	test := stats.SPRT{NElo0: 0, NElo1: 100, Alpha: .05, Beta: .05}
	for _, sequential := range []bool{false, true} {
		var want []record.Game
		for _, workers := range []int{1, 4} {
			m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat"), 40, 9)
			var got []record.Game
			m.Keep = func(i int, r *selfplay.Result) error {
				got = append(got, m.Games(i, r)...)
				return nil
			}
			var err error
			var pairs int64
			if sequential {
				var report GateReport
				report, err = m.Gate(context.Background(), selfplay.NewPool(workers), test, nil)
				pairs = report.Pairs
			} else {
				var tally Tally
				tally, err = m.Play(context.Background(), selfplay.NewPool(workers), nil)
				pairs = tally.Pairs.Pairs()
			}
			if err != nil || len(got) != int(2*pairs) {
				t.Fatalf("%d games of %d pairs (%v)", len(got), pairs, err)
			}
			if sequential && pairs == 40 {
				t.Error("the test never ended: it shows nothing")
			}
			if want == nil {
				want = got
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("sequential %t: the games of %d workers are not those of 1", sequential, workers)
			}
		}
	}
}

func TestKeepErrorEndsTheMatch(t *testing.T) {
	full := errors.New("disk is full")
	for _, sequential := range []bool{false, true} {
		m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat"), 12, 9)
		kept := 0
		m.Keep = func(int, *selfplay.Result) error {
			kept++
			return full
		}
		var err error
		if sequential {
			_, err = m.Gate(context.Background(), selfplay.NewPool(2), stats.SPRT{NElo1: 5, Alpha: .05, Beta: .05}, nil)
		} else {
			_, err = m.Play(context.Background(), selfplay.NewPool(2), nil)
		}
		if !errors.Is(err, full) || kept != 1 {
			t.Errorf("sequential %t: %v after %d pairs, want %v after 1", sequential, err, kept, full)
		}
	}
}

// A gate is not passed when the pair that decides it cannot be kept.
func TestKeepErrorOfTheLastPair(t *testing.T) {
	full := errors.New("disk is full")
	m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat"), 12, 9)
	m.Keep = func(int, *selfplay.Result) error { return full }
	g, err := m.Gate(context.Background(), selfplay.NewPool(2), stats.SPRT{NElo1: 200, Alpha: .45, Beta: .45}, nil)
	if g.LLR < g.Upper {
		t.Fatalf("LLR %v below %v: the test shows nothing", g.LLR, g.Upper)
	}
	if !errors.Is(err, full) || g.Passed || g.Plain() != "interrupted" {
		t.Errorf("error %v, passed %v, %s, want %v, false, interrupted", err, g.Passed, g.Plain(), full)
	}
}

func TestGamesOfAPair(t *testing.T) {
	m := newTestMatch(t, weightstest.Preset(t, "huang"), weightstest.Preset(t, "flat"), 2, 9)
	m.Purpose = "gate 3"
	cells := []board.Cell{board.At(0, 0), board.At(1, 1), board.At(2, 2), board.At(3, 3), board.At(4, 4), board.At(5, 5)}
	m.Openings[1].Moves = cells[:4]
	crash := selfplay.Game{Outcome: board.WhiteWins, Moves: cells[:2], Fault: &selfplay.Fault{Kind: "crash"}}
	played := selfplay.Game{Outcome: board.BlackWins, Moves: cells, Adjudicated: true, Times: []time.Duration{4: time.Second}}
	drawn := selfplay.Game{Outcome: board.Draw, Moves: cells, Adjudicated: true}
	games := m.Games(1, &selfplay.Result{Games: [2]selfplay.Game{played, drawn}, Discarded: []selfplay.Game{crash}})
	want := []struct {
		event, black string
		reason       record.Reason
		opening      int
	}{
		{"gate 3, pair 2, void", "a", record.ReasonCrash, 2}, // in the middle of the opening
		{"gate 3, pair 2", "a", record.ReasonProven, 4},
		{"gate 3, pair 2", "b", record.ReasonDead, 4},
	}
	if len(games) != len(want) {
		t.Fatalf("games %+v, want %d", games, len(want))
	}
	for i, w := range want {
		t.Run(w.event, func(t *testing.T) {
			g := games[i]
			if g.Event != w.event || g.Players[board.Black] != w.black || g.Reason != w.reason || g.Opening != w.opening {
				t.Errorf("game %d is %+v, want %+v", i, g, w)
			}
		})
	}
	if moves := games[1].Moves; len(moves) != 6 || moves[4].Time != time.Second || moves[5].Time != 0 {
		t.Errorf("moves %+v, want 6, the fifth of 1 s, the last of no known time", moves)
	}
	void := m.Games(0, &selfplay.Result{Games: [2]selfplay.Game{crash, crash}})
	if len(void) != 2 || void[0].Event != "gate 3, pair 1, void" {
		t.Errorf("games %+v, want two of gate 3, pair 1, void", void)
	}
}
