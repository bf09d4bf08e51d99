package tui

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/player"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/weights"
)

// dialog asks for a new game.
type dialog struct {
	fields [numFields]field
	at     int    // selected field; numFields is the start button
	wrong  string // why the game cannot begin
}

// dialogKey takes a key while the dialog is open.
func (m *model) dialogKey(key string) tea.Cmd {
	d := m.dialog
	switch key {
	case "esc", "q":
		return m.closeDialog()
	case "up":
		d.move(-1)
	case "down", "tab":
		d.move(1)
	case "left":
		d.turn(-1)
	case "right", "space":
		d.turn(1)
	case "enter":
		return m.start()
	}
	return nil
}

func (m *model) closeDialog() tea.Cmd {
	m.dialog = nil
	return m.proceed()
}

// shown reports whether a field applies: only one of the ways to set the strength does.
func (d *dialog) shown(i int) bool {
	engine := d.fields[fieldColour].chosen() != sideBoth
	kind := d.fields[fieldStrength].chosen()
	switch i {
	case fieldOpponent, fieldStrength:
		return engine
	case fieldLevel:
		return engine && kind == byLevel
	case fieldNodes:
		return engine && kind == byNodes
	case fieldTime:
		return engine && kind == byTime
	}
	return true
}

// move goes to the next field that is shown.
func (d *dialog) move(step int) {
	for {
		d.at = (d.at + step + numFields + 1) % (numFields + 1)
		if d.at == numFields || d.shown(d.at) {
			return
		}
	}
}

func (d *dialog) turn(step int) {
	if d.at < numFields {
		embedded := d.embedded()
		d.fields[d.at].turn(step)
		d.wrong = ""
		if opponent := &d.fields[fieldOpponent]; opponent.chosen() == embedded {
			if i := slices.Index(opponent.options, d.embedded()); i >= 0 {
				opponent.at = i
			}
		}
	}
}

// embedded returns the name of the embedded set for the board that is chosen.
func (d *dialog) embedded() string {
	rule, err := pattern.ParseRule(d.fields[fieldRule].chosen())
	size, err2 := strconv.Atoi(d.fields[fieldSize].chosen())
	if err != nil || err2 != nil {
		return ""
	}
	return weights.EvolvedFor(rule, size)
}

// start begins the game of the dialog and saves the last one.
func (m *model) start() tea.Cmd {
	game, err := m.dialog.game(m)
	own := m.Own
	if err == nil {
		own, err = adviserOn(m.Own, m.Game.Board(), game.Board())
	}
	if err == nil {
		err = m.save()
	}
	if err != nil {
		m.dialog.wrong = err.Error()
		return nil
	}
	m.Game, m.Own, m.dialog = game, own, nil
	m.hint, m.line, m.paused = board.NoCell, nil, false
	m.cursor = middle(game)
	m.say("")
	return m.proceed()
}

// adviserOn returns the player whose weights give hints on the next board. An embedded set is replaced by that
// of the next board; weights of a file play only boards that they are made for.
func adviserOn(own *player.Player, last, next *board.Board) (*player.Player, error) {
	if chosen := own.Chosen(); chosen != own {
		return chosen.OnBoard(next.Size(), next.Rule())
	}
	name := weights.EvolvedFor(next.Rule(), next.Size())
	if own.Name == name || own.Name != weights.EvolvedFor(last.Rule(), last.Size()) {
		return own.OnBoard(next.Size(), next.Rule())
	}
	return player.Parse(name)
}

// dialogTop is the row of the first field.
const dialogTop = 2

// rows returns the fields in the order of the screen; numFields is the start.
func (d *dialog) rows() []int {
	var rows []int
	for i := range numFields {
		if d.shown(i) {
			rows = append(rows, i)
		}
	}
	return append(rows, numFields)
}

// dialogLines draws the dialog in the panel.
func (m *model) dialogLines(width int) []string {
	d := m.dialog
	lines := []string{m.ink.strong.Render("New game"), ""}
	for _, i := range d.rows() {
		text := "  start"
		if i < numFields {
			text = fmt.Sprintf("  %-12s< %s >", d.fields[i].name, d.fields[i].chosen())
		}
		text = clip(text, width)
		if i == d.at {
			text = m.ink.warn.Render("> ") + m.ink.strong.Render(text[2:])
		}
		lines = append(lines, text)
	}
	lines = append(lines, "")
	for _, line := range wrap(d.wrong, width) {
		lines = append(lines, m.ink.warn.Render(line))
	}
	return append(lines, "", m.ink.quiet.Render("up, down: field   left, right: turn"), m.ink.quiet.Render("enter: start      esc: back"))
}

// dialogClick changes the clicked field: to the option before on its left half, to the next on its right half. A
// click on the start button starts the game.
func (m *model) dialogClick(x, y int) tea.Cmd {
	d, rows := m.dialog, m.dialog.rows()
	i := y - dialogTop
	if x < m.panelLeft() || i < 0 || i >= len(rows) {
		return nil
	}
	d.at = rows[i]
	if d.at == numFields {
		return m.start()
	}
	if x < m.panelLeft()+16 {
		d.turn(-1)
	} else {
		d.turn(1)
	}
	return nil
}

// wrap breaks a paragraph at blanks into lines of the width; what is not printable becomes "?".
func wrap(paragraph string, width int) []string {
	var lines []string
	runes := []rune(text.Printable(paragraph))
	for len(runes) > width {
		end := width
		for end > 0 && runes[end] != ' ' {
			end--
		}
		if end == 0 {
			end = width
		}
		lines = append(lines, string(runes[:end]))
		runes = runes[end:]
		if runes[0] == ' ' {
			runes = runes[1:]
		}
	}
	if len(runes) > 0 {
		lines = append(lines, string(runes))
	}
	return lines
}
