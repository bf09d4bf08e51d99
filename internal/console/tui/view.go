package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"quintune/internal/text"
)

const (
	gap        = 2  // columns between board and panel
	leastPanel = 26 // columns; with fewer there is no panel
)

// View draws the screen: the board, the panel beside it, and the status line at the bottom.
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
	for len(lines) < rows {
		lines = append(lines, "")
	}
	if width := m.panelWidth(); width >= leastPanel {
		for i, text := range m.panel(width) {
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
