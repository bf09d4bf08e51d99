package baseline

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// usually returns the settings of a system where nothing is said.
func usually(name string) settings {
	e, err := find(name)
	if err != nil {
		panic(err)
	}
	return e.usual()
}

// The default options are the author's own limits.
func TestHuangsOwnLimits(t *testing.T) {
	h := newHuang(15, pattern.Freestyle, usually("huang")).(*huang)
	if want := (huangLimits{depth: 2, candidates: 10, neighbours: 2, ratio: 140}); h.limits != want || h.close.distance != 2 {
		t.Errorf("%+v and %d rows, want %+v and 2", h.limits, h.close.distance, want)
	}
	e, values, err := parse("huang?depth=0&candidates=3&neighbours=1&close=1&ratio=120")
	if err != nil {
		t.Fatal(err)
	}
	h = e.make(15, pattern.Freestyle, values).(*huang)
	if want := (huangLimits{depth: 0, candidates: 3, neighbours: 1, ratio: 120}); h.limits != want || h.close.distance != 1 {
		t.Errorf("%+v and %d rows, want %+v and 1", h.limits, h.close.distance, want)
	}
}

// Every option of every system plays legal games at its bounds, where they are quick.
func TestOptionsPlay(t *testing.T) {
	slow := map[string]int{"huang depth": 3, "huang candidates": 20, "shapes depth": 5}
	for _, e := range entries() {
		t.Run(e.name, func(t *testing.T) {
			for _, o := range e.options {
				high := o.high
				if most, ok := slow[e.name+" "+o.name]; ok {
					high = most
				}
				for _, value := range []int{o.low, high} {
					set := e.usual()
					set[o.name] = value
					position := setUp(t, 15, "h8i9f7", "g7h9", board.White)
					b := newBudget(t.Context(), 300)
					system := e.make(15, pattern.Freestyle, set)
					system.newGame(rand.New(rand.NewPCG(1, 1)))
					if move := system.choose(position, &b); position.Legal(move) != nil {
						t.Errorf("%s with %s=%d plays %v", e.name, o.name, value, move)
					}
				}
			}
		})
	}
}

// Options have an effect: a deeper huang finds more, one with few candidates less.
func TestOptionsMatter(t *testing.T) {
	position := setUp(t, 15, "h8i9f7", "g7h9", board.White)
	nodes := func(name string) int64 {
		reply, err := mustOpen(t, name, 15, 0).Move(t.Context(), position)
		if err != nil {
			t.Fatal(err)
		}
		return reply.Nodes
	}
	usual, deep, narrow := nodes("huang"), nodes("huang?depth=3"), nodes("huang?candidates=4")
	if !(narrow < usual && usual < deep) || nodes("huang?depth=2&candidates=10") != usual {
		t.Errorf("4 candidates take %d nodes, 10 take %d, depth 3 takes %d", narrow, usual, deep)
	}
}

func TestOptionRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"huang?":                  `option "" is not one of depth, candidates, neighbours, close, ratio`,
		"huang?depth":             `option depth is "", not a whole number in [0, 8]`,
		"huang?depth=9":           `option depth is "9", not a whole number in [0, 8]`,
		"huang?depth=2.5":         `option depth is "2.5"`,
		"huang?depth=1&depth=2":   "option depth is given twice",
		"huang?breadth=2":         `option "breadth" is not one of depth`,
		"finard?breadth=9":        "in [1, 8]",
		"zhang?depth=2":           `zhang has no options, and so no "depth"`,
		"huan?depth=2":            `"huan" is not one of huang`,
		"shapes?best=3&&depth=1":  `option ""`,
		"huang?candidates=1&x=\n": `option "x"`,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := Open(text, 15, pattern.Freestyle, 1)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: error %v, want %q", text, err, want)
			}
			if _, again := Unit(text); again == nil || again.Error() != err.Error() {
				t.Errorf("%q: Unit says %v, Open %v", text, again, err)
			}
		})
	}
}

func TestHelpListsAll(t *testing.T) {
	help := Help()
	for _, e := range entries() {
		t.Run(e.name, func(t *testing.T) {
			if !strings.Contains(help, "  "+e.name+" ") {
				t.Errorf("no %s in\n%s", e.name, help)
			}
			for _, o := range e.options {
				if !strings.Contains(help, o.name+"=") || !strings.Contains(help, o.meaning) {
					t.Errorf("no option %s of %s in\n%s", o.name, e.name, help)
				}
			}
		})
	}
}
