package player

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/selfplay"
)

// parseExternal returns the player of a Gomocup engine.
func parseExternal(argument string) (*Player, error) {
	command := strings.TrimPrefix(argument, gomocupPrefix)
	if _, err := gomocup.SplitCommand(command); err != nil {
		return nil, fmt.Errorf("player %.80q: %w", argument, err)
	}
	return &Player{Name: text.Short(argument, maxName), Unit: engineUnit, command: command}, nil
}

// external is a Gomocup engine in a process of its own, which lives from its first game to Close
// and is started again after a crash.
type external struct {
	command string
	size    int
	rule    pattern.Rule
	limits  gomocup.GameLimits
	referee *referee // nil: games are played out

	client *gomocup.Client // nil before the first game
	known  []board.Cell    // moves that the engine has on its board
	sure   bool            // known is what it has; false after a fault
}

// NewGame starts the engine where it does not run, and empties its board.
func (e *external) NewGame(uint64) error {
	if e.client == nil || !e.client.Alive() {
		var options gomocup.ClientOptions
		if e.referee != nil {
			options.Report = e.referee.hear
		}
		client, err := gomocup.Launch(e.command, options)
		if err != nil {
			return err
		}
		e.client = client
	}
	e.known, e.sure = e.known[:0], true
	return e.client.Start(context.Background(), e.size, e.rule, e.limits)
}

// Move sends what is new of the position and returns the engine's answer.
func (e *external) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	if e.client == nil {
		return selfplay.Reply{Move: board.NoCell}, errors.New("player: Move before NewGame")
	}
	moves := position.Moves()
	if e.referee != nil {
		e.referee.announced = false
	}
	answer, err := e.ask(ctx, position, moves)
	e.known, e.sure = append(append(e.known[:0], moves...), answer.Cell), err == nil
	reply := selfplay.Reply{Move: answer.Cell, Took: answer.Elapsed}
	if err == nil && e.referee != nil {
		reply.Claim = e.referee.claim(ctx, position)
	}
	return reply, err
}

// ask uses TURN where one move is new, and the whole position otherwise.
func (e *external) ask(ctx context.Context, position *board.Board, moves []board.Cell) (gomocup.Answer, error) {
	last := len(moves) - 1
	switch {
	case last < 0:
		return e.client.Begin(ctx)
	case e.sure && slices.Equal(e.known, moves[:last]):
		return e.client.Turn(ctx, moves[last])
	}
	stones := make([]gomocup.Stone, len(moves))
	for i, cell := range moves {
		colour, _ := position.Stone(cell)
		stones[i] = gomocup.Stone{Colour: colour, Cell: cell}
	}
	return e.client.Board(ctx, stones, position.SideToMove())
}

// Close ends the engine.
func (e *external) Close() error {
	if e.client == nil {
		return nil
	}
	return e.client.Quit()
}
