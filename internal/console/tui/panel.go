package tui

import (
	"fmt"
	"strings"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/session"
	"quintune/internal/swap2"
	"quintune/search"
)

// commandsRow is the row of the panel in which the commands begin, two in a row.
const commandsRow = 14

// lineRows is how many rows of the panel the expected line may take.
const lineRows = 3

// panel returns the lines beside the board.
func (m *model) panel(width int) []string {
	switch {
	case m.dialog != nil:
		return m.dialogLines(width)
	case m.help:
		return m.helpLines(width)
	}
	b := m.Game.Board()
	lines := []string{
		m.ink.strong.Render("Quintune") + m.ink.quiet.Render(clip(fmt.Sprintf("  %v %d×%d", b.Rule(), b.Size(), b.Size()), width-8)),
		"",
		m.seat(board.Black, width),
		m.seat(board.White, width),
		"",
		m.bar(width),
		m.ink.quiet.Render(clip(m.verdict(), width)),
		"",
		m.ink.quiet.Render(clip(m.count(), width)),
	}
	if m.Look.ASCII {
		lines[0] = strings.ReplaceAll(lines[0], "×", "x")
	}
	lines = append(lines, m.openingLines(width)...)
	lines = append(lines, m.lineText(width)...)
	for len(lines) < commandsRow {
		lines = append(lines, "")
	}
	return append(lines[:commandsRow], m.commandLines(width)...)
}

// seat tells who plays a colour; > marks whose turn it is.
func (m *model) seat(c board.Colour, width int) string {
	moves := m.Game.Board().SideToMove() == c
	sign := [...]string{board.Black: m.ink.black, board.White: m.ink.white}[c]
	colour := title(c.String())
	if m.Game.Opening() != session.NoOpening { // the seats are those of the parties
		party := swap2.Party(c)
		moves, sign, colour = m.Game.Chooser() == party, " ", title(party.String())
	}
	text := clip(fmt.Sprintf("%s %s  %s", sign, colour, m.seatName(c)), width-len("> "))
	if moves && !m.Game.Over() {
		return m.ink.warn.Render("> ") + m.ink.strong.Render(text)
	}
	return "  " + text
}

// seatName returns who plays a colour.
func (m *model) seatName(c board.Colour) string {
	if seat := m.Game.Seats[c]; !seat.Person() {
		return seat.Name()
	}
	if m.Game.Seats[c.Other()].Person() {
		return "a person"
	}
	return "you"
}

// bar shows Black's chances as the filled share.
func (m *model) bar(width int) string {
	cells := min(width-2, 30)
	filled := int(m.chances()*float64(cells) + 0.5)
	return "[" + strings.Repeat(m.ink.full, filled) + strings.Repeat(m.ink.half, cells-filled) + "]"
}

// chances returns Black's chances by the latest judgement, one half without any.
func (m *model) chances() float64 {
	known := m.Game.Judgement()
	switch {
	case m.Game.Board().Outcome() == board.BlackWins:
		return 1
	case m.Game.Board().Outcome() == board.WhiteWins:
		return 0
	case !known.Known || m.Game.Over():
		return 0.5
	}
	return known.Chances(m.Own.Weights)
}

// verdict returns in words how the position stands.
func (m *model) verdict() string {
	known := m.Game.Judgement()
	if m.Game.Over() {
		return title(m.Game.Board().Outcome().String())
	}
	if !known.Known {
		return "no evaluation yet (h asks)"
	}
	switch plies := search.PliesToWin(known.Score); {
	case plies > 0:
		return fmt.Sprintf("Black wins in %d (proven)", plies)
	case plies < 0:
		return fmt.Sprintf("White wins in %d (proven)", -plies)
	}
	switch analysis.Expected(known.Score) {
	case analysis.ExpectedWin:
		return "Black wins, it seems"
	case analysis.ExpectedLoss:
		return "White wins, it seems"
	}
	return fmt.Sprintf("Black %.0f %%  (%+d, depth %d)", 100*m.chances(), known.Score, known.Depth)
}

// count tells how far the game is.
func (m *model) count() string {
	text := fmt.Sprintf("move %d", m.Game.Ply())
	if undone := len(m.Game.Line()) - m.Game.Ply(); undone > 0 {
		text += fmt.Sprintf(" (%d undone)", undone)
	}
	if last := m.Game.Board().LastMove(); last != board.NoCell {
		text += ", last " + m.name(last)
	}
	return text + ", cursor " + m.name(m.cursor)
}

// lineText tells the moves that are expected, where they are asked for.
func (m *model) lineText(width int) []string {
	if !m.showLine {
		return nil
	}
	moves := m.expected()
	if len(moves) == 0 {
		return []string{m.ink.quiet.Render("line: none is known here")}
	}
	text := "line:"
	var lines []string
	for _, c := range moves {
		if name := m.name(c); len(text)+1+len(name) <= width {
			text += " " + name
		} else {
			lines, text = append(lines, text), " "+name
		}
	}
	lines = append(lines, text)
	return lines[:min(len(lines), lineRows)]
}

// listed returns the commands that the panel lists.
func listed() []command {
	var list []command
	for _, c := range commands() {
		if c.name != "" {
			list = append(list, c)
		}
	}
	return list
}

// commandLines lists the commands with their keys, two in a row.
func (m *model) commandLines(width int) []string {
	list := listed()
	var lines []string
	for i := 0; i < len(list); i += 2 {
		line := pad(m.commandText(list[i]), width/2)
		if i+1 < len(list) {
			line += m.commandText(list[i+1])
		}
		lines = append(lines, line)
	}
	return append(lines, m.ink.quiet.Render(clip("[ ] look back   ? help", width)))
}

func (m *model) commandText(c command) string { return m.ink.key.Render(c.key) + " " + c.name }

// commandAt returns the command of the panel at a place of the screen.
func (m *model) commandAt(x, y int) (command, bool) {
	width := m.panelWidth()
	x -= m.panelLeft()
	if !m.hasPanel() || x < 0 || y < commandsRow {
		return command{}, false
	}
	i := (y - commandsRow) * 2
	if x >= width/2 {
		i++
	}
	if list := listed(); i < len(list) {
		return list[i], true
	}
	return command{}, false
}

// helpLines explains signs and keys.
func (m *model) helpLines(width int) []string {
	text := []string{
		"Signs", "",
		m.ink.black + " black   " + m.ink.white + " white",
		"[ ] last move   * * winning row",
		"> < cursor      { } both",
		m.ink.hint + " hint   1 2 3 expected line",
		m.ink.forbidden + " forbidden to Black (renju)", "",
		"Keys", "",
		"arrows, enter   play by cursor",
		"g               type a move: h8",
		"u r             undo, redo",
		"[ ]             look back, forth",
		"p               engines wait, go on",
		"h l             hint, line",
		"x n s q         swap, new, save, quit", "",
		"The bar is Black's share.",
		"Mouse: click a cell or a command;",
		"the wheel looks back.", "",
		"Any key closes this page.",
	}
	for i := range text {
		text[i] = clip(text[i], width)
	}
	return text
}
