package evaluator

import (
	"quintune/board"
	"quintune/pattern"
	"quintune/weights"
)

// Term is what one weight adds to a score.
type Term struct {
	Weight string // name of the weight, such as "line.open_three.self"
	Count  int    // number of times that it is added; negative where it is subtracted, as lines, cells and pairs of the other side are
	Points int32  // Count times the weight's value
}

// Explain returns the terms of Score, without those of zero: by group, then class, those of renju's Black last. Their
// Points sum to Score.
func (s *State) Explain() []Term {
	mover := s.board.SideToMove()
	var terms [pattern.NumLaws]counts // Exact uses the tables of Free, and so its counts
	for column, colour := range []board.Colour{weights.Self: mover, weights.Opponent: mover.Other()} {
		sign := 1 - 2*column
		n := &terms[s.sides[colour].law]
		for _, c := range s.board.AllEmpty(nil) {
			class := s.board.Class(colour, c)
			var lines [4]pattern.LineClass
			if !countsAsDead(s.sides[colour].law, class) {
				for d := range lines {
					lines[d] = s.board.Line(colour, d, c)
				}
			}
			for d, line := range lines {
				n.line[line][column] += sign
				for _, other := range lines[:d] {
					n.pair[min(line, other)][max(line, other)][column] += sign
				}
			}
			n.cell[class][column] += sign
		}
		n.tempo[s.BestClass(colour)][column]++
	}
	return append(terms[pattern.Free].list(&s.tables.common), terms[pattern.Restricted].list(&s.tables.restricted)...)
}

// counts holds how often each weight of a side's tables applies, indexed by class and column.
type counts struct {
	line  [pattern.NumLines][weights.NumColumns]int
	cell  [pattern.NumCells][weights.NumColumns]int
	tempo [pattern.NumCells][weights.NumColumns]int
	pair  [pattern.NumLines][pattern.NumLines][weights.NumColumns]int // [weaker][stronger]
}

func (n *counts) list(t *side) (terms []Term) {
	add := func(group, class string, column, count int, value int32) {
		if count != 0 && value != 0 {
			name := weights.TableName(weights.Prefix(t.law)+group, class, column)
			terms = append(terms, Term{name, count, int32(count) * value})
		}
	}
	for class := range n.line {
		for column := range weights.NumColumns {
			add("line", pattern.LineClass(class).String(), column, n.line[class][column], t.weights.Line[class][column])
		}
	}
	for class := range n.cell {
		for column := range weights.NumColumns {
			add("cell", pattern.CellClass(class).String(), column, n.cell[class][column], t.weights.Cell[class][column])
		}
	}
	for class := range n.tempo {
		for column := range weights.NumColumns {
			add("tempo", pattern.CellClass(class).String(), column, n.tempo[class][column], t.weights.Tempo[class][column])
		}
	}
	for a := range n.pair {
		for b := range n.pair[a] {
			for column := range weights.NumColumns {
				class := weights.PairClass(pattern.LineClass(a), pattern.LineClass(b))
				add("pair", class, column, n.pair[a][b][column], t.weights.Pair[a][b][column])
			}
		}
	}
	return terms
}
