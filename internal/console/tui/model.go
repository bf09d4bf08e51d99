package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/session"
)

// model is the state of the screen. Bubble Tea calls it from one goroutine; searches return their results as
// messages.
type model struct {
	Config
	ctx context.Context
	ink palette

	width, height int // of the terminal, cells
	cursor        board.Cell
	dialog        *dialog // nil: closed
	typed         *string // a move that is being typed; nil: none
	help          bool
	showLine      bool
	message       string // of the status line

	thinking *thinking     // nil: no engine searches
	thoughts uint64        // begun
	beat     int           // frame of the sign that an engine is thinking
	rhythm   time.Duration // between two beats
	paused   bool          // engines wait, since the person looks at an earlier position
	hint     board.Cell
	line     []board.Cell // line of the last search, from the position after linePly moves
	linePly  int

	saved   string
	failure error // error of an engine

	interrupted bool // by Ctrl-C
}

func newModel(ctx context.Context, c Config) *model {
	m := &model{Config: c, ctx: ctx, ink: newPalette(c.Look), width: 80, height: 24, hint: board.NoCell, rhythm: beatTime}
	m.cursor = middle(c.Game)
	return m
}

// middle returns the cell in the middle of the game's board.
func middle(g *session.Game) board.Cell { return board.At(g.Board().Size()/2, g.Board().Size()/2) }

// Init lets the engine begin where it is its turn.
func (m *model) Init() tea.Cmd { return m.proceed() }

// Update takes one event.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		if !m.hasPanel() { // nobody sees dialog and help
			m.help = false
			return m, m.closeDialog()
		}
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case answerMsg:
		return m, m.answered(msg)
	case adviceMsg:
		return m, m.advised(msg)
	case beatMsg:
		if m.thinking != nil {
			m.beat++
			return m, m.tick()
		}
	}
	return m, nil
}

// say puts a text on the status line.
func (m *model) say(text string) { m.message = text }

// save writes the record of the game, if it has moves.
func (m *model) save() error {
	if m.Game.Length() == 0 || m.Save == nil {
		return nil
	}
	name, err := m.Save(m.Game)
	if err == nil {
		m.saved = name
	}
	return err
}
