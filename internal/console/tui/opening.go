package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintune/internal/session"
)

// optionText returns the key of an option of the opening, and what it does.
func optionText(o session.Option) (key, text string) {
	switch o {
	case session.TakeBlack:
		return "b", "take Black"
	case session.TakeWhite:
		return "w", "take White, who is to move"
	}
	return "2", "put two stones, then they choose"
}

// choose takes an option of the opening, where it is a person's turn.
func (m *model) choose(o session.Option) tea.Cmd {
	if !m.Game.Turn().Person() {
		m.say("It is not your turn.")
		return nil
	}
	m.stop()
	if err := m.Game.Choose(o); err != nil {
		m.say(err.Error())
		return nil
	}
	m.say("")
	return m.proceed()
}

// told returns in words what an engine does.
func (m *model) told(a session.Answer) string {
	switch {
	case !a.Opening:
		return "plays " + m.name(a.Thought.Move) + session.Claim(a.Thought.Score)
	case a.Choice.Swap:
		return "takes Black."
	}
	names := make([]string, len(a.Choice.Moves))
	for i, move := range a.Choice.Moves {
		names[i] = m.name(move)
	}
	if len(names) == 1 {
		return "takes White and plays " + names[0]
	}
	return "puts " + strings.Join(names, " ")
}

// openingLines returns the next step of an opening under swap2, in words; nil in an ordinary game.
func (m *model) openingLines(width int) []string {
	step := m.Game.Opening()
	if step == session.NoOpening {
		return nil
	}
	lines := []string{m.ink.strong.Render(clip("swap2: "+m.asked(step), width))}
	if !m.Game.Turn().Person() {
		return lines
	}
	for _, o := range step.Options() {
		key, text := optionText(o)
		lines = append(lines, "  "+m.ink.key.Render(key)+" "+clip(text, width-4))
	}
	return lines
}

// asked tells whose turn it is in the opening, and for what.
func (m *model) asked(step session.Step) string {
	who := "you"
	if seat := m.Game.Turn(); !seat.Person() {
		who = seat.Player.Name
	} else if m.sides() == sideBoth {
		who = m.Game.Chooser().String()
	}
	if step.Options() != nil {
		return who + " to choose"
	}
	return fmt.Sprintf("%s to put a %v stone", who, m.Game.Board().SideToMove())
}
