package evaluator_test

import (
	"fmt"

	"quintune/board"
	"quintune/evaluator"
	"quintune/pattern"
	"quintune/weights"
)

// Scores follow the moves; the terms of the explanation sum to the score.
func Example() {
	set, err := weights.Preset("huang")
	if err != nil {
		panic(err)
	}
	b, err := board.New(15, pattern.Freestyle)
	if err != nil {
		panic(err)
	}
	s := evaluator.NewState(b, evaluator.Compile(set))
	s.Make(board.At(7, 7))
	s.Make(board.At(8, 8))
	var sum int32
	for _, term := range s.Explain() {
		sum += term.Points
	}
	fmt.Println(sum == s.Score())
	better := s.MoveScore(board.At(8, 7)) > s.MoveScore(board.At(0, 0))
	s.Unmake()
	s.Unmake()
	fmt.Println(better, s.Board().Stones())
	// Output:
	// true
	// true 0
}
