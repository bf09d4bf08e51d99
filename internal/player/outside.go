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

// parseOutside returns the player of a Gomocup engine.
func parseOutside(argument string) (*Player, error) {
	command := strings.TrimPrefix(argument, gomocupPrefix)
	if _, err := gomocup.SplitCommand(command); err != nil {
		return nil, fmt.Errorf("player %.80q: %w", argument, err)
	}
	return &Player{Name: text.Short(argument, maxName), Unit: engineUnit, command: command}, nil
}

// outside is a Gomocup engine in a process of its own, which lives from its first game to Close
// and is started again after a crash.
type outside struct {
	command string
	size    int
	rule    pattern.Rule
	limits  gomocup.GameLimits

	client *gomocup.Client // nil before the first game
	known  []board.Cell    // moves that the engine has on its board
	sure   bool            // known is what it has; false after a fault
}

// NewGame starts the engine where it does not run, and empties its board.
func (o *outside) NewGame(uint64) error {
	if o.client == nil || !o.client.Alive() {
		client, err := gomocup.Launch(o.command, gomocup.ClientOptions{})
		if err != nil {
			return err
		}
		o.client = client
	}
	o.known, o.sure = o.known[:0], true
	return o.client.Start(context.Background(), o.size, o.rule, o.limits)
}

// Move sends what is new of the position and returns the engine's answer.
func (o *outside) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	if o.client == nil {
		return selfplay.Reply{Move: board.NoCell}, errors.New("player: Move before NewGame")
	}
	moves := position.Moves()
	answer, err := o.ask(ctx, position, moves)
	o.known, o.sure = append(append(o.known[:0], moves...), answer.Cell), err == nil
	return selfplay.Reply{Move: answer.Cell, Took: answer.Elapsed}, err
}

// ask uses TURN where one move is new, and the whole position otherwise.
func (o *outside) ask(ctx context.Context, position *board.Board, moves []board.Cell) (gomocup.Answer, error) {
	last := len(moves) - 1
	switch {
	case last < 0:
		return o.client.Begin(ctx)
	case o.sure && slices.Equal(o.known, moves[:last]):
		return o.client.Turn(ctx, moves[last])
	}
	stones := make([]gomocup.Stone, len(moves))
	for i, cell := range moves {
		colour, _ := position.Stone(cell)
		stones[i] = gomocup.Stone{Colour: colour, Cell: cell}
	}
	return o.client.Board(ctx, stones, position.SideToMove())
}

// Close ends the engine.
func (o *outside) Close() error {
	if o.client == nil {
		return nil
	}
	return o.client.Quit()
}
