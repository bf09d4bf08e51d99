package swap2

import (
	_ "embed"
	"fmt"
	"strings"

	"quintune/board"
	"quintune/pattern"
)

// openings lists openings of three stones, one "rule size moves" a line. They are those of the built-in books that a
// long search with the default weights finds most balanced. `go test ./internal/swap2 -run List -remake` makes it anew.
//
//go:embed openings.txt
var openings string

// listed returns the listed openings of the rule and size, nil where there are none.
func listed(rule pattern.Rule, size int) (list [][]board.Cell) {
	prefix := fmt.Sprintf("%v %d ", rule, size)
	for line := range strings.Lines(openings) {
		if text, ok := strings.CutPrefix(line, prefix); ok {
			moves, err := board.ParseMoves(text)
			if err != nil {
				panic(err) // the list is part of the program
			}
			list = append(list, moves)
		}
	}
	return list
}
