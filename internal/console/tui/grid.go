package tui

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"quintune/board"
	"quintune/internal/session"
)

// The board's columns on the screen: row labels, then a mark and a sign for each cell, and a last mark.
const (
	labelWidth = 3
	cellWidth  = 2
)

// gridWidth returns the columns that a board takes.
func gridWidth(size int) int { return labelWidth + cellWidth*size + 1 }

// spot is how one cell is drawn.
type spot struct {
	sign        string
	ink         lipgloss.Style
	left, right string // marks beside it, where rank is not 0
	edge        lipgloss.Style
	rank        int // of two marks between the same cells the one of greater rank is drawn
}

// mark replaces the marks around the cell.
func (s *spot) mark(left, right string, edge lipgloss.Style, rank int) {
	s.left, s.right, s.edge, s.rank = left, right, edge, rank
}

// Ranks of marks.
const (
	rankWon = iota + 1
	rankLast
	rankCursor
)

// grid returns the lines of the board: column letters, then the rows.
func (m *model) grid() []string {
	size := m.Game.Board().Size()
	var letters strings.Builder
	for x := range size {
		letters.WriteString(" " + string(rune('a'+x)))
	}
	head := strings.Repeat(" ", labelWidth) + m.ink.label.Render(letters.String()) + " "
	lines := []string{head}
	spots := m.spots()
	for y := range size {
		lines = append(lines, m.row(y, spots[y*size:(y+1)*size]))
	}
	return lines
}

// row draws one row: its number, then each cell between its marks.
func (m *model) row(y int, spots []spot) string {
	size := len(spots)
	var text strings.Builder
	text.WriteString(m.ink.label.Render(fmt.Sprintf("%2d ", m.Look.Notation.Row(y, size))))
	for x := range size + 1 {
		mark, ink, rank := " ", m.ink.wood, 0
		if x > 0 && spots[x-1].rank > 0 {
			mark, ink, rank = spots[x-1].right, spots[x-1].edge, spots[x-1].rank
		}
		if x < size && spots[x].rank > rank {
			mark, ink = spots[x].left, spots[x].edge
		}
		text.WriteString(ink.Render(mark))
		if x < size {
			text.WriteString(spots[x].ink.Render(spots[x].sign))
		}
	}
	return text.String()
}

// spots returns how each cell is drawn, by row, then column. Stronger marks come later.
func (m *model) spots() []spot {
	b := m.Game.Board()
	size := b.Size()
	spots := make([]spot, 0, size*size)
	for y := range size {
		for x := range size {
			spots = append(spots, m.spot(board.At(x, y)))
		}
	}
	at := func(c board.Cell) *spot { return &spots[c.Y()*size+c.X()] }
	if m.showLine {
		for i, c := range m.expected() {
			if s := at(c); i < 9 && b.Empty(c) {
				s.sign, s.ink = strconv.Itoa(i+1), m.ink.aid
			}
		}
	}
	if m.hint != board.NoCell && b.Empty(m.hint) {
		at(m.hint).sign, at(m.hint).ink = m.ink.hint, m.ink.aid
	}
	for _, c := range session.WinningRow(b) {
		at(c).mark("*", "*", m.ink.won, rankWon)
	}
	if last := b.LastMove(); last != board.NoCell {
		at(last).mark("[", "]", m.ink.mark, rankLast)
	}
	m.markCursor(at(m.cursor))
	return spots
}

// markCursor puts angles around the cell of the cursor, braces where it is the last move.
func (m *model) markCursor(s *spot) {
	if s.rank == rankLast {
		s.mark("{", "}", m.ink.cursor, rankCursor)
	} else {
		s.mark(">", "<", m.ink.cursor, rankCursor)
	}
}

// spot returns a cell as it is without marks.
func (m *model) spot(c board.Cell) spot {
	b := m.Game.Board()
	switch colour, taken := b.Stone(c); {
	case taken && colour == board.Black:
		return spot{sign: m.ink.black, ink: m.ink.blackStone}
	case taken:
		return spot{sign: m.ink.white, ink: m.ink.whiteStone}
	case b.Outcome() == board.Ongoing && b.Forbidden(c):
		return spot{sign: m.ink.forbidden, ink: m.ink.foul}
	case star(b.Size(), c):
		return spot{sign: m.ink.star, ink: m.ink.point}
	}
	return spot{sign: m.ink.empty, ink: m.ink.point}
}

// star reports whether a point of the board is marked for orientation: the middle, and four around it.
func star(size int, c board.Cell) bool {
	if size < 9 || size%2 == 0 {
		return false
	}
	edge, middle := 3, size/2
	onEdge := func(v int) bool { return v == edge || v == size-1-edge }
	return c.X() == middle && c.Y() == middle || onEdge(c.X()) && onEdge(c.Y())
}
