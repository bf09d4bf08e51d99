// Package boardtest provides positions for tests, and slow plain versions of package board's routines that read
// the rules off the stones.
package boardtest

import (
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// New returns an empty board.
func New(t testing.TB, size int, rule pattern.Rule) *board.Board {
	t.Helper()
	b, err := board.New(size, rule)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Moves reads moves in pos notation.
func Moves(t testing.TB, text string) []board.Cell {
	t.Helper()
	moves, err := board.ParseMoves(text)
	if err != nil {
		t.Fatal(err)
	}
	return moves
}

// SetUp returns a board after the moves, colours alternating. Black may stand on forbidden cells.
func SetUp(t testing.TB, size int, rule pattern.Rule, moves string) *board.Board {
	t.Helper()
	b := New(t, size, rule)
	for _, c := range Moves(t, moves) {
		if err := b.Vacant(c); err != nil {
			t.Fatalf("%s: %v", moves, err)
		}
		b.Play(c)
	}
	return b
}

// Cells returns all cells of a board of the size, by row, then column.
func Cells(size int) []board.Cell {
	cells := make([]board.Cell, 0, size*size)
	for i := range size * size {
		cells = append(cells, board.At(i%size, i/size))
	}
	return cells
}

// PlayRandom plays n random moves near the stones, fewer where the game ends before.
func PlayRandom(b *board.Board, rng *rand.Rand, n int) {
	var cells []board.Cell
	for range n {
		cells = b.Near(cells[:0])
		if b.Outcome() != board.Ongoing || len(cells) == 0 {
			return
		}
		b.Play(cells[rng.IntN(len(cells))])
	}
}

// Fill puts random stones on the cells, in order, until the given number of cells is empty. The given share of
// the stones is black. It makes no five. Black is to move.
func Fill(b *board.Board, rng *rand.Rand, cells []board.Cell, empty, blackPercent int) {
	for _, c := range cells {
		if b.Size()*b.Size()-b.Stones() <= empty || b.Outcome() != board.Ongoing {
			break
		}
		colour := board.Black
		if rng.IntN(100) >= blackPercent {
			colour = board.White
		}
		if b.Class(colour, c) == pattern.CellFive {
			colour = colour.Other()
		}
		if b.Class(colour, c) != pattern.CellFive {
			b.Place(colour, c)
		}
	}
	if b.Outcome() != board.Ongoing {
		b.Undo()
	}
	if b.SideToMove() != board.Black {
		b.Pass()
	}
}

// Shuffled returns all cells of a board of the size in random order.
func Shuffled(size int, rng *rand.Rand) []board.Cell {
	cells := Cells(size)
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	return cells
}

// Transform returns the images of all moves under a symmetry, 0 to board.NumSymmetries-1.
func Transform(moves []board.Cell, s, size int) []board.Cell {
	images := make([]board.Cell, len(moves))
	for i, m := range moves {
		images[i] = m.Transform(s, size)
	}
	return images
}
