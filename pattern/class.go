// Package pattern classifies one line through a cell and one cell (its four lines together).
//
// It is independent of boards and values. A line is a short row of own, opponent's and empty cells. Its
// class is the best that a side makes in it by a stone on the middle cell. The fast tables (table.go) are
// tested, line by line, against the recursive definition (recursive.go).
//
// Classes and recursion follow Rapfi's pattern table, whose names stand beside ours; the words are
// those of Allis (Searching for Solutions in Games and Artificial Intelligence, 1994).
package pattern

// LineClass is the class of one line through a cell for one side, as if the side had just placed a
// stone on the cell. Greater is stronger, except for Overline.
type LineClass uint8

const (
	Dead        LineClass = iota // DEAD: no five is possible through the cell
	ClosedOne                    // B1: one move from a closed two
	OpenOne                      // F1: one move from an open two
	ClosedTwo                    // B2: one move from a closed three
	OpenTwo                      // F2: 1 or 2 cells make an open three
	OpenTwo3                     // F2A: 3 cells make an open three
	OpenTwo4                     // F2B: 4 or more cells make an open three
	ClosedThree                  // B3: one move from a four
	OpenThree                    // F3: exactly 1 cell makes an open four
	OpenThree2                   // F3S: 2 or more cells make an open four
	Four                         // B4: exactly 1 cell makes five
	OpenFour                     // F4: 2 or more cells make five
	Five                         // F5: a winning row
	Overline                     // OL: six or more where only five wins; worth nothing. Restricted: or two fours
	NumLines    = iota
)

var lineNames = [NumLines]string{
	"dead", "closed_one", "open_one", "closed_two", "open_two", "open_two_3", "open_two_4",
	"closed_three", "open_three", "open_three_2", "four", "open_four", "five", "overline",
}

// String returns the class's name as the weight files spell it.
func (l LineClass) String() string { return lineNames[l] }

// CellClass is the class of an empty cell for one side: the four lines through it together, as if the
// side had just played there. Greater is more urgent.
type CellClass uint8

const (
	CellNone            CellClass = iota // nothing below
	CellForbidden                        // Restricted alone: an overline or two fours, and no five
	CellTwo                              // L: an open two
	CellClosedThree                      // K: a closed three
	CellDoubleTwo                        // J: two open twos
	CellClosedThreePlus                  // I: two closed threes, or a closed three and an open two
	CellThree                            // H: an open three
	CellThreePlus                        // G: an open three and (a closed three or an open two)
	CellDoubleThree                      // F: two open threes; Restricted: forbidden where both are real
	CellFour                             // E: a four
	CellFourPlus                         // D: a four and (a closed three or an open two)
	CellFourThree                        // C: a four and an open three, or several: then as CellDoubleThree
	CellOpenFour                         // B: an open four, or two fours; Restricted: an open four, surely allowed
	CellFive                             // A: five
	NumCells            = iota
)

var cellNames = [NumCells]string{
	"none", "forbidden", "two", "closed_three", "double_two", "closed_three_plus", "three", "three_plus",
	"double_three", "four", "four_plus", "four_three", "open_four", "five",
}

// String returns the class's name as the weight files spell it.
func (c CellClass) String() string { return cellNames[c] }
