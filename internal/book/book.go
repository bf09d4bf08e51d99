// Package book keeps openings: lists of legal, distinct, balanced positions. From each one the two sides of a
// pair play once with each colour.
//
// An opening is identified by its canonical key, which is the same for its eight images and for any order of its
// stones. The key alone determines the part of a book (train, gate or match) to which the opening belongs. So an
// opening is in the same part of every book, and the parts have no opening in common.
package book

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/pattern"
)

// Opening is the first moves of a game, Black first.
type Opening struct {
	Moves []board.Cell
	Key   uint64 // board.CanonicalKey of the moves
}

// newOpening returns the opening of the moves on a board of the given size.
func newOpening(moves []board.Cell, size int) Opening {
	return Opening{Moves: moves, Key: board.CanonicalKey(moves, size)}
}

// Book is a list of openings for one rule and size, no two with the same key. It is immutable; the methods are
// safe for concurrent use.
type Book struct {
	Rule     pattern.Rule
	Size     int // cells on a side
	Openings []Opening
}

// Hash returns the fingerprint of the book: rule, size and openings in their order; see Hash.
func (b *Book) Hash() string { return Hash(b.Rule, b.Size, b.Openings) }

// Hash returns 16 hexadecimal digits that identify the openings, their order and the order of their moves. It
// stands for the openings in the provenance of a result.
func Hash(rule pattern.Rule, size int, openings []Opening) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\n", rule, size)
	for _, o := range openings {
		fmt.Fprintln(h, board.FormatMoves(o.Moves))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Keys adds the keys of the book's openings to the set, and returns it.
func (b *Book) Keys(set map[uint64]bool) map[uint64]bool {
	for _, o := range b.Openings {
		set[o.Key] = true
	}
	return set
}

// CheckDisjoint returns an error that names the first opening of b, in its order, that is also in
// other, under the symmetries; nil when there is none.
func (b *Book) CheckDisjoint(other *Book) error {
	if b.Size != other.Size || b.Rule != other.Rule {
		return nil
	}
	taken := other.Keys(map[uint64]bool{})
	for i, o := range b.Openings {
		if taken[o.Key] {
			return fmt.Errorf("book: opening %d, %s, is in both books", i+1, board.FormatMoves(o.Moves))
		}
	}
	return nil
}

// Part is the use of an opening. Nothing that was tuned on one part is measured on it.
type Part uint8

const (
	Train Part = iota // games of the optimisers
	Gate              // the test that a candidate must pass
	Match             // matches and ladders
	// NumParts counts the parts.
	NumParts = iota
)

var partNames = [NumParts]string{"train", "gate", "match"}

// String returns "train", "gate" or "match".
func (p Part) String() string {
	if int(p) < len(partNames) {
		return partNames[p]
	}
	return fmt.Sprintf("part(%d)", uint8(p))
}

// PartOf returns the part of the opening with the canonical key. About one of four openings is for training, two
// for gates, which are long, and one for matches. The key is the least of eight hashes and so mostly a small
// number; therefore it is mixed first, and the top two bits of the result decide. This must never change, since
// stored results rely on it.
func PartOf(key uint64) Part {
	key = (key ^ key>>33) * 0xff51afd7ed558ccd
	key = (key ^ key>>33) * 0xc4ceb9fe1a85ec53
	switch (key ^ key>>33) >> 62 {
	case 0:
		return Train
	case 1, 2:
		return Gate
	default:
		return Match
	}
}

// Part returns the openings of one part, in the order of the book.
func (b *Book) Part(p Part) *Book {
	part := &Book{Rule: b.Rule, Size: b.Size}
	for _, o := range b.Openings {
		if PartOf(o.Key) == p {
			part.Openings = append(part.Openings, o)
		}
	}
	return part
}

// Block returns the n openings of a generation, in the order in which they are played: drawn from the book
// without repetition by PCG(seed, "block <generation>"). Retired openings are left out without changing the
// order of the others. retired may be nil. It is an error when fewer than n openings are left.
func (b *Book) Block(seed uint64, generation, n int, retired *Retirement) ([]Opening, error) {
	return b.take(stream.New(seed, "block %d", generation).Perm(len(b.Openings)), n, retired)
}

// Series returns the n openings of a match, gate or validation, in the order in which they are played: all
// different, drawn by PCG(seed, "series <purpose>"). A shorter series is the beginning of a longer one. Games
// are deterministic, so two players can play an opening only once. It is an error to ask for more pairs than
// there are openings.
func (b *Book) Series(seed uint64, purpose string, n int) ([]Opening, error) {
	return b.take(stream.New(seed, "series %s", purpose).Perm(len(b.Openings)), n, nil)
}

func (b *Book) take(order []int, n int, retired *Retirement) ([]Opening, error) {
	if n < 0 {
		return nil, fmt.Errorf("book: %d pairs are asked for", n)
	}
	var taken []Opening
	for _, i := range order {
		if len(taken) == n {
			break
		}
		if !retired.Retired(b.Openings[i].Key) {
			taken = append(taken, b.Openings[i])
		}
	}
	if len(taken) < n {
		return nil, fmt.Errorf("book: %d pairs need as many openings, but there are only %d (a repeated opening is the same pair again)",
			n, len(taken))
	}
	return taken, nil
}

// An opening's stones lie in a square box with this number of cells on a side.
const (
	minBox = 5
	maxBox = 6
)

// An opening has between minStones and maxStones stones; more would more often decide the game.
const (
	minStones = 3
	maxStones = 7
)

// draw returns random moves on distinct cells of a box: for half of the candidates about the centre,
// for three tenths anywhere on the board, for the rest along an edge or in a corner. After an odd number
// of stones White is to move, after an even one Black.
func draw(rng *rand.Rand, size int) []board.Cell {
	stones := minStones + rng.IntN(maxStones-minStones+1)
	side := min(size, minBox+rng.IntN(maxBox-minBox+1))
	free := size - side
	var x, y int
	switch where := rng.IntN(10); {
	case where < 5:
		x, y = central(rng, free), central(rng, free)
	case where < 8:
		x, y = rng.IntN(free+1), rng.IntN(free+1)
	default:
		x, y = free*rng.IntN(2), rng.IntN(free+1)
		if rng.IntN(2) == 1 {
			x, y = y, x
		}
	}
	moves := make([]board.Cell, stones)
	for i, c := range rng.Perm(side * side)[:stones] {
		moves[i] = board.At(x+c%side, y+c/side)
	}
	return moves
}

// central returns an offset within one cell of the middle of [0, free].
func central(rng *rand.Rand, free int) int {
	return max(0, min(free, (free+rng.IntN(2))/2-1+rng.IntN(3)))
}

// play puts the moves on the empty board. It returns false where they end the game.
func play(position *board.Board, moves []board.Cell) bool {
	position.Reset()
	for _, m := range moves {
		if position.Legal(m) != nil {
			return false
		}
		position.Play(m)
	}
	return position.Outcome() == board.Ongoing
}
