package main

import (
	"fmt"
	"slices"
	"strings"

	"quintune/board"
	"quintune/internal/session"
)

// Marks left and right of a cell.
const (
	markNone = ' '
	markWin  = '*'
)

// stones are the characters of the colours; an empty cell is a dot, one that is forbidden to Black a #.
var stones = [2]byte{board.Black: 'X', board.White: 'O'}

// draw returns the board as plain text: column letters, rows numbered from the top, X black, O
// white, # forbidden to Black, the last move in brackets, the winning row between stars.
func draw(b *board.Board) string { return drawIn(session.Pos, b) }

// drawIn is draw with rows numbered by the notation.
func drawIn(n session.Notation, b *board.Board) string {
	var text strings.Builder
	text.WriteString("   ")
	for x := range b.Size() {
		fmt.Fprintf(&text, " %c", 'a'+x)
	}
	text.WriteByte('\n')
	won := session.WinningRow(b)
	for y := range b.Size() {
		fmt.Fprintf(&text, "%2d %s\n", n.Row(y, b.Size()), strings.TrimRight(drawRow(b, y, won), " "))
	}
	return text.String()
}

// drawRow returns one row: a mark, then each cell and the mark right of it.
func drawRow(b *board.Board, y int, won []board.Cell) string {
	row := []byte(strings.Repeat(string(rune(markNone)), 2*b.Size()+1))
	for x := range b.Size() {
		cell := board.At(x, y)
		row[2*x+1] = '.'
		if colour, ok := b.Stone(cell); ok {
			row[2*x+1] = stones[colour]
		} else if b.Outcome() == board.Ongoing && b.Forbidden(cell) {
			row[2*x+1] = '#'
		}
		if slices.Contains(won, cell) {
			row[2*x], row[2*x+2] = markWin, markWin
		}
	}
	if last := b.LastMove(); last != board.NoCell && last.Y() == y {
		row[2*last.X()], row[2*last.X()+2] = '[', ']'
	}
	return string(row)
}
