// Package dashboard shows a run in a terminal while it is played: its present state, the curve
// against the start, the population, the largest changes of weights, and a game in progress.
package dashboard

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintune/internal/progress"
)

// frameTime is the time between two looks at the run.
const frameTime = 200 * time.Millisecond

// ErrKilled says that the user wants the program to end at once: a second Ctrl-C.
var ErrKilled = errors.New("ended at once")

// Options are what a dashboard works with.
type Options struct {
	In        io.Reader // a terminal's keys
	Out       io.Writer // the terminal
	Note      string    // shown below, such as the address of the run's page
	Interrupt func()    // asks the run to save and stop: the first Ctrl-C
}

// Run shows the history of a run until ctx is done or the user leaves with q, which returns nil and stops no run. The
// terminal is as it was afterwards. It returns ErrKilled after a second Ctrl-C, another error where the
// terminal fails.
func Run(ctx context.Context, h *progress.History, o Options) error {
	m := &model{history: h, note: o.Note, interrupt: o.Interrupt}
	program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithoutSignalHandler())
	_, err := program.Run()
	switch {
	case m.interrupts > 1:
		return ErrKilled
	case ctx.Err() != nil:
		return nil
	}
	return err
}

// tick says that it is time to look again.
type tick struct{}

// model is the state of the view; what it shows is the history's.
type model struct {
	history       *progress.History
	note          string
	interrupt     func()
	interrupts    int
	width, height int // cells, 0 until the terminal has reported its size
}

// Init starts the clock; see tea.Model.
func (m *model) Init() tea.Cmd { return next() }

func next() tea.Cmd { return tea.Tick(frameTime, func(time.Time) tea.Msg { return tick{} }) }

// Update takes keys, sizes and ticks; see tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tick:
		return m, next()
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "esc":
			return m, tea.Quit
		case "ctrl+c":
			return m, m.stop()
		case "ctrl+z":
			return m, tea.Suspend
		}
	}
	return m, nil
}

// stop asks the run to stop, and ends at once when it was asked before.
func (m *model) stop() tea.Cmd {
	if m.interrupts++; m.interrupts > 1 {
		return tea.Quit
	}
	m.interrupt()
	return nil
}

// View draws a frame; see tea.Model.
func (m *model) View() tea.View {
	foot := "q leaves this view and the run goes on · Ctrl-C saves and stops"
	if m.interrupts > 0 {
		foot = "saving and stopping · Ctrl-C ends at once"
	}
	if m.note != "" {
		foot += " · " + m.note
	}
	v := tea.NewView(frame(m.history, m.width, m.height, foot))
	v.AltScreen = true
	v.WindowTitle = "Quintune " + m.history.Run().Name
	return v
}
