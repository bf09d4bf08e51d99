package session

import (
	"slices"
	"strings"

	"quintune/board"
	"quintune/pattern"
)

// ReadDiagram reads a board drawn as text, one line for each row from the top, as `play` prints it: X, x or ● for black, O, o or ○ for
// white, and . + - _ · for an empty cell; # and × are forbidden empty cells. Row numbers, brackets, stars and spaces are
// passed over, and so are lines that are not rows. ok is false where the rows do not make a square board.
func ReadDiagram(text string) (size int, black, white []board.Cell, ok bool) {
	var rows [][]rune
	for line := range strings.Lines(text) {
		if row := diagramRow(line); row != nil {
			rows = append(rows, row)
		}
	}
	size = len(rows)
	if size < board.MinSize || size > board.MaxSize {
		return 0, nil, nil, false
	}
	for y, row := range rows {
		if len(row) != size {
			return 0, nil, nil, false
		}
		for x, sign := range row {
			switch sign {
			case 'X':
				black = append(black, board.At(x, y))
			case 'O':
				white = append(white, board.At(x, y))
			}
		}
	}
	return size, black, white, true
}

// diagramRow returns the cells of a line as X, O and dots, nil where the line is not a row.
func diagramRow(line string) (row []rune) {
	for _, sign := range line {
		switch {
		case strings.ContainsRune("Xx●", sign):
			row = append(row, 'X')
		case strings.ContainsRune("Oo○", sign):
			row = append(row, 'O')
		case strings.ContainsRune(".+-_·#×", sign):
			row = append(row, '.')
		case !strings.ContainsRune(" \t\r\n0123456789[]|<>*", sign):
			return nil
		}
	}
	if len(row) < board.MinSize {
		return nil
	}
	return row
}

// WinningRow returns the stones that won the game, by row, then column; none while nobody has. They are
// the rows through the last stone that the rule counts.
func WinningRow(b *board.Board) []board.Cell {
	if b.Outcome() != board.BlackWins && b.Outcome() != board.WhiteWins {
		return nil
	}
	last := b.LastMove()
	colour, _ := b.Stone(last)
	long := b.Rule() == pattern.Freestyle || b.Rule() == pattern.Renju && colour == board.White
	var won []board.Cell
	for _, step := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		row := rowThrough(b, last, step)
		if len(row) == 5 || len(row) > 5 && long {
			won = append(won, row...)
		}
	}
	slices.Sort(won)
	return slices.Compact(won)
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
