package evaluator

import (
	"fmt"

	"quintune/board"
	"quintune/pattern"
	"quintune/weights"
)

// Term is one weight's part of a score.
type Term struct {
	Weight string // name of the weight, such as "line.open_three.self"
	Count  int    // how often it applies; negative where it counts for the other side
	Points int32  // Count times the weight's value
}

// Explain returns the weights that make up Score, in the order of the declaration, without those
// that do not apply. Their Points sum to Score.
func (s *State) Explain() []Term {
	mover := s.board.SideToMove()
	var terms counts
	for y := range s.board.Size() {
		for x := range s.board.Size() {
			c := board.At(x, y)
			if !s.board.Empty(c) {
				continue
			}
			for column, colour := range []board.Colour{weights.Self: mover, weights.Opponent: mover.Other()} {
				sign := 1 - 2*column
				for d := range 4 {
					terms.line[s.board.Line(colour, d, c)][column] += sign
				}
				terms.cell[s.board.Class(colour, c)][column] += sign
			}
		}
	}
	terms.tempo[s.best(mover)][weights.Self]++
	terms.tempo[s.best(mover.Other())][weights.Opponent]++
	return terms.list(s.tables)
}

// counts is how often each weight applies: [class][column].
type counts struct {
	line  [pattern.NumLines][weights.NumColumns]int
	cell  [pattern.NumCells][weights.NumColumns]int
	tempo [pattern.NumCells][weights.NumColumns]int
}

var columnNames = [weights.NumColumns]string{weights.Self: "self", weights.Opponent: "opponent"}

func (n *counts) list(t *Tables) (terms []Term) {
	add := func(group, class string, column, count int, value int32) {
		if count != 0 && value != 0 {
			name := fmt.Sprintf("%s.%s.%s", group, class, columnNames[column])
			terms = append(terms, Term{name, count, int32(count) * value})
		}
	}
	for class := range n.line {
		for column := range weights.NumColumns {
			add("line", pattern.Line(class).String(), column, n.line[class][column], t.line[class][column])
		}
	}
	for class := range n.cell {
		for column := range weights.NumColumns {
			add("cell", pattern.Cell(class).String(), column, n.cell[class][column], t.cell[class][column])
		}
	}
	for class := range n.tempo {
		for column := range weights.NumColumns {
			add("tempo", pattern.Cell(class).String(), column, n.tempo[class][column], t.tempo[class][column])
		}
	}
	return terms
}
