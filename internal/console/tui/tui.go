// Package tui is the board in the terminal: a person plays by keyboard or mouse while the engine
// thinks aside. It shows a session.Game and knows no rule of its own.
//
// Everything reads without colour too: stones are different signs, the last move stands in brackets, the
// winning row between stars, the cursor between angles.
package tui

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"

	"quintune/internal/analysis"
	"quintune/internal/player"
	"quintune/internal/session"
)

// Thinker is what moves for engines and gives hints; session.Thinker is one.
type Thinker interface {
	Answer(ctx context.Context, q session.Question) (session.Answer, error)
	Lines(ctx context.Context, task session.Task, n int, report func(analysis.Report)) (analysis.Report, error)
}

// Choice is an opponent of the dialog for new games.
type Choice struct {
	Name   string
	Player *player.Player
}

// Config is what a board needs.
type Config struct {
	Game     *session.Game
	Opponent Thinker
	Adviser  Thinker          // gives hints; not the same as Opponent, which may be thinking
	Own      *player.Player   // whose weights give hints; the embedded set of a board gives way to that of the next
	Advice   session.Strength // limits of hints
	Choices  []Choice         // opponents, the present one first
	Look     Look
	// Save writes a game down and returns where; it is called with games that have moves.
	Save func(*session.Game) (string, error)
}

// Look is how the board looks.
type Look struct {
	ASCII    bool // no sign beyond ASCII
	Plain    bool // no colours
	Notation session.Notation
}

// Run shows the board until the person leaves, ctx ends or the terminal fails, and saves what was played in
// every case. It returns the last game and where it is, "" for nowhere; the error is ctx's where that ended it,
// and context.Canceled after Ctrl-C.
func Run(ctx context.Context, c Config, in io.Reader, out io.Writer) (last *session.Game, saved string, err error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(within, c)
	program := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	forget := context.AfterFunc(ctx, program.Quit) // an orderly end, which waits for its reader
	_, err = program.Run()
	forget()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case m.interrupted:
		err = context.Canceled
	}
	m.stop()
	err = errors.Join(err, m.failure, m.save())
	return m.Game, m.saved, err
}
