package session

import (
	"fmt"
	"strconv"
	"strings"

	"quintune/board"
)

// Notation is how the rows of a board are numbered.
type Notation uint8

const (
	// Pos numbers rows from the top, as everywhere in the program.
	Pos Notation = iota
	// Renju numbers rows from the bottom, as the books of renju do.
	Renju
)

// NotationNames are the names that ParseNotation knows, [notation].
func NotationNames() []string { return []string{"pos", "renju"} }

// ParseNotation returns the notation with the name.
func ParseNotation(name string) (Notation, error) {
	for i, n := range NotationNames() {
		if n == name {
			return Notation(i), nil
		}
	}
	return Pos, fmt.Errorf("notation is %.20q, not one of %v", name, NotationNames())
}

// Row returns the number of row y, from 0 at the top, on a board of the size.
func (n Notation) Row(y, size int) int {
	if n == Renju {
		return size - y
	}
	return y + 1
}

// Name returns the cell on a board of the size: column letter from the left, then the row.
func (n Notation) Name(c board.Cell, size int) string {
	if c == board.NoCell {
		return c.String()
	}
	return string(rune('a'+c.X())) + strconv.Itoa(n.Row(c.Y(), size))
}

// ErrorText returns the text of an error of Game.Play, with the name of the cell that it begins with in the notation.
func (n Notation) ErrorText(err error, c board.Cell, size int) string {
	text := err.Error()
	if reason, ok := strings.CutPrefix(text, c.String()); ok {
		return n.Name(c, size) + reason
	}
	return text
}

// Parse reads a cell of a board of the size. The error names the text, or the bound.
func (n Notation) Parse(text string, size int) (board.Cell, error) {
	c, err := board.ParseCell(text)
	if err != nil {
		return c, err
	}
	if !c.On(size) {
		return board.NoCell, fmt.Errorf("%.8s on a board of size %d: %w", text, size, board.ErrOutside)
	}
	if n == Renju {
		c = board.At(c.X(), size-1-c.Y())
	}
	return c, nil
}
