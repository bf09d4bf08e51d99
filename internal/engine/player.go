package engine

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/pattern"
	"quintune/selfplay"
)

// Conditions are those of all games of a player.
type Conditions struct {
	Size   int
	Rule   pattern.Rule
	Limits gomocup.GameLimits
	Wins   Wins // what announced wins do
}

// process is an engine's process, and what is known of it.
type process struct {
	client *gomocup.Client
	key    string            // values with which it was launched; others need another process
	folder string            // working folder of this process, removed with it; "" for none
	reread string            // folder of the file that it was last told to read; "" for none
	hear   func(line string) // takes the lines that are not answers
	begun  *Conditions       // conditions of its last game, nil before the first; if they stay the same, RESTART is enough
	spent  bool              // it has failed and is not used any more
}

// source hands out processes and takes them back.
type source interface {
	take() (*process, error)
	give(p *process)
}

// player is an outside engine as a player. It holds a process from its first game on, and takes another one
// after a fault.
type player struct {
	source     source
	conditions Conditions
	info       []string // lines after every START and RESTART
	games      *habits  // nil: all begin with START, as other managers do it
	referee    *referee

	process *process     // nil: none is held
	known   []board.Cell // moves that the engine has on its board
	sure    bool         // known is what it has
}

// NewPlayer returns the engine of a command line as a player with a process of its own. It is an io.Closer.
func NewPlayer(command string, conditions Conditions) (selfplay.Player, error) {
	p := &player{source: commandLine(command), conditions: conditions}
	if conditions.Wins == Confirmed {
		p.info = []string{briefLine}
	}
	return newPlayer(p)
}

// briefLine asks for one message a search, with the last score, because every further line costs a switch
// between processes.
const briefLine = "INFO show_detail 0"

func newPlayer(p *player) (*player, error) {
	var err error
	p.referee, err = newReferee(p.conditions)
	return p, err
}

// commandLine starts processes that are not shared.
type commandLine string

func (c commandLine) take() (*process, error) {
	p := &process{}
	var err error
	p.client, err = gomocup.Launch(string(c), gomocup.ClientOptions{Report: func(line string) { p.hear(line) }})
	return p, err
}

func (commandLine) give(p *process) { _ = p.client.Quit() } // one that does not leave is killed

// NewGame empties the board of a running engine, or starts one.
func (p *player) NewGame(uint64) error {
	p.known, p.sure = p.known[:0], true
	if err := p.hold(); err != nil {
		return err
	}
	opened := false
	for !opened && p.games != nil && p.process.begun != nil { // other idle processes may have played before, too
		if opened = p.again(); !opened {
			if err := p.hold(); err != nil {
				return err
			}
		}
	}
	if !opened {
		if err := p.start(); err != nil {
			p.process.spent = true
			return err
		}
	}
	p.process.client.Tell(p.info...)
	return nil
}

// start opens a game with START.
func (p *player) start() error {
	c := &p.conditions
	p.process.begun = c
	return p.process.client.Start(context.Background(), c.Size, c.Rule, c.Limits)
}

// hold takes a process if none is held that can play.
func (p *player) hold() error {
	if p.process != nil && !p.process.spent && p.process.client.Alive() {
		return nil
	}
	p.giveBack()
	taken, err := p.source.take()
	if err != nil {
		return err
	}
	taken.hear = p.referee.hear
	p.process = taken
	return nil
}

// again opens a game in a process that has played before, by RESTART or else by START, and reports whether the
// engine follows. An engine that follows neither plays each game in a new process.
func (p *player) again() bool {
	client := p.process.client
	if *p.process.begun == p.conditions && p.games.restart.try(func() error { return client.NewGame(context.Background()) }) {
		return true
	}
	if client.Alive() && p.games.start.try(p.start) {
		return true
	}
	p.process.spent = true
	return false
}

// habits records what an engine does when a process is asked for another game.
type habits struct{ restart, start habit }

// habit records whether an engine follows a command. This is tried only once, because an engine that does not
// follow may cost the whole waiting time. A failure after a success is a fault of the process.
type habit struct{ atomic.Int32 }

const (
	untried = int32(iota)
	followed
	ignored
)

// try asks for the command, unless the engine is known not to follow it, and reports whether it did.
func (h *habit) try(ask func() error) bool {
	if h.Load() == ignored {
		return false
	}
	if ask() != nil {
		h.CompareAndSwap(untried, ignored)
		return false
	}
	h.Store(followed)
	return true
}

// Move sends the changes of the position and returns the engine's answer.
func (p *player) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	if p.process == nil {
		return selfplay.Reply{Move: board.NoCell}, errors.New("engine: Move before NewGame")
	}
	moves := position.Moves()
	p.referee.forget()
	answer, err := p.ask(ctx, position, moves)
	p.known, p.sure = append(append(p.known[:0], moves...), answer.Cell), err == nil
	illegal := position.Legal(answer.Cell)
	p.process.spent = err != nil || illegal != nil && !errors.Is(illegal, board.ErrForbidden)
	reply := selfplay.Reply{Move: answer.Cell, Took: answer.Elapsed}
	if !p.process.spent {
		reply.Claim = p.referee.claim(ctx, position)
	}
	return reply, err
}

// ask uses BEGIN on a new board, TURN where one move is new, and the whole position otherwise.
func (p *player) ask(ctx context.Context, position *board.Board, moves []board.Cell) (gomocup.Answer, error) {
	client, last := p.process.client, len(moves)-1
	switch {
	case last < 0 && p.sure && len(p.known) == 0:
		return client.Begin(ctx)
	case last >= 0 && p.sure && slices.Equal(p.known, moves[:last]):
		return client.Turn(ctx, moves[last])
	}
	stones := make([]gomocup.Stone, len(moves))
	for i, cell := range moves {
		colour, _ := position.Stone(cell)
		stones[i] = gomocup.Stone{Colour: colour, Cell: cell}
	}
	return client.Board(ctx, stones, position.SideToMove())
}

// giveBack returns the process to its source, if one is held. Nothing that it writes from now on is this player's.
func (p *player) giveBack() {
	if p.process != nil {
		p.process.hear = func(string) {}
		p.source.give(p.process)
		p.process = nil
	}
}

// Close ends the engine, or gives it back.
func (p *player) Close() error {
	p.giveBack()
	return nil
}
