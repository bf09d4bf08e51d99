// Package evaluator turns weights into scores of positions and moves.
//
// The score is in points from the side to move. Each empty cell adds four line weights, six weights of two lines each and a
// cell weight for the side to move (self column), and subtracts those of the other side (opponent column). A tempo term, chosen by
// the best cell class of each side, is added. The sums are kept incrementally: each move updates only the cells
// that it changed. Of a cell that renju forbids to Black, or most probably does, only the cell weight counts for Black; its four
// lines count as dead.
package evaluator

import (
	"quintune/board"
	"quintune/pattern"
	"quintune/weights"
)

// codes is the length of tables indexed by pattern.Code, including pattern.Occupied.
const codes = int(pattern.Occupied) + 1

// packed holds a self score in the low 32 bits and an opponent score in the high 32 bits, both signed, so that one
// addition adds both.
type packed int64

func pack(self, opponent int32) packed { return packed(opponent)<<32 + packed(self) }

func (p packed) self() int32     { return int32(p) }
func (p packed) opponent() int32 { return int32((p - packed(int32(p))) >> 32) }

// Tables are the weights compiled for the evaluator. They are immutable and safe for concurrent use. All
// states with the same weights share one.
type Tables struct {
	common     side // for both colours, but for Black in renju
	restricted side // for Black in renju
}

// side holds the look-up tables of one colour.
type side struct {
	law     pattern.Law
	value   [codes]packed   // [code]: points of an empty cell; zero for pattern.Occupied
	order   [codes][2]int32 // [code][column]: ordering points, with the columns weights.Self and weights.Opponent
	weights weights.Tables
}

// Compile derives the tables from a set of weights, which must be within its bounds.
func Compile(set *weights.Set) *Tables {
	t := &Tables{}
	t.common.compile(set, pattern.Free)
	t.restricted.compile(set, pattern.Restricted)
	return t
}

func (s *side) compile(set *weights.Set, law pattern.Law) {
	w := set.Tables(law)
	s.law, s.weights = law, w
	for code, lines := range law.Combined().Lines {
		class := law.ClassifyCell(lines)
		value := pack(w.Cell[class][weights.Self], w.Cell[class][weights.Opponent])
		if countsAsDead(law, class) {
			lines = [4]pattern.LineClass{} // no line through the cell counts
		}
		for i, l := range lines {
			for _, other := range lines[:i] {
				value += pack(w.Pair[l][other][weights.Self], w.Pair[l][other][weights.Opponent])
			}
			value += pack(w.Line[l][weights.Self], w.Line[l][weights.Opponent])
			s.order[code][weights.Self] += w.Order[l][weights.Self]
			s.order[code][weights.Opponent] += w.Order[l][weights.Opponent]
		}
		s.value[code] = value
	}
}

// countsAsDead reports whether the lines through a cell count as dead, because the cell is forbidden or most probably
// is: of the cells that make two threes, 95 % are forbidden in the positions of 150 games of renju15 against itself at 300
// nodes a move. Worth +30 Elo [7, 53] under renju (huang, 1 000 nodes a move, commit f742a91).
func countsAsDead(law pattern.Law, class pattern.CellClass) bool {
	return law == pattern.Restricted && (class == pattern.CellForbidden || class == pattern.CellDoubleThree)
}

// sides returns the tables of each colour under the rule.
func (t *Tables) sides(rule pattern.Rule) (sides [2]*side) {
	for colour, law := range [2]pattern.Law{board.Black: rule.Black(), board.White: rule.White()} {
		sides[colour] = &t.common
		if law == pattern.Restricted {
			sides[colour] = &t.restricted
		}
	}
	return sides
}

// MaxScore bounds the absolute value of every score. It holds for the largest board of 22×22 cells with every
// weight at its bound of package weights: a cell weight and six pair weights a cell for both sides, four line weights a cell for
// one side, and tempo terms. Line weights are never negative and those of one side are subtracted from those of the other, so the
// lines of one side are all that counts.
const MaxScore = 1 << 27
