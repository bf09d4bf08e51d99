package board_test

import (
	"fmt"

	"quintune/board"
	"quintune/pattern"
)

// A position keeps, for every empty cell, what either colour would make there.
func Example() {
	b, err := board.New(15, pattern.Freestyle)
	if err != nil {
		panic(err)
	}
	moves, err := board.ParseMoves("h8h9i8i9j8")
	if err != nil {
		panic(err)
	}
	for _, c := range moves {
		if err := b.Legal(c); err != nil {
			panic(err)
		}
		b.Play(c)
	}
	fmt.Println(b.SideToMove(), "to move, black's class at k8:", b.Class(board.Black, board.At(10, 7)))
	fmt.Println("cells where black makes an open four:", b.Counts(board.Black)[pattern.CellOpenFour])
	b.Undo()
	fmt.Println(b.Stones(), "stones, last move", b.LastMove())
	// Output:
	// white to move, black's class at k8: open_four
	// cells where black makes an open four: 2
	// 4 stones, last move i9
}

// Renju forbids Black to make two threes by one stone.
func ExampleBoard_Legal() {
	b, err := board.New(15, pattern.Renju)
	if err != nil {
		panic(err)
	}
	moves, _ := board.ParseMoves("g8a1i8a3h7a5h9a7")
	for _, c := range moves {
		b.Play(c)
	}
	fmt.Println(b.Legal(board.At(7, 7)))
	// Output:
	// h8: the cell is forbidden for black (double three)
}
