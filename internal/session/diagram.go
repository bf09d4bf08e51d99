package session

import (
	"strings"

	"quintune/board"
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
