package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// A thinker serves any seat, game and board, one after another, and plays as a new one does.
func TestThinkerForgetsOtherGames(t *testing.T) {
	a, b := begin(t, pattern.Freestyle, "h8i9h9"), begin(t, pattern.Standard, "g7h8g8")
	b.ID = 2
	shared := session.NewThinker(search.Options{})
	defer shared.Close()
	seats := []session.Seat{
		seat(t, "huang", session.Strength{Nodes: 500}), seat(t, "zhang", session.Strength{Nodes: 500}), seat(t, "baseline:random", session.Strength{}),
		seat(t, "huang", session.Strength{Level: 1}),
	}
	for range 2 {
		for _, g := range []*session.Game{a, b} {
			for _, s := range seats {
				alone := session.NewThinker(search.Options{})
				want, err := alone.Move(context.Background(), s, g.Board(), g.ID)
				if err != nil {
					t.Fatal(err)
				}
				if err := alone.Close(); err != nil {
					t.Fatal(err)
				}
				got, err := shared.Move(context.Background(), s, g.Board(), g.ID+100) // another game: nothing is remembered
				if err != nil {
					t.Fatal(err)
				}
				again, err := shared.Move(context.Background(), s, g.Board(), g.ID)
				if err != nil {
					t.Fatal(err)
				}
				if s.Player.Weights != nil && s.Strength.Level == 0 && got.Move != want.Move || again.Move != want.Move {
					t.Errorf("%s in game %d: %v and %v, alone %v", s.Name(), g.ID, got.Move, again.Move, want.Move)
				}
			}
		}
	}
}

func TestThinkerEndsWithItsContext(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8i9h9")
	thinker := session.NewThinker(search.Options{})
	for _, name := range []string{"huang", "baseline:sjtu-mcts"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(20*time.Millisecond, cancel)
			if _, err := thinker.Move(ctx, seat(t, name, session.Strength{Time: time.Hour}), g.Board(), 1); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if err := thinker.Close(); err != nil {
		t.Error(err)
	}
}

// A move that breaks the rules reads as the engine's, not as one of the person who plays it.
func TestIllegalMoveOfAnEngine(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := begin(t, pattern.Freestyle, "h8")
	g.Seats[board.White] = seat(t, fmt.Sprintf(`gomocup:"%s" occupied`, program), session.Strength{Time: time.Minute})
	thinker := session.NewThinker(search.Options{})
	defer thinker.Close()
	_, err = thinker.Answer(context.Background(), g.Ask())
	if err == nil || !strings.Contains(err.Error(), "illegal move: h8: the cell is occupied") {
		t.Errorf("%v, want an illegal move", err)
	}
}

func TestThinkerSolves(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8a1h9a2h10b15")
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	thinker := session.NewThinker(search.Options{})
	task := session.Task{Weights: set, Position: g.Board(), Game: 1, Limits: search.Limits{Nodes: 1000}}
	for _, solver := range []session.Solver{session.VCF, session.VCT} {
		if s, err := thinker.Solve(context.Background(), task, solver); err != nil || !s.Win {
			t.Errorf("%s: %+v (%v), want a win", solver, s, err)
		}
	}
	if _, err := thinker.Solve(context.Background(), task, "mate"); err == nil || !strings.Contains(err.Error(), "mate") {
		t.Errorf("an unknown solver: error %v, want one that names mate", err)
	}
	r, err := thinker.Lines(context.Background(), task, 3, nil)
	if err != nil || len(r.Lines) != 3 {
		t.Errorf("%d lines (%v), want 3", len(r.Lines), err)
	}
}
