package pattern_test

import (
	"fmt"

	"quintune/pattern"
)

// A stone on the middle cell makes an open three of _XX*_ under the rule of five or more.
func ExampleClassify() {
	line := make([]pattern.Square, 2*pattern.Free.Reach()+1)
	middle := pattern.Free.Reach()
	line[middle-2], line[middle-1], line[middle] = pattern.Own, pattern.Own, pattern.Own
	fmt.Println(pattern.Classify(pattern.Free, line))
	line[middle-3] = pattern.Opponent
	fmt.Println(pattern.Classify(pattern.Free, line))
	// Output:
	// open_three_2
	// closed_three
}

// The four lines through a cell together make its class.
func ExampleLaw_ClassifyCell() {
	lines := [4]pattern.LineClass{pattern.Four, pattern.Dead, pattern.OpenThree, pattern.Dead}
	fmt.Println(pattern.Free.ClassifyCell(lines))
	lines = [4]pattern.LineClass{pattern.Four, pattern.Four, pattern.Dead, pattern.Dead}
	fmt.Println(pattern.Free.ClassifyCell(lines), pattern.Restricted.ClassifyCell(lines))
	// Output:
	// four_three
	// open_four forbidden
}
