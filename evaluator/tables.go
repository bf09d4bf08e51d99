// Package evaluator turns weights into scores of positions and moves.
//
// The score, from the side to move and in points, is the sum over all empty cells of what playing
// there would give the side to move (four line weights and a cell weight, self column), less the
// same sum for the other side (opponent column), plus a tempo term by the best cell class of each
// side. Sums are kept incrementally from the cells that each move changes.
package evaluator

import (
	"quintune/pattern"
	"quintune/weights"
)

// codes is the length of tables over pattern.Code, pattern.Occupied included.
const codes = int(pattern.Occupied) + 1

// pair packs a self and an opponent score, so that one addition sums both: self in the low 32
// bits, opponent above; both signed.
type pair int64

func newPair(self, opponent int32) pair { return pair(opponent)<<32 + pair(self) }

func (p pair) self() int32     { return int32(p) }
func (p pair) opponent() int32 { return int32((p - pair(int32(p))) >> 32) }

// Tables are the weights compiled for the evaluator: immutable, safe for concurrent use, to be
// shared by all states that play with the same weights.
type Tables struct {
	value [codes]pair     // [code]: points of an empty cell; zero for pattern.Occupied
	order [codes][2]int32 // [code][side]: ordering points, side as in weights.Self and weights.Opponent
	tempo weights.CellTable
	line  weights.LineTable
	cell  weights.CellTable
}

// Compile derives the tables from a set of weights, which must be within its bounds.
func Compile(set *weights.Set) *Tables {
	t := &Tables{tempo: set.Tempo(), line: set.Line(), cell: set.Cell()}
	order := set.Order()
	for code, lines := range pattern.Combined().Lines {
		class := pattern.ClassifyCell(lines)
		value := newPair(t.cell[class][weights.Self], t.cell[class][weights.Opponent])
		for _, l := range lines {
			value += newPair(t.line[l][weights.Self], t.line[l][weights.Opponent])
			t.order[code][weights.Self] += order[l][weights.Self]
			t.order[code][weights.Opponent] += order[l][weights.Opponent]
		}
		t.value[code] = value
	}
	return t
}

// MaxScore bounds the absolute value of every score: with the bounds of package weights, 22×22
// cells of four lines and a cell weight on both sides, and a tempo term, stay below it.
const MaxScore = 1 << 26
