package pattern

import (
	"slices"
	"sync"
)

// NumCodes is the number of combinations of four line classes with repetition: 2380 for 14 classes.
const NumCodes = NumLines * (NumLines + 1) * (NumLines + 2) * (NumLines + 3) / 24

// Occupied is the code of a cell that holds a stone. It lies beyond all codes of empty cells,
// and its cell class is CellNone.
const Occupied Code = 1<<12 - 1

// Code numbers the combination of the classes of the four lines through a cell, in [0, NumCodes) for an empty
// cell. Code 0 is four dead lines.
type Code uint16

// Entry is a Code in the low twelve bits and the cell class of that code in the high four. A board keeps
// one for each empty cell and colour.
type Entry uint16

// OccupiedEntry is the entry of a cell that holds a stone.
const OccupiedEntry = Entry(Occupied) | Entry(CellNone)<<12

// Code returns the combination's number.
func (e Entry) Code() Code { return Code(e & 4095) }

// Class returns the cell class.
func (e Entry) Class() CellClass { return CellClass(e >> 12) }

// Combinations holds the immutable tables of line combinations of a law; see Law.Combined. All laws
// number the combinations alike.
type Combinations struct {
	// Entry is indexed by the four classes, four bits each.
	Entry [1 << 16]Entry
	// Lines is [code][line]: the four classes of a code, weakest first.
	Lines [NumCodes][4]LineClass
}

var (
	combinations           = sync.OnceValue(func() *Combinations { return buildCombinations(Free) })
	restrictedCombinations = sync.OnceValue(func() *Combinations { return buildCombinations(Restricted) })
)

// Combined returns the law's table of line combinations, built on first use. Free and Exact
// share one.
func (l Law) Combined() *Combinations {
	if l == Restricted {
		return restrictedCombinations()
	}
	return combinations()
}

// EntryOf returns the entry of four line classes in any order.
func (t *Combinations) EntryOf(a, b, c, d LineClass) Entry {
	return t.Entry[uint16(a)|uint16(b)<<4|uint16(c)<<8|uint16(d)<<12]
}

func buildCombinations(law Law) *Combinations {
	t := &Combinations{}
	number := map[[4]LineClass]Code{}
	for packed := range 1 << 16 {
		lines := unpack(packed)
		slices.Sort(lines[:])
		if lines[3] >= NumLines {
			continue
		}
		code, known := number[lines]
		if !known {
			code = Code(len(number))
			number[lines] = code
			t.Lines[code] = lines
		}
		t.Entry[packed] = Entry(code) | Entry(law.ClassifyCell(lines))<<12
	}
	return t
}

func unpack(packed int) (lines [4]LineClass) {
	for i := range lines {
		lines[i] = LineClass(packed >> (4 * i) & 15)
	}
	return lines
}

// ClassifyCell returns the class of a cell from the classes of its four lines: the strongest that fits.
//
// Under Restricted the lines alone prove overlines and two fours, but not that two threes are real. So a
// cell with two or more threes is CellDoubleThree, or CellFourThree with a four of any kind. All other
// classes above CellForbidden are certainly allowed.
func (l Law) ClassifyCell(lines [4]LineClass) CellClass {
	var n [NumLines]int
	for _, l := range lines {
		n[l]++
	}
	fours := n[Four]
	threes := n[OpenThree] + n[OpenThree2]
	closedThrees := n[ClosedThree]
	twos := n[OpenTwo] + n[OpenTwo3] + n[OpenTwo4]
	builds := closedThrees+twos > 0
	switch {
	case n[Five] > 0:
		return CellFive
	case l == Restricted && (n[Overline] > 0 || fours+n[OpenFour] >= 2):
		return CellForbidden
	case l == Restricted && n[OpenFour] > 0 && threes >= 2:
		return CellFourThree
	case n[OpenFour] > 0 || fours >= 2:
		return CellOpenFour
	case fours > 0 && threes > 0:
		return CellFourThree
	case fours > 0 && builds:
		return CellFourPlus
	case fours > 0:
		return CellFour
	case threes >= 2:
		return CellDoubleThree
	case threes > 0 && builds:
		return CellThreePlus
	case threes > 0:
		return CellThree
	case closedThrees >= 2 || closedThrees > 0 && twos > 0:
		return CellClosedThreePlus
	case twos >= 2:
		return CellDoubleTwo
	case closedThrees > 0:
		return CellClosedThree
	case twos > 0:
		return CellTwo
	}
	return CellNone
}
