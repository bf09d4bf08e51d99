// Package book keeps openings: lists of legal, distinct, balanced positions from which both sides of a
// pair play once with each colour.
//
// An opening is known by its canonical key, which is the same for its eight images and for any order
// of its stones. The key alone says which part of a book (train, gate or match) it belongs to, so
// parts cannot mix, whichever file an opening comes from.
package book

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"quintune/board"
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

// Book is a list of openings for one rule and size, no two with the same key. It does not change;
// the methods are safe for concurrent use.
type Book struct {
	Rule     pattern.Rule
	Size     int // cells on a side
	Openings []Opening
}

// Hash returns the fingerprint of the book: rule, size and openings in their order; see Hash.
func (b *Book) Hash() string { return Hash(b.Rule, b.Size, b.Openings) }

// Hash returns 16 hexadecimal digits that identify the openings, in their order and in the order of
// their moves: what the provenance of a result says about its openings.
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
