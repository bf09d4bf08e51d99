package main

import (
	"fmt"
	"strings"

	"quintune/board"
	"quintune/pattern"
)

// Marks left and right of a cell.
const (
	markNone = ' '
	markWin  = '*'
)

// stones are the characters of the colours; an empty cell is a dot.
var stones = [2]byte{board.Black: 'X', board.White: 'O'}

// draw returns the board as plain text: column letters, rows numbered from the top, X black, O
// white, the last move in brackets, the winning row between stars.
func draw(b *board.Board) string {
	var text strings.Builder
	text.WriteString("   ")
	for x := range b.Size() {
		fmt.Fprintf(&text, " %c", 'a'+x)
	}
	text.WriteByte('\n')
	won := winningRow(b)
	for y := range b.Size() {
		fmt.Fprintf(&text, "%2d %s\n", y+1, strings.TrimRight(drawRow(b, y, won), " "))
	}
	return text.String()
}

// drawRow returns one row: a mark, then each cell and the mark right of it.
func drawRow(b *board.Board, y int, won map[board.Cell]bool) string {
	row := []byte(strings.Repeat(string(rune(markNone)), 2*b.Size()+1))
	for x := range b.Size() {
		cell := board.At(x, y)
		row[2*x+1] = '.'
		if colour, ok := b.Stone(cell); ok {
			row[2*x+1] = stones[colour]
		}
		if won[cell] {
			row[2*x], row[2*x+2] = markWin, markWin
		}
	}
	if last := b.LastMove(); last != board.NoCell && last.Y() == y {
		row[2*last.X()], row[2*last.X()+2] = '[', ']'
	}
	return string(row)
}

// winningRow returns the stones that won the game, empty while nobody has. They are the rows
// through the last stone that the rule counts.
func winningRow(b *board.Board) map[board.Cell]bool {
	last := b.LastMove()
	if b.Outcome() != board.BlackWins && b.Outcome() != board.WhiteWins || last == board.NoCell {
		return nil
	}
	won := map[board.Cell]bool{}
	for _, step := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		row := rowThrough(b, last, step)
		if len(row) == 5 || len(row) > 5 && b.Rule() == pattern.Freestyle {
			for _, cell := range row {
				won[cell] = true
			}
		}
	}
	return won
}

// rowThrough returns the unbroken row of one colour through a stone, along a step in columns and rows.
func rowThrough(b *board.Board, through board.Cell, step [2]int) []board.Cell {
	colour, _ := b.Stone(through)
	row := []board.Cell{through}
	for _, sign := range [2]int{1, -1} {
		x, y := through.X(), through.Y()
		for {
			x, y = x+sign*step[0], y+sign*step[1]
			if x < 0 || y < 0 || x >= b.Size() || y >= b.Size() {
				break
			}
			if other, ok := b.Stone(board.At(x, y)); !ok || other != colour {
				break
			}
			row = append(row, board.At(x, y))
		}
	}
	return row
}
