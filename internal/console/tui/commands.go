package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/session"
)

// command is an action of a key or a click.
type command struct {
	key  string // as Bubble Tea spells it
	name string // of the command, "" for one that the panel does not list
	do   func(*model) tea.Cmd
}

// commands lists all of them in the panel's order.
func commands() []command {
	return []command{
		{"enter", "play", (*model).place},
		{"u", "undo", (*model).undo},
		{"r", "redo", (*model).redo},
		{"h", "hint", (*model).advise},
		{"l", "line", (*model).toggleLine},
		{"x", "swap sides", (*model).swap},
		{"n", "new game", (*model).open},
		{"s", "save", (*model).saveNow},
		{"g", "type a move", (*model).typing},
		{"q", "quit", (*model).quit},
		{"space", "", (*model).place},
		{"?", "", (*model).toggleHelp},
		{"[", "", func(m *model) tea.Cmd { return m.step(-1) }},
		{"]", "", func(m *model) tea.Cmd { return m.step(1) }},
		{"p", "", (*model).pause},
		{"b", "", func(m *model) tea.Cmd { return m.choose(session.TakeBlack) }},
		{"w", "", func(m *model) tea.Cmd { return m.choose(session.TakeWhite) }},
		{"2", "", func(m *model) tea.Cmd { return m.choose(session.PutTwo) }},
		{"up", "", func(m *model) tea.Cmd { return m.shift(0, -1) }},
		{"down", "", func(m *model) tea.Cmd { return m.shift(0, 1) }},
		{"left", "", func(m *model) tea.Cmd { return m.shift(-1, 0) }},
		{"right", "", func(m *model) tea.Cmd { return m.shift(1, 0) }},
	}
}

// key executes the command of a key. Ctrl-C always leaves.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	switch {
	case key == "ctrl+c":
		m.interrupted = true
		return m.quit()
	case m.typed != nil:
		return m.typeKey(key)
	case m.dialog != nil:
		return m.dialogKey(key)
	case m.help:
		m.help = false
		return nil
	}
	for _, c := range commands() {
		if c.key == key {
			return c.do(m)
		}
	}
	return nil
}

// quit leaves.
func (m *model) quit() tea.Cmd {
	m.stop()
	return tea.Quit
}

// shift moves the cursor within the board.
func (m *model) shift(dx, dy int) tea.Cmd {
	last := m.Game.Board().Size() - 1
	m.cursor = board.At(max(0, min(m.cursor.X()+dx, last)), max(0, min(m.cursor.Y()+dy, last)))
	return nil
}

// place plays the cell under the cursor for the person whose turn it is.
func (m *model) place() tea.Cmd {
	switch {
	case m.Game.Over():
		m.say("The game is over: n begins another, u takes moves back.")
		return nil
	case !m.Game.Turn().Person():
		m.say("It is not your turn.")
		return nil
	}
	m.stop() // a hint is not needed any more
	if err := m.Game.Play(m.cursor); err != nil {
		m.say(m.Look.Notation.ErrorText(err, m.cursor, m.Game.Board().Size()))
		return nil
	}
	m.moved()
	m.say("")
	m.announce()
	return m.proceed()
}

// moved records that there is a new stone on the board.
func (m *model) moved() { m.hint, m.paused = board.NoCell, false }

// announce says how the game has ended.
func (m *model) announce() {
	switch outcome := m.Game.Board().Outcome(); outcome {
	case board.Ongoing:
	case board.Draw:
		m.say("A draw. n begins another game, u takes back.")
	default:
		winner := board.Black
		if outcome == board.WhiteWins {
			winner = board.White
		}
		m.say(fmt.Sprintf("%s wins (%s). n begins another game, u takes back.", title(winner.String()), m.seatName(winner)))
	}
}

// undo takes back to the person's last move.
func (m *model) undo() tea.Cmd {
	return m.travel(m.Game.Undo, "There is no move of yours to take back.")
}

// redo plays undone moves again.
func (m *model) redo() tea.Cmd { return m.travel(m.Game.Redo, "No move is undone.") }

func (m *model) travel(walk func() bool, none string) tea.Cmd {
	m.stop()
	m.hint = board.NoCell
	if !walk() {
		m.say(none)
	} else {
		m.say("")
		m.paused = false
		m.announce()
	}
	return m.proceed()
}

// step shows another position of the game; engines wait meanwhile.
func (m *model) step(plies int) tea.Cmd {
	ply := m.Game.Ply() + plies
	if ply < 0 || ply > len(m.Game.Line()) {
		return nil
	}
	if err := m.Game.GoTo(ply); err != nil {
		m.say(err.Error())
		return nil
	}
	m.stop()
	m.hint = board.NoCell
	m.paused = true
	m.say(fmt.Sprintf("Move %d of %d. p goes on from here.", ply, len(m.Game.Line())))
	return nil
}

// pause stops or restarts the engines' play.
func (m *model) pause() tea.Cmd {
	m.paused = !m.paused
	if m.paused {
		m.stop()
		m.say("Engines wait. p goes on.")
		return nil
	}
	m.say("")
	return m.proceed()
}

// swap changes sides; the engine goes on with the other colour.
func (m *model) swap() tea.Cmd {
	if err := m.Game.SwapSides(); err != nil {
		m.say(err.Error())
		return nil
	}
	m.stop()
	m.paused = false
	m.say("Sides are swapped.")
	return m.proceed()
}

func (m *model) toggleLine() tea.Cmd {
	m.showLine = !m.showLine
	return nil
}

func (m *model) toggleHelp() tea.Cmd {
	m.help = !m.help && m.wantsPanel()
	return nil
}

// saveNow writes the game down.
func (m *model) saveNow() tea.Cmd {
	switch err := m.save(); {
	case err != nil:
		m.say(err.Error())
	case m.Game.Length() == 0:
		m.say("There is nothing to save yet.")
	case m.saved == "":
		m.say("Games are not saved: --record is " + session.SaveNothing + ".")
	default:
		m.say("Saved as " + m.saved)
	}
	return nil
}

// typing opens the line in which a move is typed.
func (m *model) typing() tea.Cmd {
	m.typed = new(string)
	return nil
}

// maxTyped is the longest move, such as a22.
const maxTyped = 3

// typeKey takes one key of a move that is being typed.
func (m *model) typeKey(key string) tea.Cmd {
	switch {
	case key == "esc":
		m.typed = nil
	case key == "backspace":
		*m.typed = (*m.typed)[:max(0, len(*m.typed)-1)]
	case key == "enter":
		text := *m.typed
		m.typed = nil
		cell, err := m.Look.Notation.Parse(text, m.Game.Board().Size())
		if err != nil {
			m.say(err.Error())
			return nil
		}
		m.cursor = cell
		return m.place()
	case len(key) == 1 && len(*m.typed) < maxTyped:
		*m.typed += strings.ToLower(key)
	}
	return nil
}

// name returns the name of a cell as the board is labelled.
func (m *model) name(c board.Cell) string { return m.Look.Notation.Name(c, m.Game.Board().Size()) }

// title returns the text with a capital.
func title(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
