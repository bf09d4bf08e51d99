package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/session"
	"quintune/search"
)

// thinking is a search in progress.
type thinking struct {
	number uint64
	cancel context.CancelFunc
	about  string
}

// answerMsg is what an engine does when it is its turn.
type answerMsg struct {
	number uint64
	answer session.Answer
	err    error
}

// adviceMsg is a hint.
type adviceMsg struct {
	number uint64
	report analysis.Report
	err    error
}

// beatMsg moves the sign that an engine is thinking.
type beatMsg struct{}

// beatTime is the time between two pictures of the sign.
const beatTime = 300 * time.Millisecond

func (m *model) tick() tea.Cmd {
	return tea.Tick(m.rhythm, func(time.Time) tea.Msg { return beatMsg{} })
}

// stop cancels the search in progress; its result will be ignored.
func (m *model) stop() {
	if m.thinking != nil {
		m.thinking.cancel()
		m.thinking = nil
	}
}

// begin records a new search and returns its number and context.
func (m *model) begin(about string) (uint64, context.Context) {
	m.stop()
	ctx, cancel := context.WithCancel(m.ctx)
	m.thoughts++
	m.thinking = &thinking{m.thoughts, cancel, about}
	return m.thoughts, ctx
}

// finished reports whether a message belongs to the search in progress, which is then over.
func (m *model) finished(number uint64) bool {
	if m.thinking == nil || m.thinking.number != number {
		return false
	}
	m.stop()
	return true
}

// proceed lets an engine think where it is its turn.
func (m *model) proceed() tea.Cmd {
	seat := m.Game.Turn()
	if m.Game.Over() || seat.Person() || m.paused || m.thinking != nil {
		return nil
	}
	number, ctx := m.begin(seat.Player.Name + " thinks")
	question := m.Game.Ask()
	return tea.Batch(m.tick(), func() tea.Msg {
		answer, err := m.Opponent.Answer(ctx, question)
		return answerMsg{number, answer, err}
	})
}

// fail ends the session with the error of an engine, unless it was told to stop.
func (m *model) fail(err error) tea.Cmd {
	if !errors.Is(err, context.Canceled) {
		m.failure = err
	}
	return tea.Quit
}

// answered does what an engine does.
func (m *model) answered(msg answerMsg) tea.Cmd {
	if !m.finished(msg.number) {
		return nil
	}
	name, ply := m.Game.Turn().Player.Name, m.Game.Ply()
	err := msg.err
	if err == nil {
		err = m.Game.Apply(msg.answer)
	}
	if err != nil {
		return m.fail(err)
	}
	m.moved()
	m.line, m.linePly = msg.answer.Thought.PV, ply
	m.say(name + " " + m.told(msg.answer))
	m.announce()
	return m.proceed()
}

// advise asks for a hint.
func (m *model) advise() tea.Cmd {
	switch {
	case m.Game.Over():
		m.say("The game is over.")
		return nil
	case m.thinking != nil:
		m.say("Wait for the move, or undo.")
		return nil
	}
	number, ctx := m.begin("looking for a hint")
	task := session.Task{Weights: m.Own.Weights, Position: m.Game.Board().Clone(), Game: m.Game.ID, Limits: m.Advice.Limits()}
	return tea.Batch(m.tick(), func() tea.Msg {
		report, err := m.Adviser.Lines(ctx, task, 1, nil)
		return adviceMsg{number, report, err}
	})
}

// advised shows a hint.
func (m *model) advised(msg adviceMsg) tea.Cmd {
	if !m.finished(msg.number) {
		return nil
	}
	if msg.err != nil {
		m.say(msg.err.Error())
		return m.proceed()
	}
	best := msg.report.Lines[0]
	ply := m.Game.Ply()
	m.Game.Eval(ply, m.Own.Weights, best.Score, best.Depth)
	m.hint, m.line, m.linePly = best.Move(), best.PV, ply
	m.cursor = best.Move()
	m.say(fmt.Sprintf("Hint: %s (%s, depth %d)", m.name(best.Move()), points(best.Score), best.Depth))
	return m.proceed()
}

// points returns a score in points, or as a proven or expected end.
func points(score int32) string {
	switch plies := search.PliesToWin(score); {
	case plies > 0:
		return fmt.Sprintf("win in %d", plies)
	case plies < 0:
		return fmt.Sprintf("loss in %d", -plies)
	}
	if end := analysis.Expected(score); end != "" {
		return end + " expected"
	}
	return fmt.Sprintf("%+d", score)
}

// expected returns the moves of the line that the game has not played yet, none if the game left the line.
func (m *model) expected() []board.Cell {
	moves := m.Game.Board().Moves()
	gone := len(moves) - m.linePly
	if gone < 0 || gone > len(m.line) {
		return nil
	}
	for i := range gone {
		if moves[m.linePly+i] != m.line[i] {
			return nil
		}
	}
	return m.line[gone:]
}
