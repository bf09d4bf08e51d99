package gomocup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintune/board"
	"quintune/internal/text"
	"quintune/pattern"
)

// GameConfig is one game between two engines.
type GameConfig struct {
	Size        int
	Rule        pattern.Rule
	Opening     []board.Cell // played before the engines move, black and white in turn
	Limits      GameLimits   // of each engine
	SendByBoard bool         // send the whole position before every move, instead of TURN
	DrawAfter   int          // a draw when this number of stones is on the board; 0 for a full board
}

// GameMove is a move of a game and how long it took; stones of the opening took no time.
type GameMove struct {
	Cell    board.Cell
	Elapsed time.Duration
}

// GameRecord is a finished game.
type GameRecord struct {
	Outcome board.Outcome // Draw also after DrawAfter
	Moves   []GameMove    // with the opening, without a move that was at fault
	Fault   *Fault        // that ended the game; nil when the board did
	FaultBy board.Colour  // who lost by it
}

// PlayGame plays one game on a board of its own and judges it. The engines are told START and left
// running, so that one Client plays many games; one whose Alive is false afterwards must be
// launched again. The error is of the configuration or of ctx, never of an engine; after ctx has
// ended an engine may still be thinking.
func PlayGame(ctx context.Context, black, white *Client, config GameConfig) (GameRecord, error) {
	b, err := board.New(config.Size, config.Rule)
	if err != nil {
		return GameRecord{}, err
	}
	g := &game{board: b, players: [2]*Client{black, white}, config: config}
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
	players [2]*Client
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
				err = fault(FaultIllegal, "%v", illegal)
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
	var f *Fault
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
func (g *game) ask(ctx context.Context, side board.Colour) (Answer, error) {
	player := g.players[side]
	if len(g.record.Moves) == 0 {
		return player.Begin(ctx)
	}
	if g.knows[side] && !g.config.SendByBoard {
		return player.Turn(ctx, g.board.LastMove())
	}
	g.knows[side] = true
	stones := make([]Stone, len(g.record.Moves))
	for i, m := range g.record.Moves {
		stones[i] = Stone{board.Colour(i & 1), m.Cell}
	}
	return player.Board(ctx, stones, side)
}

// statusWait is how long the exit status of an engine that closed its output is waited for.
const statusWait = time.Second

// Alive reports whether the engine can be asked more. It stays true after a fault that ends a game
// but not the engine, such as an illegal move.
func (c *Client) Alive() bool { return c.dead == nil }

// PeakMemory returns the most memory that the engine's process has held at once so far, bytes,
// without its children. ok is false where that is not known: behind streams, after the engine has
// ended, and on systems other than Linux.
func (c *Client) PeakMemory() (peak int64, ok bool) {
	if c.process == nil || c.dead != nil {
		return 0, false
	}
	return peakMemory(c.process.pid)
}

// Quit ends the engine: END, a while to leave, then a kill. The error is a FaultTimeout when the
// kill was needed. All goroutines have ended when it returns.
func (c *Client) Quit() error {
	var late error
	if c.dead == nil {
		c.send("END")
		if !c.leaves(c.options.QuitTimeout) {
			late = fault(FaultTimeout, "did not leave within %d ms of END", c.options.QuitTimeout.Milliseconds())
		}
		c.dead = fault(FaultCrash, "the engine was ended")
	}
	c.Kill()
	return late
}

// Kill ends the engine, its process group and the client's goroutines at once. A call that waits
// in another goroutine returns a FaultCrash.
func (c *Client) Kill() {
	c.once.Do(func() { close(c.closed) })
	if c.process != nil {
		c.process.close()
	}
	for _, s := range c.streams {
		_ = s.Close()
	}
	if c.process != nil || len(c.streams) == 2 {
		c.running.Wait()
	}
}

// leaves reads on until the engine closes its output, and reports whether it did in time.
func (c *Client) leaves(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		select {
		case in, ok := <-c.lines:
			if !ok {
				return true
			}
			c.options.Report(in.text)
		case <-timer.C:
			return false
		}
	}
}

// fail ends an engine that cannot go on.
func (c *Client) fail(f *Fault) *Fault {
	c.dead = f
	c.Kill()
	return f
}

// crashed returns the fault of an engine whose output has ended.
func (c *Client) crashed() *Fault {
	if c.process == nil {
		return c.fail(fault(FaultCrash, "the engine closed its output"))
	}
	return c.fail(fault(FaultCrash, "the engine %s", c.process.lastWords(statusWait)))
}

// FaultKind says in which way an engine failed.
type FaultKind uint8

const (
	FaultStart    FaultKind = iota // the process or the board could not be started
	FaultCrash                     // the engine ended, or closed its output
	FaultTimeout                   // no answer in time; or one that came too late
	FaultIllegal                   // a move off the board, onto a stone, or against the rule
	FaultProtocol                  // ERROR, or nothing but lines that are not answers
)

// String returns the kind's name, such as "timeout".
func (k FaultKind) String() string {
	return [...]string{"start", "crash", "timeout", "illegal", "protocol"}[k]
}

// Fault is an engine's failure; it loses a game, and its methods return it as an error.
type Fault struct {
	Kind FaultKind
	Text string // what happened, printable ASCII
}

// Error returns the kind and what happened.
func (f *Fault) Error() string { return f.Kind.String() + ": " + f.Text }

// FaultKind returns the name of the kind, for those who count the faults of games.
func (f *Fault) FaultKind() string { return f.Kind.String() }

func fault(kind FaultKind, format string, args ...any) *Fault {
	return &Fault{kind, text.ASCII(fmt.Sprintf(format, args...), maxAnswer)}
}
