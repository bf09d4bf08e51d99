// Package dashboard shows a run in a terminal while it is played: its present state, the curve
// against the start, the population, the largest changes of weights, and a game in progress.
package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"quintune/internal/progress"
)

// frameTime is the time between two frames.
const frameTime = 200 * time.Millisecond

// ErrKilled means that the user wants the program to end at once, by a second Ctrl-C.
var ErrKilled = errors.New("ended at once")

// Options are what a dashboard works with.
type Options struct {
	In        io.Reader // a terminal's keys
	Out       io.Writer // the terminal
	Address   string    // of the run's page, shown below; "": there is none
	Link      string    // of the page for other machines; "": there is none
	Code      string    // the link as a code for a phone, drawn; "": there is none
	Interrupt func()    // asks the run to save and stop: the first Ctrl-C
}

// Run shows the history of a run until ctx is done or the user leaves with q, which does not stop the run. Then
// it restores the terminal and returns nil. It returns ErrKilled after a second Ctrl-C, and another error where
// the terminal fails.
func Run(ctx context.Context, h *progress.History, o Options) error {
	m := &model{Options: o, history: h}
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

// tick is the message for the next frame.
type tick struct{}

// model is the state of the view; what it shows is the history's.
type model struct {
	Options
	history       *progress.History
	linkShown     bool // in the place of the run
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
		case "p":
			m.linkShown = m.Link != "" && !m.linkShown
		case "q", "esc":
			if m.linkShown {
				m.linkShown = false
				return m, nil
			}
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
	m.Interrupt()
	return nil
}

// View draws a frame; see tea.Model.
func (m *model) View() tea.View {
	var shown string
	if m.linkShown {
		shown = linkFrame(m.Link, m.Code, m.width, m.height)
	} else {
		shown = frame(m.history, m.width, m.height, m.foot())
	}
	v := tea.NewView(shown)
	v.AltScreen = true
	v.WindowTitle = "Quintune " + m.history.Run().Name
	return v
}

// foot returns the last line: the keys, and the address of the page. A terminal of 80 columns shows all of it.
func (m *model) foot() string {
	keys := "q leaves this view and the run goes on · Ctrl-C saves and stops"
	switch {
	case m.interrupts > 0:
		keys = "saving and stopping · Ctrl-C ends at once"
	case m.Link != "":
		keys = "p: on a phone · q leaves · Ctrl-C saves and stops"
	case m.Address != "":
		keys = "q leaves this view · Ctrl-C saves and stops"
	}
	if m.Address != "" {
		keys = m.Address + " · " + keys
	}
	return keys
}

// linkFrame draws the link and its code on a screen of a size; a note where the code does not fit.
func linkFrame(link, code string, width, height int) string {
	const foot = "p goes back"
	text := ansi.Hardwrap(link, max(1, width), false) + "\n"
	wide, high := 0, strings.Count(text+code+foot, "\n")+1
	for line := range strings.Lines(code) {
		wide = max(wide, ansi.StringWidth(line))
	}
	if wide > width || high > height {
		code = fmt.Sprintf("The code needs a terminal of %d × %d.\n", wide, high)
	}
	return text + code + foot
}
