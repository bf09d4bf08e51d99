package bench

import (
	_ "embed"
	"fmt"
	"strings"

	"quintune/board"
	"quintune/pattern"
)

// positionsFile has "rule size name moves" a line: openings, quiet and tactical positions of the
// middle and the end, all rules, boards of 15 and 20.
//
//go:embed testdata/positions.txt
var positionsFile string

// position is one fixed position.
type position struct {
	name  string // unique: "rule-size-name"
	board *board.Board
}

// positions returns the fixed positions. It panics when the embedded file is broken.
func positions() []position {
	var list []position
	for line := range strings.Lines(positionsFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		p, err := parsePosition(line)
		if err != nil {
			panic(fmt.Sprintf("bench: %q: %v", line, err))
		}
		list = append(list, p)
	}
	return list
}

func parsePosition(line string) (position, error) {
	var rule, name, text string
	var size int
	if _, err := fmt.Sscan(line, &rule, &size, &name, &text); err != nil {
		return position{}, err
	}
	r, err := pattern.ParseRule(rule)
	if err != nil {
		return position{}, err
	}
	b, err := board.New(size, r)
	if err != nil {
		return position{}, err
	}
	moves, err := board.ParseMoves(text)
	if err != nil {
		return position{}, err
	}
	for _, m := range moves {
		if err := b.Legal(m); err != nil {
			return position{}, err
		}
		b.Play(m)
	}
	return position{fmt.Sprintf("%s-%d-%s", rule, size, name), b}, nil
}
