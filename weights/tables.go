package weights

import "quintune/pattern"

// LineTable is points by line class and column (Self, Opponent).
type LineTable [pattern.NumLines][NumColumns]int32

// CellTable is points by cell class and column (Self, Opponent); CellNone is always zero.
type CellTable [pattern.NumCells][NumColumns]int32

// Line returns the position score of one line through an empty cell, points.
func (s *Set) Line() LineTable { return s.lineTable("line") }

// Order returns the ordering score of one line through a candidate move, points.
func (s *Set) Order() LineTable { return s.lineTable("order") }

// Cell returns the position score of an empty cell beside its lines, points.
func (s *Set) Cell() CellTable { return s.cellTable("cell") }

// Tempo returns the score of the move, points: the Self column is read with the best cell class of
// the side to move, the Opponent column with the best of the other side, and both are added.
func (s *Set) Tempo() CellTable { return s.cellTable("tempo") }

// Search returns the search weight of the given name without its group: "aspiration". It panics when
// none is declared, since such names are written in the search and never come from input.
func (s *Set) Search(name string) int32 { return s.mustGet("search." + name) }

func (s *Set) lineTable(group string) (t LineTable) {
	for class := range t {
		for column := range NumColumns {
			t[class][column] = s.mustGet(tableName(group, pattern.Line(class).String(), column))
		}
	}
	return t
}

func (s *Set) cellTable(group string) (t CellTable) {
	for class := pattern.CellNone + 1; class < pattern.NumCells; class++ {
		for column := range NumColumns {
			t[class][column] = s.mustGet(tableName(group, class.String(), column))
		}
	}
	return t
}

// mustGet returns a weight whose name the program itself spelled.
func (s *Set) mustGet(name string) int32 {
	v, err := s.Get(name)
	if err != nil {
		panic(err)
	}
	return v
}
