package gomocup

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"quintune/board"
)

// What follows is for the tests in package gomocup_test, which play whole games by gomocuptest.

// LaunchLine is launchLine.
var LaunchLine = launchLine

// Player returns a client of an engine that runs in this process behind pipes.
func Player(t *testing.T, engine Engine) *Client { return Overheard(t, engine, io.Discard) }

// Overheard is Player; heard gets what the engine reads.
func Overheard(t *testing.T, engine Engine, heard io.Writer) *Client {
	commands, to := io.Pipe()
	from, answers := io.Pipe()
	go func() {
		Serve(context.Background(), io.TeeReader(commands, heard), answers, engine, ServeOptions{})
		commands.Close()
		answers.Close()
	}()
	c := newTestClient(from, to, ClientOptions{Tolerance: time.Minute})
	t.Cleanup(func() {
		if err := c.Quit(); err != nil {
			t.Errorf("Quit: %v", err)
		}
	})
	return c
}

// RowPlayer fills rows from the left, starting in its own row.
func RowPlayer(row int) Engine {
	return MovePlayer(func(p Position) (board.Cell, error) {
		for i := range p.Size * p.Size {
			c := board.At(i%p.Size, (row+i/p.Size)%p.Size)
			if p.at(c) < 0 {
				return c, nil
			}
		}
		return board.NoCell, errors.New("full")
	})
}

// MovePlayer moves by the function; without one it takes the first empty cell from the centre on.
func MovePlayer(move func(Position) (board.Cell, error)) Engine {
	return &fakeEngine{quiet: true, move: move}
}
