package search_test

import (
	"context"
	"fmt"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// newPosition returns a board after the moves and an engine for it.
func newPosition(moves string) (*board.Board, *search.Engine) {
	b, err := board.New(15, pattern.Freestyle)
	if err != nil {
		panic(err)
	}
	cells, err := board.ParseMoves(moves)
	if err != nil {
		panic(err)
	}
	for _, c := range cells {
		b.Play(c)
	}
	set, err := weights.Preset("huang")
	if err != nil {
		panic(err)
	}
	e, err := search.NewEngine(set, b.Size(), b.Rule(), search.Options{})
	if err != nil {
		panic(err)
	}
	return b, e
}

// A search limited by nodes always gives the same result. The score may be a proven win.
func ExampleEngine_Search() {
	b, e := newPosition("h8a1i8a2j8o15")
	r := e.Search(context.Background(), b, search.Limits{Nodes: 1000}, nil)
	fmt.Printf("%v wins in %d plies\n", r.Best, search.PliesToWin(r.Score))
	// Output:
	// g8 wins in 3 plies
}

// The solver of fours proves a win and returns its line.
func ExampleEngine_SolveVCF() {
	b, e := newPosition("a5d10d7e10d5c10b10e9c5b5d8d6e7c9c7b7c4c6")
	s := e.SolveVCF(context.Background(), b, 10_000)
	fmt.Println(s.Win, s.Plies, board.FormatMoves(s.Line[:2]))
	// Output:
	// true 5 f7g7
}

// A clock for the whole game keeps time for later moves.
func ExampleClock_Limits() {
	l := search.Clock{Turn: search.Unlimited, Left: 100_000_000_000}.Limits()
	fmt.Println("optimum", l.Optimum, "maximum", l.Time)
	// Output:
	// optimum 5s maximum 20s
}

// Features have the names that the command line uses.
func ExampleParseFeature() {
	f, err := search.ParseFeature("futility")
	fmt.Println(f, err)
	_, err = search.ParseFeature("hope")
	fmt.Println(err != nil)
	// Output:
	// Futility <nil>
	// true
}
