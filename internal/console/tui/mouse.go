package tui

import (
	tea "charm.land/bubbletea/v2"

	"quintune/board"
)

// mouse plays where the board is clicked, does what is clicked in the panel, and turns the pages of
// the game with the wheel.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.help || m.typed != nil {
		return nil
	}
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(at)
	case tea.MouseClickMsg:
	default:
		return nil
	}
	if m.dialog != nil {
		return m.dialogClick(at.X, at.Y)
	}
	if c, ok := m.cellAt(at.X, at.Y); ok && at.Button == tea.MouseLeft {
		m.cursor = c
		return m.place()
	}
	if c, ok := m.commandAt(at.X, at.Y); ok && at.Button == tea.MouseLeft {
		return c.do(m)
	}
	return nil
}

func (m *model) wheel(at tea.Mouse) tea.Cmd {
	switch {
	case m.dialog != nil:
		return nil
	case at.Button == tea.MouseWheelUp:
		return m.step(-1)
	case at.Button == tea.MouseWheelDown:
		return m.step(1)
	}
	return nil
}

// cellAt returns the cell of the board that is drawn at a place of the screen.
func (m *model) cellAt(x, y int) (board.Cell, bool) {
	column, row := x-labelWidth, y-1
	if column < 0 || row < 0 {
		return board.NoCell, false
	}
	size := m.Game.Board().Size()
	if column /= cellWidth; column >= size || row >= size {
		return board.NoCell, false
	}
	return board.At(column, row), true
}
