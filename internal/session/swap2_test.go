package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/session"
	"quintune/internal/swap2"
	"quintune/pattern"
	"quintune/search"
)

// opened returns a game in an opening under swap2: a person opens, an engine responds, or the other way round.
func opened(t *testing.T, personOpens bool) *session.Game {
	t.Helper()
	g := begin(t, pattern.Freestyle, "")
	if !personOpens {
		g.Seats[board.Black], g.Seats[board.White] = g.Seats[board.White], g.Seats[board.Black]
	}
	if err := g.BeginSwap2(); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestSwap2(t *testing.T) {
	tests := []struct {
		name        string
		personOpens bool
		steps       string // moves, and options in capitals, with blanks between
		person      board.Colour
		next        bool // it is the person's turn
	}{
		{"the responder takes Black", false, "h8 i9 g7 black", board.Black, false},
		{"the responder takes White", false, "h8 i9 g7 white", board.White, true},
		{"the opener takes Black", true, "h8 i9 g7 two a1 b1 black", board.Black, false},
		{"the opener takes White", true, "h8 i9 g7 two a1 b1 white", board.White, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := opened(t, test.personOpens)
			for step := range strings.FieldsSeq(test.steps) {
				var err error
				if c, parsed := board.ParseCell(step); parsed == nil {
					err = g.Play(c)
				} else {
					err = g.Choose(session.Option(step))
				}
				if err != nil {
					t.Fatalf("%s: %v", step, err)
				}
			}
			if g.Opening() != session.NoOpening || !g.Seats[test.person].Person() || g.Seats[test.person.Other()].Person() || g.Turn().Person() != test.next {
				t.Errorf("at step %q the seats are %+v, want a person as %v alone, who is next: %v", g.Opening(), g.Seats, test.person, test.next)
			}
			stones := 3
			if strings.Contains(test.steps, "two") {
				stones = 5
			}
			if err := g.Play(board.At(14, 14)); err != nil || g.Record().Opening != stones {
				t.Errorf("the opening has %d moves, want %d (%v)", g.Record().Opening, stones, err)
			}
			if g.Undo() && g.Ply() < 3 {
				t.Errorf("the opening is taken back to %s", on(g))
			}
		})
	}
}

// Sides are swapped between the steps of an opening only: an engine cannot end what a person began.
func TestSwap2SwapsBetweenSteps(t *testing.T) {
	for _, test := range []struct {
		stones string
		two    bool
		ok     bool
	}{
		{"", false, true},
		{"h8", false, false},
		{"h8i9", false, false},
		{"h8i9g7", false, true},
		{"h8i9g7", true, false},
		{"h8i9g7a1", false, false},
		{"h8i9g7a1b1", false, true},
	} {
		t.Run(fmt.Sprint(test.stones, test.two), func(t *testing.T) {
			moves := boardtest.Moves(t, test.stones)
			g := begin(t, pattern.Freestyle, "")
			g.Seats = [2]session.Seat{}
			if err := g.BeginSwap2(); err != nil {
				t.Fatal(err)
			}
			err := g.LoadOpening(moves)
			if test.two {
				err = errors.Join(err, g.Choose(session.PutTwo))
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := g.SwapSides(); (err == nil) != test.ok {
				t.Errorf("swapped: %v", err)
			}
			if test.two {
				return
			}
			engines := begin(t, pattern.Freestyle, "")
			engines.Seats[board.Black] = engines.Seats[board.White]
			if err := engines.BeginSwap2(); err != nil {
				t.Fatal(err)
			}
			if err := engines.LoadOpening(moves); (err == nil) != test.ok {
				t.Errorf("loaded for engines: %v", err)
			}
		})
	}
}

func TestSwap2Refuses(t *testing.T) {
	g := opened(t, true)
	if err := g.Choose(session.TakeBlack); err == nil {
		t.Error("a side is taken before the first stone")
	}
	for _, c := range boardtest.Moves(t, "h8i9") {
		if err := g.Play(c); err != nil {
			t.Fatal(err)
		}
	}
	if !g.Undo() || on(g) != "h8" {
		t.Errorf("the opener cannot take back a stone: %s", on(g))
	}
	if err := g.Load(boardtest.Moves(t, "i9g7")); err != nil {
		t.Fatal(err)
	}
	if err := g.Play(board.At(0, 0)); err == nil {
		t.Error("a fourth stone comes before the choice")
	}
	if err := g.SetPlayers([2]session.Seat{}); err == nil {
		t.Error("the players change in the opening")
	}
	if err := g.GoTo(0); err == nil || g.Undo() || g.Redo() {
		t.Error("the proposal is taken back")
	}
	if err := g.Choose("tea"); err == nil || !strings.Contains(err.Error(), "tea") {
		t.Errorf("an unknown option: error %v, want one that names tea", err)
	}
	if err := g.Choose(session.TakeWhite); err != nil {
		t.Fatal(err)
	}
	if err := g.GoTo(1); err != nil {
		t.Errorf("a settled opening cannot be looked at: %v", err)
	}
	if err := g.Play(board.At(0, 0)); err == nil || !g.Turn().Person() {
		t.Error("a settled opening is played anew")
	}
	if err := g.SetLine(boardtest.Moves(t, "a1b2c3d4"), 4); err == nil || on(g) != "h8" {
		t.Errorf("another opening: error %v and %s on the board, want a refusal and h8", err, on(g))
	}
	if err := begin(t, pattern.Freestyle, "h8").BeginSwap2(); err == nil {
		t.Error("an opening begins after the first move")
	}
	baseline := begin(t, pattern.Freestyle, "")
	baseline.Seats[board.White] = seat(t, "baseline:zhang", session.Strength{})
	if err := baseline.BeginSwap2(); err == nil || !strings.Contains(err.Error(), "zhang") {
		t.Errorf("an engine without weights: error %v, want one that names zhang", err)
	}
}

// Engines open and respond with choices that can be played.
func TestSwap2OfEngines(t *testing.T) {
	thinker := session.NewThinker(search.Options{})
	g := opened(t, true)
	g.Seats[board.Black] = g.Seats[board.White]
	engines, err := session.New(1, 15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	engines.Seats = g.Seats
	if err := engines.BeginSwap2(); err != nil {
		t.Fatal(err)
	}
	for choices := 0; engines.Opening() != session.NoOpening; choices++ {
		answer, err := thinker.Answer(context.Background(), engines.Ask())
		if err != nil || choices > 3 {
			t.Fatalf("choice %d: error %v, want at most 3 choices without one", choices, err)
		}
		if err := engines.Apply(answer); err != nil {
			t.Fatalf("%+v: %v", answer, err)
		}
	}
	if engines.Ply() < 3 {
		t.Errorf("the opening ends with %s, want 3 stones at least", on(engines))
	}
	if err := engines.Apply(session.Answer{Opening: true, Choice: swap2.Choice{Swap: true}}); err == nil || !strings.Contains(err.Error(), "huang") {
		t.Errorf("a settled opening takes a choice: %v", err)
	}
	answer, err := thinker.Answer(context.Background(), engines.Ask())
	if err != nil {
		t.Fatal(err)
	}
	ply := engines.Ply()
	if err := engines.Apply(answer); err != nil || engines.Ply() != ply+1 || !engines.Judgements()[ply].Known {
		t.Errorf("%+v leads to %s (%v), want one more move than %d, and a judgement before it", answer, on(engines), err, ply)
	}
}
