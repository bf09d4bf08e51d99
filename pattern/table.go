package pattern

import "sync"

// Two bits a cell describe a line to the tables, lowest bits first.
const (
	BitsEmpty = 0
	BitsBlack = 1
	BitsWhite = 2
	BitsWall  = 3
)

// Tables classify a line for both colours at once. The cells beyond the first blocking stone do not matter.
// So each side of a cell is one of 63 half lines (31 with a reach of four), and the class of the whole is a
// table of 64×64. Its 4 KiB stay in the first-level cache, where one table over ten cells would need 1 MiB.
// Where the colours have different laws, White has a second table, chosen by the number of the left half.
//
// Tables are immutable and safe for concurrent use.
type Tables struct {
	// Left and Right hold the half lines of a cell as parts of an index of Class, black's in the low 16 bits
	// and white's in the high ones: one OR makes both indices. They are indexed by the five cells below the
	// cell (Left, nearest in the highest bits) or above it (Right, nearest in the lowest bits), two bits each.
	Left, Right [1 << 10]uint32
	// Class is [left half << 6 | right half]; left halves have seven bits, right ones six.
	Class [1 << 13]LineClass
}

// secondTable is a bit in the number of a left half that selects White's own table of classes.
const secondTable = 1 << 6

var tables = [NumRules]func() *Tables{
	Freestyle: sync.OnceValue(func() *Tables { return build(Freestyle) }),
	Standard:  sync.OnceValue(func() *Tables { return build(Standard) }),
	Renju:     sync.OnceValue(func() *Tables { return build(Renju) }),
}

// TablesFor returns the rule's tables, built on first use.
func TablesFor(rule Rule) *Tables { return tables[rule]() }

// Classes returns the classes of a cell for both colours, from its left and right neighbours coded as in Tables.
func (t *Tables) Classes(left, right uint32) (black, white LineClass) {
	halves := t.Left[left&1023] | t.Right[right&1023]
	return t.Class[halves&(1<<13-1)], t.Class[halves>>16&(1<<13-1)]
}

func build(rule Rule) *Tables {
	t := &Tables{}
	black := newHalves(rule.Black().Reach())
	white, second := black, uint32(0)
	t.fill(rule.Black(), black, 0)
	if rule.White() != rule.Black() {
		white, second = newHalves(rule.White().Reach()), secondTable
		t.fill(rule.White(), white, second)
	}
	for key := range uint32(1 << 10) {
		var above, below [5]uint32 // nearest first
		for i := range above {
			above[i] = key >> (2 * i) & 3
			below[i] = key >> (2 * (4 - i)) & 3
		}
		t.Right[key] = black.seenBy(BitsBlack, above) | white.seenBy(BitsWhite, above)<<16
		t.Left[key] = black.seenBy(BitsBlack, below)<<6 | (white.seenBy(BitsWhite, below)|second)<<22
	}
	return t
}

// fill classifies every pair of half lines. table selects the first table (0) or the second (secondTable).
func (t *Tables) fill(law Law, h *halves, table uint32) {
	for l, left := range h.list {
		for r, right := range h.list {
			t.Class[(uint32(l)|table)<<6|uint32(r)] = Classify(law, join(left, right))
		}
	}
}

// halves numbers the half lines that differ: stones and empty cells up to the first blocking one.
type halves struct {
	reach  int
	list   [][]Square // nearest square first, padded with Opponent to the reach
	number map[string]uint32
}

func newHalves(reach int) *halves {
	h := &halves{reach: reach, number: map[string]uint32{}}
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
			h.number[key(half)] = uint32(len(h.list))
			h.list = append(h.list, half)
		}
	}
	return h
}

// seenBy returns the number of a half line for the colour with the given bits.
func (h *halves) seenBy(own uint32, nearestFirst [5]uint32) uint32 {
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
