// Package gomocuptest is a manager of the Gomocup protocol for tests: it plays games between two engines.
package gomocuptest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/pattern"
)

// GameConfig is one game between two engines.
type GameConfig struct {
	Size        int
	Rule        pattern.Rule
	Opening     []board.Cell       // played before the engines move, black and white in turn
	Limits      gomocup.GameLimits // of each engine
	SendByBoard bool               // send the whole position before every move, instead of TURN
	DrawAfter   int                // a draw when this number of stones is on the board; 0 for a full board
}

// GameMove is a move of a game and how long it took; stones of the opening took no time.
type GameMove struct {
	Cell    board.Cell
	Elapsed time.Duration
}

// GameRecord is a finished game.
type GameRecord struct {
	Outcome board.Outcome  // Draw also after DrawAfter
	Moves   []GameMove     // with the opening, without a move that was at fault
	Fault   *gomocup.Fault // that ended the game; nil when the board did
	FaultBy board.Colour   // who lost by it
}

// PlayGame plays one game on a board of its own and judges it. The engines are told START and left
// running, so that one Client plays many games; one whose Alive is false afterwards must be
// launched again. The error is of the configuration or of ctx, never of an engine; after ctx has
// ended an engine may still be thinking.
func PlayGame(ctx context.Context, black, white *gomocup.Client, config GameConfig) (GameRecord, error) {
	b, err := board.New(config.Size, config.Rule)
	if err != nil {
		return GameRecord{}, err
	}
	g := &game{board: b, players: [2]*gomocup.Client{black, white}, config: config}
	if err := g.open(); err != nil {
		return GameRecord{}, err
	}
	err = g.run(ctx)
	return g.record, err
}

// game is the state of PlayGame.
type game struct {
	config  GameConfig
	board   *board.Board
	players [2]*gomocup.Client
	knows   [2]bool // the position, so that TURN will do; by colour
	record  GameRecord
}

// open plays the opening.
func (g *game) open() error {
	for i, cell := range g.config.Opening {
		if err := g.board.Legal(cell); err != nil {
			return fmt.Errorf("opening, move %d: %w", i+1, err)
		}
		g.play(cell, 0)
	}
	if g.board.Outcome() != board.Ongoing {
		return fmt.Errorf("opening: the game is over (%v)", g.board.Outcome())
	}
	empty := len(g.config.Opening) == 0
	g.knows = [2]bool{empty, empty}
	return nil
}

func (g *game) play(cell board.Cell, elapsed time.Duration) {
	g.board.Play(cell)
	g.record.Moves = append(g.record.Moves, GameMove{cell, elapsed})
}

// run starts both engines and lets them move until the game is over.
func (g *game) run(ctx context.Context) error {
	for colour, player := range g.players {
		err := player.Start(ctx, g.config.Size, g.config.Rule, g.config.Limits)
		if lost, err := g.loses(board.Colour(colour), err); lost || err != nil {
			return err
		}
	}
	for !g.over() {
		side := g.board.SideToMove()
		answer, err := g.ask(ctx, side)
		if err == nil {
			if illegal := g.board.Legal(answer.Cell); illegal != nil {
				err = &gomocup.Fault{Kind: gomocup.FaultIllegal, Text: illegal.Error()}
			}
		}
		if lost, err := g.loses(side, err); lost || err != nil {
			return err
		}
		g.play(answer.Cell, answer.Elapsed)
	}
	return nil
}

// loses records the loss of a colour whose engine is at fault; any other error is returned.
func (g *game) loses(colour board.Colour, err error) (lost bool, other error) {
	var f *gomocup.Fault
	if !errors.As(err, &f) {
		return false, err
	}
	g.record.Outcome, g.record.Fault, g.record.FaultBy = board.WinFor(colour.Other()), f, colour
	return true, nil
}

// over reports whether the board or DrawAfter has ended the game, and records how.
func (g *game) over() bool {
	g.record.Outcome = g.board.Outcome()
	if g.record.Outcome == board.Ongoing && g.config.DrawAfter > 0 && g.board.Stones() >= g.config.DrawAfter {
		g.record.Outcome = board.Draw
	}
	return g.record.Outcome != board.Ongoing
}

// ask gets a colour's move in the way that c-gomoku-cli does: BEGIN on an empty board, BOARD for
// a position that the engine has not seen, else TURN.
func (g *game) ask(ctx context.Context, side board.Colour) (gomocup.Answer, error) {
	player := g.players[side]
	if len(g.record.Moves) == 0 {
		return player.Begin(ctx)
	}
	if g.knows[side] && !g.config.SendByBoard {
		return player.Turn(ctx, g.board.LastMove())
	}
	g.knows[side] = true
	stones := make([]gomocup.Stone, len(g.record.Moves))
	for i, m := range g.record.Moves {
		stones[i] = gomocup.Stone{Colour: board.Colour(i & 1), Cell: m.Cell}
	}
	return player.Board(ctx, stones, side)
}
