package engine

import (
	"context"
	"errors"
	"slices"

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
	client    *gomocup.Client
	key       string            // what it was launched for: another key needs another process
	folder    string            // working folder of this player, removed with it; "" for none
	reread    string            // folder of the file that it was last told to read; "" for none
	hear      func(line string) // takes the lines that are not answers
	begun     *Conditions       // conditions of its last game: where they stay the same RESTART is enough; nil before the first game
	noRestart bool              // it did not follow RESTART
	spent     bool              // it failed: nobody plays with it any more
}

// source hands out processes and takes them back.
type source interface {
	take() (*process, error)
	give(p *process)
}

// player is an outside engine that plays. It holds a process from its first game on; another takes its place after a fault.
type player struct {
	source     source
	conditions Conditions
	info       []string // lines after every START and RESTART
	restarts   bool     // later games begin with RESTART
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

// briefLine asks for one message a search, with the last score: every line more is a change of process more.
const briefLine = "INFO show_detail 0"

func newPlayer(p *player) (*player, error) {
	var err error
	p.referee, err = newReferee(p.conditions)
	return p, err
}

// commandLine is the source of processes that are not shared.
type commandLine string

func (c commandLine) take() (*process, error) {
	p := &process{}
	var err error
	p.client, err = gomocup.Launch(string(c), gomocup.ClientOptions{Report: func(line string) { p.hear(line) }})
	return p, err
}

func (commandLine) give(p *process) { _ = p.client.Quit() } // one that does not leave is killed

// NewGame empties the board of an engine that runs, or starts one.
func (p *player) NewGame(uint64) error {
	p.known, p.sure = p.known[:0], true
	if err := p.hold(); err != nil {
		return err
	}
	if !p.restart() {
		if err := p.hold(); err != nil {
			return err
		}
		c := &p.conditions
		p.process.begun = c
		if err := p.process.client.Start(context.Background(), c.Size, c.Rule, c.Limits); err != nil {
			p.process.spent = true
			return err
		}
	}
	p.process.client.Tell(p.info...)
	return nil
}

// hold takes a process, where none is held that can play.
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

// restart opens a game by RESTART and reports whether the engine follows. One that does not is asked for START from then on.
func (p *player) restart() bool {
	e := p.process
	if !p.restarts || e.noRestart || e.begun == nil || *e.begun != p.conditions {
		return false
	}
	e.noRestart = e.client.NewGame(context.Background()) != nil
	return !e.noRestart
}

// Move sends what is new of the position and returns the engine's answer.
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

// ask uses TURN where one move is new, and the whole position otherwise.
func (p *player) ask(ctx context.Context, position *board.Board, moves []board.Cell) (gomocup.Answer, error) {
	client, last := p.process.client, len(moves)-1
	switch {
	case last < 0:
		return client.Begin(ctx)
	case p.sure && slices.Equal(p.known, moves[:last]):
		return client.Turn(ctx, moves[last])
	}
	stones := make([]gomocup.Stone, len(moves))
	for i, cell := range moves {
		colour, _ := position.Stone(cell)
		stones[i] = gomocup.Stone{Colour: colour, Cell: cell}
	}
	return client.Board(ctx, stones, position.SideToMove())
}

// giveBack returns the process that is held, if any.
func (p *player) giveBack() {
	if p.process != nil {
		p.source.give(p.process)
		p.process = nil
	}
}

// Close ends the engine, or gives it back.
func (p *player) Close() error {
	p.giveBack()
	return nil
}
