package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"quintune/board"
	"quintune/internal/text"
)

const (
	gap        = 2  // columns between board and panel
	leastPanel = 26 // columns; with fewer there is no panel
)

// View draws the screen: the board, the panel beside it or who plays below it, and the status line at the bottom.
func (m *model) View() tea.View {
	view := tea.NewView(m.screen())
	view.AltScreen = true
	view.MouseMode = tea.MouseModeCellMotion
	view.WindowTitle = "Quintune"
	return view
}

// screen returns the lines of the screen.
func (m *model) screen() string {
	size := m.Game.Board().Size()
	if m.height < size+2 || m.width < gridWidth(size) {
		return fmt.Sprintf("%d columns and %d rows\nare needed, not %d, %d.\nq quits.", gridWidth(size), size+2, m.width, m.height)
	}
	lines := m.grid()
	rows := m.height - 1
	if !m.hasPanel() && len(lines)+2 <= rows {
		lines = append(lines, m.seat(board.Black, m.width), m.seat(board.White, m.width))
	}
	for len(lines) < rows {
		lines = append(lines, "")
	}
	if m.hasPanel() {
		for i, text := range m.panel(m.panelWidth()) {
			if i < rows {
				lines[i] = pad(lines[i], gridWidth(size)+gap) + text
			}
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(append(lines, m.status()), "\n")
}

// panelWidth returns the columns right of the board.
func (m *model) panelWidth() int { return m.width - m.panelLeft() }

// hasPanel reports whether the terminal is wide enough for the panel, which holds the dialog and the help too.
func (m *model) hasPanel() bool { return m.panelWidth() >= leastPanel }

// wantsPanel is hasPanel, and says so where it is not.
func (m *model) wantsPanel() bool {
	if !m.hasPanel() {
		m.say(fmt.Sprintf("%d columns are needed for this, not %d", m.panelLeft()+leastPanel, m.width))
	}
	return m.hasPanel()
}

// panelLeft returns the first column of the panel.
func (m *model) panelLeft() int { return gridWidth(m.Game.Board().Size()) + gap }

// status returns the line at the bottom.
func (m *model) status() string {
	text := m.message
	switch {
	case m.typed != nil:
		text = "move: " + *m.typed + "_  (enter plays, esc leaves)"
	case m.thinking != nil:
		text = m.thinking.about + strings.Repeat(".", 1+m.beat%3)
	}
	return m.ink.strong.Render(clip(text, m.width))
}

// pad adds blanks up to the width.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-lipgloss.Width(text)))
}

// clip cuts plain text to the width and shows what is not printable as "?".
func clip(line string, width int) string {
	line = text.Printable(line)
	if lipgloss.Width(line) <= width {
		return line
	}
	runes := []rune(line)
	for len(runes) > 0 && lipgloss.Width(string(runes)) > width-1 {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "~"
}

// palette holds the signs of the board, and their colours for a terminal that has colours.
type palette struct {
	black, white, empty, star, forbidden, hint string // signs, one cell wide
	full, half                                 string // of the bar: Black's share, White's

	wood, blackStone, whiteStone, point, mark, cursor, won, foul, aid lipgloss.Style // on the board
	label, strong, quiet, key, warn                                   lipgloss.Style
}

func newPalette(l Look) palette {
	p := palette{black: "●", white: "○", empty: "·", star: "+", forbidden: "×", hint: "?", full: "█", half: "░"}
	if l.ASCII {
		p.black, p.white, p.empty, p.forbidden, p.full, p.half = "X", "O", ".", "#", "#", "-"
	}
	if l.Plain {
		return p
	}
	on := func(foreground string) lipgloss.Style {
		return lipgloss.NewStyle().Background(lipgloss.Color("#d9a95b")).Foreground(lipgloss.Color(foreground))
	}
	ink := func(foreground string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(foreground))
	}
	p.wood, p.point = on("#4a3214"), on("#6b4a1e")
	p.blackStone, p.whiteStone = on("#000000").Bold(true), on("#ffffff").Bold(true)
	p.mark, p.won = on("#8c1d04").Bold(true), on("#7a0f00").Bold(true)
	p.cursor = lipgloss.NewStyle().Background(lipgloss.Color("#1f4e79")).Foreground(lipgloss.Color("#ffffff")).Bold(true)
	p.foul, p.aid = on("#8c1d04"), on("#0b3d91").Bold(true)
	p.label, p.quiet = ink("#9a8f80"), ink("#9a8f80")
	p.strong = lipgloss.NewStyle().Bold(true)
	p.key = ink("#6fb3ff").Bold(true)
	p.warn = ink("#ffb454").Bold(true)
	return p
}
