package swap2

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// The course of an opening: who chooses, what follows, and who has which colour in the end.
func TestCourse(t *testing.T) {
	const swap = "swap"
	for _, test := range []struct {
		name    string
		choices []string // moves, or swap
		black   Party
		mover   board.Colour
	}{
		{"the responder takes Black", []string{"h8i9j10", swap}, Responder, board.White},
		{"the responder stays White", []string{"h8i9j10", "k8"}, Opener, board.Black},
		{"the opener takes Black", []string{"h8i9j10", "k8k9", swap}, Opener, board.White},
		{"the opener stays White", []string{"h8i9j10", "k8k9", "a1"}, Responder, board.Black},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, err := New(15, pattern.Standard)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range test.choices {
				if want := []Party{Opener, Responder, Opener}[i]; o.Chooser() != want || o.Phase() != Phase(i) {
					t.Errorf("the %v chooses at phase %d", o.Chooser(), o.Phase())
				}
				c := Choice{Swap: true}
				if text != swap {
					c = Choice{Moves: boardtest.Moves(t, text)}
				}
				if err := o.Apply(c); err != nil {
					t.Errorf("%v", err)
				}
			}
			if o.Phase() != Settled || o.Black() != test.black || o.Board().SideToMove() != test.mover {
				t.Errorf("phase %d, the %v is Black, %v to move", o.Phase(), o.Black(), o.Board().SideToMove())
			}
			if o.Apply(Choice{Swap: true}) == nil {
				t.Error("a settled opening goes on")
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, test := range []struct {
		before string
		choice Choice
		want   string
	}{
		{"", Choice{Swap: true}, "takes a colour"},
		{"", Choice{Moves: boardtest.Moves(t, "h8i9")}, "the opener puts 2 stones with 0"},
		{"", Choice{Moves: boardtest.Moves(t, "h8i9h8")}, "h8: the cell is occupied"},
		{"", Choice{Moves: boardtest.Moves(t, "h8i9p16")}, "outside"},
		{"h8i9j10", Choice{}, "the responder puts 0 stones"},
		{"h8i9j10", Choice{Moves: boardtest.Moves(t, "a1a2a3")}, "puts 3 stones"},
		{"h8i9j10", Choice{Swap: true, Moves: boardtest.Moves(t, "a1")}, "takes a colour"},
		{"h8i9j10", Choice{Moves: boardtest.Moves(t, "a1j10")}, "j10: the cell is occupied"},
		{"h8i9j10k8k9", Choice{Moves: boardtest.Moves(t, "a1a2")}, "the opener puts 2 stones with 5"},
	} {
		t.Run(test.before, func(t *testing.T) {
			o, err := Resume(15, pattern.Standard, boardtest.Moves(t, test.before))
			if err != nil {
				t.Fatal(err)
			}
			phase, stones := o.Phase(), o.Board().Stones()
			if err := o.Apply(test.choice); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s %+v: %v, want %s", test.before, test.choice, err, test.want)
			}
			if o.Phase() != phase || o.Board().Stones() != stones {
				t.Errorf("%s %+v: a refused choice changes the opening", test.before, test.choice)
			}
		})
	}
	for _, moves := range []string{"h8", "h8i9j10k8", "h8i9j10k8k9l9", "h8h8h8"} {
		t.Run(moves, func(t *testing.T) {
			if _, err := Resume(15, pattern.Standard, boardtest.Moves(t, moves)); err == nil {
				t.Errorf("%s is resumed", moves)
			}
		})
	}
	if _, err := New(99, pattern.Standard); err == nil {
		t.Error("size 99 is played")
	}
}

func newChooser(t testing.TB, size int, rule pattern.Rule, seed uint64) *Chooser {
	t.Helper()
	set, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChooser(set, size, rule, seed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// choose plays an opening in which one chooser is both parties.
func choose(t testing.TB, c *Chooser, size int, rule pattern.Rule, limits search.Limits) *Opening {
	t.Helper()
	o, err := New(size, rule)
	if err != nil {
		t.Fatal(err)
	}
	settle(t, c, o, limits)
	return o
}

// settle goes on with an opening in which one chooser is both parties.
func settle(t testing.TB, c *Chooser, o *Opening, limits search.Limits) {
	t.Helper()
	for o.Phase() != Settled {
		choice, err := c.Choose(context.Background(), o, limits)
		if err == nil {
			err = o.Apply(choice)
		}
		if err != nil {
			t.Fatalf("%v, phase %d: %v", o.Board().Rule(), o.Phase(), err)
		}
	}
}

// For every size, rule, seed and limit, each choice can be applied and is the same when repeated.
func TestChoicesAreSound(t *testing.T) {
	for _, size := range []int{board.MinSize, 15} {
		for rule := range pattern.Rule(pattern.NumRules) {
			for _, nodes := range []int64{1, 2000} {
				limits := search.Limits{Nodes: nodes}
				o := choose(t, newChooser(t, size, rule, 1), size, rule, limits)
				again := choose(t, newChooser(t, size, rule, 1), size, rule, limits)
				if !reflect.DeepEqual(o.Board().Moves(), again.Board().Moves()) || o.Black() != again.Black() {
					t.Errorf("%v %d: %s, then %s", rule, size, board.FormatMoves(o.Board().Moves()), board.FormatMoves(again.Board().Moves()))
				}
			}
		}
	}
	seen := map[string]bool{}
	for seed := range uint64(8) {
		o := choose(t, newChooser(t, 15, pattern.Freestyle, seed), 15, pattern.Freestyle, search.Limits{Nodes: 3000})
		seen[board.FormatMoves(o.Board().Moves()[:3])] = true
	}
	if len(seen) < 4 {
		t.Errorf("eight seeds propose %v", seen)
	}
}

// The chooser takes a side that is clearly better.
func TestTheBetterSideIsTaken(t *testing.T) {
	c := newChooser(t, 15, pattern.Standard, 1)
	limits := search.Limits{Nodes: 4000}
	for _, test := range []struct {
		name, moves string
		swap        bool
	}{
		{"Black has two stones in the middle, White one in the corner", "h8a1i9", true},
		{"White has two threes, Black nothing", "a1h8o1h9o15", false},
		{"Black has an open three", "h8a1i9o1j10", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, err := Resume(15, pattern.Standard, boardtest.Moves(t, test.moves))
			if err != nil {
				t.Fatal(err)
			}
			choice, err := c.Choose(context.Background(), o, limits)
			if err != nil || choice.Swap != test.swap {
				t.Errorf("%+v, %v", choice, err)
			}
		})
	}
}

// A share of a limit of nodes is no more than the limit, and not cut down to nothing where the limit is great.
func TestPartsOfLimits(t *testing.T) {
	for _, nodes := range []int64{1, 2, 3, 1000, 1 << 40, 1 << 61, 1 << 62, math.MaxInt64} {
		for _, p := range [][2]int{{1, 2}, {1, 4}, {3, 4}, {1, 32}} {
			got := part(search.Limits{Nodes: nodes}, p[0], p[1]).Nodes
			if least := max(1, nodes/int64(2*p[1])); got < least || got > nodes {
				t.Errorf("%d/%d of %d nodes are %d, outside [%d, %d]", p[0], p[1], nodes, got, least, nodes)
			}
		}
	}
}

func TestNothingToChoose(t *testing.T) {
	c := newChooser(t, 15, pattern.Standard, 1)
	o := choose(t, c, 15, pattern.Standard, search.Limits{Nodes: 1000})
	if _, err := c.Choose(context.Background(), o, search.Limits{}); err == nil {
		t.Error("a settled opening is chosen in")
	}
}
