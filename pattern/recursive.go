package pattern

import "slices"

// Square is what stands on one cell of a line, seen from the side whose class is asked for.
type Square uint8

const (
	Empty Square = iota
	Own
	Opponent // an opponent's stone, or a cell beyond the edge
)

// Classify returns the class that a side gets in a line by having a stone on its middle cell, by
// the recursive definition alone: a class is "one move from" the next stronger class. It is the slow
// plain version of Tables and builds them.
//
// Under Restricted two fours in one line are an Overline, which is as forbidden: `X_X.X_X` makes no
// straight four, so a three cannot aim at it.
//
// The line has 2*law.Reach()+1 squares, an Own stone in the middle; any other shape panics.
func Classify(law Law, line []Square) LineClass {
	middle := law.Reach()
	if len(line) != 2*middle+1 || line[middle] != Own {
		panic("pattern: the line must have an own stone in the middle of its reach")
	}
	r := recursion{law: law, line: slices.Clone(line), newest: middle}
	r.first, r.last = middle, middle
	return r.class()
}

// recursion is a line under classification. first and last bound the stones placed so far:
// every five that counts must contain all of them.
type recursion struct {
	law         Law
	line        []Square
	first, last int
	newest      int
}

// class returns the first class, strongest first, that fits the line.
func (r *recursion) class() LineClass {
	switch r.newestRow() {
	case Five:
		return Five
	case Overline:
		return Overline
	}
	if !r.fivePossible() {
		return Dead
	}
	made, between := r.madeByOneMore()
	openThrees := made[OpenThree] + made[OpenThree2]
	openTwos := made[OpenTwo] + made[OpenTwo3] + made[OpenTwo4]
	switch {
	case made[Five] >= 2 && r.law == Restricted && between < straight:
		return Overline
	case made[Five] >= 2:
		return OpenFour
	case made[Five] == 1:
		return Four
	case made[OpenFour] >= 2:
		return OpenThree2
	case made[OpenFour] == 1:
		return OpenThree
	case made[Four] > 0:
		return ClosedThree
	case openThrees >= 4:
		return OpenTwo4
	case openThrees == 3:
		return OpenTwo3
	case openThrees > 0:
		return OpenTwo
	case made[ClosedThree] > 0:
		return ClosedTwo
	case openTwos > 0:
		return OpenOne
	case made[ClosedTwo] > 0:
		return ClosedOne
	}
	return Dead
}

// newestRow judges the unbroken row through the newest stone: Five, Overline or, for neither, Dead.
func (r *recursion) newestRow() LineClass {
	from, to := r.newest, r.newest
	for from > 0 && r.line[from-1] == Own {
		from--
	}
	for to+1 < len(r.line) && r.line[to+1] == Own {
		to++
	}
	length := to - from + 1
	switch {
	case r.law != Free && length > 5:
		return Overline
	case length >= 5 && from <= r.first && r.last <= to && r.last-r.first < 5:
		return Five
	}
	return Dead
}

// fivePossible reports whether some window of five holds all placed stones and none of the opponent's.
func (r *recursion) fivePossible() bool {
	for from := max(0, r.last-4); from <= r.first && from+5 <= len(r.line); from++ {
		if !slices.Contains(r.line[from:from+5], Opponent) {
			return true
		}
	}
	return false
}

// straight is the distance of the two cells that make five of an unbroken four.
const straight = 5

// madeByOneMore counts, by class, the empty cells that make that class with one more own stone; and
// returns the distance from the first to the last of those that make five.
func (r *recursion) madeByOneMore() (made [NumLines]int, distance int) {
	first := 0
	for e := max(0, r.last-4); e < len(r.line) && e <= r.first+4; e++ {
		if r.line[e] != Empty {
			continue
		}
		next := *r
		next.first, next.last, next.newest = min(r.first, e), max(r.last, e), e
		r.line[e] = Own
		class := next.class()
		r.line[e] = Empty
		if class == Five {
			if made[Five] == 0 {
				first = e
			}
			distance = e - first
		}
		made[class]++
	}
	return made, distance
}
