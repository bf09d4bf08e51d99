package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"quintune/board"
	"quintune/internal/config"
	"quintune/search"
	"quintune/selfplay"
)

// table is where a person plays against an engine.
type table struct {
	board   *board.Board
	human   board.Colour
	name    string // of the engine
	engine  selfplay.Player
	limits  search.Limits
	adviser *search.Engine // gives hints

	out     io.Writer
	failure error // of out
	prompt  bool
	left    bool // the person has left
	games   uint64
}

const helpText = `moves: h8 (column letter, row number)
undo   take back your last move and the answer
hint   the move that the weights would play
swap   change sides
new    another game
quit   leave
`

// obey does what a line says. Mistakes of the person are answered; the error is of the engine or of ctx.
func (t *table) obey(ctx context.Context, line string) error {
	switch command := strings.ToLower(strings.TrimSpace(line)); command {
	case "":
		return nil
	case "quit", "exit":
		t.left = true
		return nil
	case "help", "?":
		t.printf("%s", helpText)
		return nil
	case "undo":
		t.undo()
		return nil
	case "hint":
		return t.hint(ctx)
	case "new":
		return t.newGame(ctx)
	case "swap":
		t.human = t.human.Other()
		t.introduce()
		return t.reply(ctx)
	default:
		return t.move(ctx, command)
	}
}

// newGame empties the board; the engine moves first if it is black.
func (t *table) newGame(ctx context.Context) error {
	t.board.Reset()
	t.adviser.NewGame()
	if err := t.engine.NewGame(t.games); err != nil {
		return t.failed(err)
	}
	t.games++
	t.introduce()
	return t.reply(ctx)
}

// introduce says who plays which colour.
func (t *table) introduce() {
	t.printf("You are %v (%c), %s is %v (%c). help lists the commands.\n",
		t.human, stones[t.human], t.name, t.human.Other(), stones[t.human.Other()])
}

// move plays the person's move and lets the engine answer.
func (t *table) move(ctx context.Context, text string) error {
	cell, err := board.ParseCell(text)
	if err != nil {
		t.printf("%.20q is neither a move such as h8 nor a command; help lists them.\n", text)
		return nil
	}
	if err := t.board.Legal(cell); err != nil {
		t.printf("%v\n", err)
		return nil
	}
	t.board.Play(cell)
	return t.reply(ctx)
}

// reply lets the engine move where it is its turn, and shows the board.
func (t *table) reply(ctx context.Context) error {
	if t.board.Outcome() == board.Ongoing && t.board.SideToMove() != t.human {
		reply, err := t.engine.Move(ctx, t.board)
		if err == nil {
			err = t.board.Legal(reply.Move)
		}
		if err != nil {
			return t.failed(err)
		}
		t.board.Play(reply.Move)
		t.printf("%s plays %v%s\n", t.name, reply.Move, claimed(reply.Claim))
	}
	t.show()
	return nil
}

// claimed tells a proven end.
func claimed(plies int) string {
	switch {
	case plies > 1:
		return fmt.Sprintf(", and wins in %d plies", plies)
	case plies < 0:
		return fmt.Sprintf(", and loses in %d plies", -plies)
	}
	return ""
}

// failed returns the error of an engine, an interruption where that is the cause.
func (t *table) failed(err error) error {
	if config.Exit(err) == config.ExitInterrupted {
		return config.ErrInterrupted
	}
	return fmt.Errorf("%s: %w", t.name, err)
}

func (t *table) show() {
	t.printf("%s", draw(t.board))
	switch t.board.Outcome() {
	case board.Ongoing:
	case board.Draw:
		t.printf("A draw. new, undo or quit?\n")
	case board.WinFor(t.human):
		t.printf("You win. new, undo or quit?\n")
	default:
		t.printf("%s wins. new, undo or quit?\n", t.name)
	}
}

// ask prompts for a line where a person can see it.
func (t *table) ask() {
	if t.prompt {
		t.printf("%v> ", t.board.SideToMove())
	}
}

// undo goes back to before the person's last move.
func (t *table) undo() {
	plies := t.board.Ply()
	back := 1
	if t.board.SideToMove() == t.human {
		back = 2
	}
	if back > plies {
		t.printf("There is no move of yours to take back.\n")
		return
	}
	for range back {
		t.board.Undo()
	}
	t.show()
}

// hint tells what the weights would play.
func (t *table) hint(ctx context.Context) error {
	if t.board.Outcome() != board.Ongoing {
		t.printf("The game is over.\n")
		return nil
	}
	r := t.adviser.Search(ctx, t.board, t.limits, nil)
	if ctx.Err() != nil {
		return config.ErrInterrupted
	}
	t.printf("hint: %v (score %s, depth %d, line %s)\n", r.Best, eval(r.Score), r.Depth, spaced(r.PV))
	return nil
}

// printf writes to the player; the first failure is kept.
func (t *table) printf(format string, args ...any) {
	if t.failure == nil {
		_, t.failure = fmt.Fprintf(t.out, format, args...)
	}
}
