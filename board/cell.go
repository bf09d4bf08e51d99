package board

import (
	"fmt"
	"strconv"
	"strings"
)

// Sizes of the square boards that are played, in cells.
const (
	MinSize = 5
	MaxSize = 22
)

// Cell is a point of the board: x in the low five bits (column from the left, from 0), y above
// them (row from the top, from 0).
type Cell uint16

// NoCell is outside every board; its x and y are meaningless.
const NoCell Cell = numCells - 1

const (
	stride   = 32
	numCells = 1 << 10
	cellMask = numCells - 1
)

// At returns the cell in column x (from the left) and row y (from the top), both from 0 and
// below MaxSize.
func At(x, y int) Cell { return Cell(y*stride + x) }

// X returns the column from the left, from 0.
func (c Cell) X() int { return int(c % stride) }

// Y returns the row from the top, from 0.
func (c Cell) Y() int { return int(c / stride) }

// On reports whether the cell lies on a board of the given size.
func (c Cell) On(size int) bool { return c.X() < size && c.Y() < size }

// String returns the cell in pos notation, such as h8: column letter from the left, row number
// from the top, no letter skipped. NoCell is "-".
func (c Cell) String() string {
	if c == NoCell {
		return "-"
	}
	return string(rune('a'+c.X())) + strconv.Itoa(c.Y()+1)
}

// ParseMoves reads moves in pos notation, such as "h8i9"; blanks before and after a move are skipped. The error
// names the first text that is not a cell of a board of MaxSize.
func ParseMoves(text string) ([]Cell, error) {
	var moves []Cell
	for rest := strings.TrimSpace(text); rest != ""; {
		end := 1
		for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
			end++
		}
		x := int(rest[0]) - 'a'
		row, err := strconv.Atoi(rest[1:end])
		if x < 0 || x >= MaxSize || err != nil || row < 1 || row > MaxSize || rest[1] == '0' {
			return nil, fmt.Errorf("%.8q is not a cell: want a letter a to %c and a row 1 to %d", rest, 'a'+MaxSize-1, MaxSize)
		}
		moves = append(moves, At(x, row-1))
		rest = strings.TrimLeft(rest[end:], " \t\r\n")
	}
	return moves, nil
}

// ParseCell reads one cell in pos notation.
func ParseCell(text string) (Cell, error) {
	cells, err := ParseMoves(text)
	if err != nil {
		return NoCell, err
	}
	if len(cells) != 1 {
		return NoCell, fmt.Errorf("%.8q is not one cell", text)
	}
	return cells[0], nil
}

// FormatMoves returns the moves in pos notation, without blanks.
func FormatMoves(moves []Cell) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(m.String())
	}
	return b.String()
}

// Colour is a side: Black moves first.
type Colour uint8

const (
	Black Colour = iota
	White
)

// Other returns the opponent.
func (c Colour) Other() Colour { return c ^ 1 }

// String returns "black" or "white".
func (c Colour) String() string {
	if c == Black {
		return "black"
	}
	return "white"
}
