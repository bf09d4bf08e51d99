package text

import (
	"strings"
	"unicode/utf8"
)

// Table sets rows of the same number of cells in columns with two blanks between. Columns that left reports are set flush
// left, the others flush right. Lines have no blanks at their end.
func Table(rows [][]string, left func(column int) bool) string {
	var b strings.Builder
	if len(rows) == 0 {
		return ""
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if left(i) {
				line.WriteString(cell + space + "  ")
			} else {
				line.WriteString(space + cell + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
