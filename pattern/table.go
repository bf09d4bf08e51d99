package pattern

import "sync"

// Two bits a cell describe a line to the tables, lowest bits first.
const (
	BitsEmpty = 0
	BitsBlack = 1
	BitsWhite = 2
	BitsWall  = 3
)

// Tables classify a line for both colours at once. Seen from a cell, what lies beyond the first
// stone that blocks a side cannot matter; so one side of the cell is one of 63 half lines
// (31 with a reach of four) and the class of the whole is a table of 64×64: 4 KiB, which
// stays in the first-level cache where one table over ten cells would need 1 MiB.
//
// Tables are immutable and safe for concurrent use.
type Tables struct {
	// Left and Right give the half lines of a cell for both colours, black's number in the low
	// byte and white's in the high one. Index: two bits a cell, five cells, of the five below the
	// cell (Left, nearest in the highest bits) or above it (Right, nearest in the lowest bits).
	Left, Right [1 << 10]uint16
	// Class is [left half << 6 | right half].
	Class [1 << 12]Line
}

var tables = [NumRules]func() *Tables{
	Freestyle: sync.OnceValue(func() *Tables { return build(Freestyle) }),
	Standard:  sync.OnceValue(func() *Tables { return build(Standard) }),
}

// TablesFor returns the rule's tables, built on first use.
func TablesFor(rule Rule) *Tables { return tables[rule]() }

// Pair returns the classes of both colours, black's in the low four bits, for a cell whose left
// and right neighbours are given as in Tables.
func (t *Tables) Pair(left, right uint32) uint8 {
	l, r := t.Left[left&1023], t.Right[right&1023]
	black := t.Class[(l&63)<<6|r&63]
	white := t.Class[(l>>8&63)<<6|r>>8&63]
	return uint8(black | white<<4)
}

func build(rule Rule) *Tables {
	t := &Tables{}
	halves := newHalves(rule.Reach())
	for key := range uint32(1 << 10) {
		var nearestFirst [5]uint32
		for i := range nearestFirst {
			nearestFirst[i] = key >> (2 * i) & 3
		}
		t.Right[key] = halves.both(nearestFirst)
		for i := range nearestFirst {
			nearestFirst[i] = key >> (2 * (4 - i)) & 3
		}
		t.Left[key] = halves.both(nearestFirst)
	}
	for l, left := range halves.list {
		for r, right := range halves.list {
			t.Class[l<<6|r] = Classify(rule, join(left, right))
		}
	}
	return t
}

// halves numbers the half lines that differ: stones and empty cells up to the first blocking one.
type halves struct {
	reach  int
	list   [][]Square // nearest square first, padded with Opponent to the reach
	number map[string]uint16
}

func newHalves(reach int) *halves {
	h := &halves{reach: reach, number: map[string]uint16{}}
	for free := 0; free <= reach; free++ {
		for own := range 1 << free {
			half := make([]Square, reach)
			for i := range half {
				switch {
				case i >= free:
					half[i] = Opponent
				case own>>i&1 == 1:
					half[i] = Own
				}
			}
			h.number[key(half)] = uint16(len(h.list))
			h.list = append(h.list, half)
		}
	}
	return h
}

// both returns the numbers of a half line for black (low byte) and white (high byte).
func (h *halves) both(nearestFirst [5]uint32) uint16 {
	return h.seenBy(BitsBlack, nearestFirst) | h.seenBy(BitsWhite, nearestFirst)<<8
}

func (h *halves) seenBy(own uint32, nearestFirst [5]uint32) uint16 {
	half := make([]Square, h.reach)
	blocked := false
	for i := range half {
		switch bits := nearestFirst[i]; {
		case blocked || bits != own && bits != BitsEmpty:
			blocked = true
			half[i] = Opponent
		case bits == own:
			half[i] = Own
		}
	}
	return h.number[key(half)]
}

func key(half []Square) string {
	b := make([]byte, len(half))
	for i, s := range half {
		b[i] = byte(s)
	}
	return string(b)
}

// join puts two half lines around an own stone.
func join(left, right []Square) []Square {
	line := make([]Square, 0, len(left)+1+len(right))
	for i := len(left) - 1; i >= 0; i-- {
		line = append(line, left[i])
	}
	line = append(line, Own)
	return append(line, right...)
}
