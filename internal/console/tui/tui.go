// Package tui is the board in the terminal. A person plays by keyboard or mouse, and the engine searches in the
// background. It shows a session.Game and has no rules of its own.
//
// Everything can be read without colour: stones are different characters, the last move is in brackets, the
// winning row between stars, the cursor in angle brackets.
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
	Own      *player.Player   // player whose weights give hints; an embedded set is replaced on another board
	Advice   session.Strength // limits of hints
	Choices  []Choice         // opponents, the present one first
	Look     Look
	// Save saves a game and returns its path. It is called for games with at least one move.
	Save func(*session.Game) (string, error)
}

// Look is how the board looks.
type Look struct {
	ASCII    bool // no sign beyond ASCII
	Plain    bool // no colours
	Notation session.Notation
}

// Run shows the board until the person leaves, ctx is done or the terminal fails. In every case it saves the
// game. It returns the last game and its path, "" for none. The error is ctx's if that ended it, and
// context.Canceled after Ctrl-C.
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
