package weights

import "quintune/pattern"

// LineTable is points by line class and column (Self, Opponent).
type LineTable [pattern.NumLines][NumColumns]int32

// CellTable is points by cell class and column (Self, Opponent); classes of no weight are zero.
type CellTable [pattern.NumCells][NumColumns]int32

// Tables are the scores that a side plays with.
type Tables struct {
	Line  LineTable // position score of one line through an empty cell, points
	Cell  CellTable // position score of an empty cell beside its lines, points
	Order LineTable // ordering score of one line through a candidate move, points
	// Tempo is the score of the move, points: a side's Self column is read with its own best cell class
	// where it is to move, its Opponent column where it is not, and both sides' are added.
	Tempo CellTable
}

// Prefix is what the names of the groups begin with whose scores belong to the law alone: "black_" for
// Restricted, which is renju's Black, and nothing for the others.
func Prefix(law pattern.Law) string {
	if law == pattern.Restricted {
		return blackPrefix
	}
	return ""
}

// Tables returns the scores of a side that plays by the law.
func (s *Set) Tables(law pattern.Law) Tables {
	prefix := Prefix(law)
	return Tables{
		Line: s.lineTable(prefix + "line"), Cell: s.cellTable(prefix + "cell"),
		Order: s.lineTable(prefix + "order"), Tempo: s.cellTable(prefix + "tempo"),
	}
}

// Line returns the position score of one line through an empty cell, points.
func (s *Set) Line() LineTable { return s.lineTable("line") }

// Search returns the search weight of the given name without its group: "aspiration". It panics when
// none is declared, since such names are written in the search and never come from input.
func (s *Set) Search(name string) int32 { return s.mustGet("search." + name) }

func (s *Set) lineTable(group string) (t LineTable) {
	for class := range t {
		for column := range NumColumns {
			t[class][column] = s.mustGet(tableName(group, pattern.LineClass(class).String(), column))
		}
	}
	return t
}

func (s *Set) cellTable(group string) (t CellTable) {
	for class := range t {
		for column := range NumColumns {
			if i, ok := current.index[tableName(group, pattern.CellClass(class).String(), column)]; ok {
				t[class][column] = s.Values[i]
			}
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
