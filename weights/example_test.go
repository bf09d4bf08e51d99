package weights_test

import (
	"fmt"

	"quintune/pattern"
	"quintune/weights"
)

// An error of a value or a name tells the weight and its bound.
func ExampleSet_With() {
	set, err := weights.Preset("huang")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = set.With("line.four.self", 90_000)
	fmt.Println(err)
	_, err = set.With("line.Four.self", 3)
	fmt.Println(err)
	// Output:
	// weights: line.four.self is 90000, outside [0, 20000]
	// weights: unknown weight "line.Four.self" (did you mean "line.four.self"?)
}

// Reading the file of a set gives the same set.
func ExampleUnmarshal() {
	file, err := weights.Marshal(weights.New("empty", pattern.Renju, 15))
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := weights.Unmarshal(file)
	fmt.Println(set.Name, set.Rule, set.Size, err)
	// Output: empty renju 15 <nil>
}
