package board

import (
	"math/bits"
	"slices"

	"quintune/pattern"
)

// step is the distance between neighbours in each direction: row, column, falling and rising diagonal.
var step = [4]int{1, stride, stride + 1, stride - 1}

// place returns the line of a direction that the cell lies on and its slot in it. Slots are
// counted along x in rows and along y elsewhere, after five slots of wall.
func place(direction int, c Cell) (line, slot uint) {
	x, y := uint(c)%stride, uint(c)/stride
	switch direction {
	case 0:
		return y, x + 5
	case 1:
		return x, y + 5
	case 2:
		return x - y + MaxSize, y + 5
	default:
		return x + y, y + 5
	}
}

// setBits writes the cell's two bits in its four lines.
func (b *Board) setBits(c Cell, value uint64) {
	for d := range b.lines {
		line, slot := place(d, c)
		b.lines[d][line&63] = b.lines[d][line&63]&^(3<<(2*slot)) | value<<(2*slot)
	}
}

// classify computes the state of an empty cell from its lines.
func (b *Board) classify(c Cell) state {
	var s state
	for d := range b.lines {
		line, slot := place(d, c)
		w := bits.RotateLeft64(b.lines[d][line&63], int(10-2*slot)) // five slots below the cell, from bit 0
		black, white := b.tables.Classes(uint32(w), uint32(w>>12))
		s |= (state(black) | state(white)<<16) << (4 * d)
	}
	return s | b.entries(s)
}

// entries returns the upper half of a state for its lower half.
func (b *Board) entries(s state) state {
	return state(b.combined[Black].Entry[uint16(s)])<<32 | state(b.combined[White].Entry[uint16(s>>16)])<<48
}

// Play puts a stone of the side to move on an empty cell of an ongoing game: Legal must hold.
func (b *Board) Play(c Cell) { b.Place(b.side, c) }

// Place puts a stone of the colour on an empty cell of an ongoing game; the other colour is then
// to move. Moves of one colour may follow each other, as in positions that are set up. A black stone on a
// forbidden cell decides nothing: the caller judges the foul.
func (b *Board) Place(colour Colour, c Cell) {
	b.plies = append(b.plies, ply{c, b.side, b.outcome, len(b.changes), b.hash, b.counts})
	before := b.cells[c&cellMask]
	if before.entry(colour).Class() == pattern.CellFive {
		b.outcome = WinFor(colour)
	}
	b.stones++
	if b.outcome == Ongoing && b.Full() {
		b.outcome = Draw
	}
	b.hash ^= stoneKey(colour, c)
	b.side = colour.Other()
	b.taken[c/stride%stride] |= 1 << (c % stride)
	b.cells[c&cellMask] = occupied
	b.changes = append(b.changes, Change{c, before, occupied})
	b.recount(before, occupied)
	stone := uint64(pattern.BitsBlack) + uint64(colour)
	b.update(c, stone)
	if b.rule == pattern.Renju && colour == White && b.outcome == Ongoing && b.Stuck() {
		b.outcome = Draw
	}
}

// update puts the stone into the four lines, reclassifies the empty cells within reach on them, and
// records those that change.
func (b *Board) update(c Cell, stone uint64) {
	tables := b.tables
	blackEntry, whiteEntry := &b.combined[Black].Entry, &b.combined[White].Entry
	changes := b.changes
	for d := range 4 {
		line, slot := place(d, c)
		key := b.lines[d][line&63] | stone<<(2*slot&63)
		b.lines[d][line&63] = key
		w := bits.RotateLeft64(key, int(20-2*slot)) // the slot ten below the stone at bit 0
		apart := step[d]
		first := int(c) - 10*apart // the cell of that slot
		shift := uint(4*d) & 63
		others := ^(state(0x000f000f) << shift) // the classes in the other directions
		for empty := ^(w | w>>1) & b.reach; empty != 0; empty &= empty - 1 {
			low := uint(bits.TrailingZeros64(empty)) & 63 // bit of the empty cell; its neighbours start ten bits below
			black, white := tables.Classes(uint32(w>>((low-10)&63)), uint32(w>>((low+2)&63)))
			at := Cell(first+int(low>>1)*apart) & cellMask
			before := b.cells[at]
			now := before&others | (state(black)|state(white)<<16)<<shift
			if now == before {
				continue
			}
			now = now&0xffffffff | state(blackEntry[uint16(now)])<<32 | state(whiteEntry[uint16(now>>16)])<<48
			b.cells[at] = now
			changes = append(changes, Change{at, before, now})
			if (now^before)&0xf000_f000_0000_0000 != 0 {
				b.recount(before, now)
			}
		}
	}
	b.changes = changes
}

// recount moves a cell from its old cell classes to the new ones.
func (b *Board) recount(before, now state) {
	b.counts[Black][before>>44&15]--
	b.counts[Black][now>>44&15]++
	b.counts[White][before>>60]--
	b.counts[White][now>>60]++
}

// Pass gives the move to the other side without a stone: for a null move of the search, and to
// set the side to move. Undo takes it back. The outcome stays as it was. So a pass of White can leave Black without a
// legal move in an ongoing game of renju; see Stuck.
func (b *Board) Pass() {
	b.plies = append(b.plies, ply{NoCell, b.side, b.outcome, len(b.changes), b.hash, b.counts})
	b.side = b.side.Other()
}

// Undo takes back the last move or pass. It panics at the start.
func (b *Board) Undo() {
	last := &b.plies[len(b.plies)-1]
	c := last.cell
	if c != NoCell {
		b.stones--
		b.taken[c/stride%stride] &^= 1 << (c % stride)
		for d := range 4 {
			line, slot := place(d, c)
			b.lines[d][line&63] &^= 3 << (2 * slot & 63)
		}
		for i := last.changes; i < len(b.changes); i++ {
			b.cells[b.changes[i].Cell&cellMask] = b.changes[i].old
		}
		b.changes = b.changes[:last.changes]
	}
	b.side, b.outcome, b.hash, b.counts = last.side, last.outcome, last.hash, last.counts
	b.plies = b.plies[:len(b.plies)-1]
}

// Changed returns the cells whose entries the last move changed, the played cell first. The slice
// is valid until the next Play, Place, Pass or Undo; a pass changes none.
func (b *Board) Changed() []Change {
	if len(b.plies) == 0 {
		return nil
	}
	return b.changes[b.plies[len(b.plies)-1].changes:]
}

// CopyFrom makes the board equal to another of the same size and rule, history included. It
// panics where these differ.
func (b *Board) CopyFrom(from *Board) {
	if b.size != from.size || b.rule != from.rule {
		panic("board: CopyFrom needs a board of the same size and rule")
	}
	plies, changes := b.plies, b.changes
	*b = *from
	b.plies = append(plies[:0], from.plies...)
	b.changes = append(changes[:0], from.changes...)
}

// Clone returns a copy of the position with its history, independent of the board.
func (b *Board) Clone() *Board {
	c := *b
	c.plies, c.changes = slices.Clone(b.plies), slices.Clone(b.changes)
	return &c
}
