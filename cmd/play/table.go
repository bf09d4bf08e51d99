package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"quintune/board"
	"quintune/internal/brain"
	"quintune/internal/config"
	"quintune/internal/console/tui"
	"quintune/internal/session"
	"quintune/internal/swap2"
)

// table is a game that a person plays by lines of text.
type table struct {
	*seated
	opponent tui.Thinker
	out      io.Writer
	failure  error // first error of writing to out
	left     bool  // the person has left
}

const helpText = `moves: h8 (column letter, row number)
undo   take back your last move and the answer
redo   play what was taken back again
hint   the move that the weights would play
swap   change sides
new    another game
black, white, two   choices of an opening under swap2
quit   leave
`

// runTable plays games until quit or the end of input. However it ends, the game is saved.
func runTable(ctx context.Context, s *seated, in io.Reader, out io.Writer) error {
	t := &table{seated: s, opponent: s.opponent, out: out}
	lines, failed := readLines(ctx, in)
	t.introduce()
	err := t.reply(ctx)
	for err == nil && t.failure == nil && !t.left {
		select {
		case line, ok := <-lines:
			if ok {
				err = t.obey(ctx, line)
			} else {
				t.left, err = true, failed()
			}
		case <-ctx.Done():
			t.left = true
		}
	}
	if ctx.Err() != nil { // which ends searches and the input too
		err = config.ErrInterrupted
	}
	saved := t.save()
	return errors.Join(err, t.failure, saved)
}

// save writes the record of the game, if one was asked for and there are moves.
func (t *table) save() error {
	if !t.saver.Named() || t.game.Ply() == 0 {
		return nil
	}
	name, err := t.saver.Save(t.game)
	if err == nil && name != "" {
		t.printf("saved as %s\n", name)
	}
	return err
}

// obey executes a line. Mistakes of the person get an answer; an error is one of the engine or of ctx.
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
		if t.game.Undo() {
			t.show()
		} else {
			t.printf("There is no move of yours to take back.\n")
		}
		return nil
	case "redo":
		if !t.game.Redo() {
			t.printf("No move is taken back.\n")
			return nil
		}
		return t.reply(ctx) // which shows the board
	case "hint":
		return t.hint(ctx)
	case "new":
		return t.newGame(ctx)
	case string(session.TakeBlack), string(session.TakeWhite), string(session.PutTwo):
		return t.choose(ctx, session.Option(command))
	case "swap":
		if err := t.game.SwapSides(); err != nil {
			t.printf("%v\n", err)
			return nil
		}
		t.introduce()
		return t.reply(ctx)
	default:
		return t.move(ctx, command)
	}
}

// newGame starts another game with the same seats. The engine moves first if it is Black.
func (t *table) newGame(ctx context.Context) error {
	if err := t.save(); err != nil {
		t.printf("%v\n", err)
		return nil
	}
	b := t.game.Board()
	next, err := session.New(t.game.ID+1<<32, b.Size(), b.Rule())
	if err != nil {
		return err
	}
	next.Seats = t.game.Seats
	if t.swap2 {
		if err := next.BeginSwap2(); err != nil {
			return err
		}
	}
	t.game = next
	t.introduce()
	return t.reply(ctx)
}

// human returns the person's colour.
func (t *table) human() board.Colour {
	if t.game.Seats[board.Black].Person() {
		return board.Black
	}
	return board.White
}

// name returns the engine's name.
func (t *table) name() string { return t.game.Seats[t.human().Other()].Player.Name }

// introduce writes who plays which colour, or in an opening under swap2, where the colours are not settled, who opens.
func (t *table) introduce() {
	human := t.human()
	if t.game.Opening() != session.NoOpening { // the seats are those of the parties
		t.printf("swap2: you are the %v, %s is the %v. help lists the commands.\n", swap2.Party(human), t.name(), swap2.Party(human.Other()))
		return
	}
	t.printf("You are %v (%c), %s is %v (%c). help lists the commands.\n",
		human, stones[human], t.name(), human.Other(), stones[human.Other()])
}

// cell returns the name of a cell as the board is labelled.
func (t *table) cell(c board.Cell) string { return t.notation.Name(c, t.game.Board().Size()) }

// move plays the person's move and lets the engine answer.
func (t *table) move(ctx context.Context, text string) error {
	if _, err := board.ParseCell(text); err != nil {
		t.printf("%.20q is neither a move such as h8 nor a command; help lists them.\n", text)
		return nil
	}
	cell, err := t.notation.Parse(text, t.game.Board().Size())
	if err == nil {
		err = t.game.Play(cell)
	}
	if err != nil {
		t.printf("%s\n", t.notation.ErrorText(err, cell, t.game.Board().Size()))
		return nil
	}
	return t.reply(ctx)
}

// choose takes an option of an opening under swap2.
func (t *table) choose(ctx context.Context, o session.Option) error {
	if err := t.game.Choose(o); err != nil {
		t.printf("%v\n", err)
		return nil
	}
	if o != session.PutTwo {
		t.introduce()
	}
	return t.reply(ctx)
}

// reply lets the engine answer where it is its turn, and shows the board.
func (t *table) reply(ctx context.Context) error {
	for choices := true; choices && !t.game.Over() && !t.game.Turn().Person(); {
		answer, err := t.opponent.Answer(ctx, t.game.Ask())
		if err == nil {
			err = t.game.Apply(answer)
		}
		if err != nil {
			return err
		}
		switch choices = answer.Opening; {
		case !choices:
			t.printf("%s plays %s%s\n", t.name(), t.cell(answer.Thought.Move), session.Claim(answer.Thought.Score))
		case t.game.Opening() == session.NoOpening:
			t.introduce()
		}
	}
	t.show()
	switch step := t.game.Opening(); {
	case step == session.NoOpening:
	case step.Options() != nil:
		t.printf("swap2: %v?\n", step.Options())
	default:
		t.printf("swap2: put a %v stone.\n", t.game.Board().SideToMove())
	}
	return nil
}

func (t *table) show() {
	t.printf("%s", drawIn(t.notation, t.game.Board()))
	switch t.game.Board().Outcome() {
	case board.Ongoing:
	case board.Draw:
		t.printf("A draw. new, undo or quit?\n")
	case board.WinFor(t.human()):
		t.printf("You win. new, undo or quit?\n")
	default:
		t.printf("%s wins. new, undo or quit?\n", t.name())
	}
}

// hint prints the move that the weights would play.
func (t *table) hint(ctx context.Context) error {
	if t.game.Over() {
		t.printf("The game is over.\n")
		return nil
	}
	report, err := t.adviser.Lines(ctx, session.Task{
		Weights: t.own.Weights, Position: t.game.Board(), Game: t.game.ID, Limits: t.advice.Limits(),
	}, 1, nil)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return config.ErrInterrupted
	}
	best := report.Lines[0]
	line := make([]string, len(best.PV))
	for i, c := range best.PV {
		line[i] = t.cell(c)
	}
	t.printf("hint: %s (score %s, depth %d, line %s)\n", line[0], brain.Eval(best.Score), best.Depth, strings.Join(line, " "))
	return nil
}

// printf writes to the person; the first failure is kept.
func (t *table) printf(format string, args ...any) {
	if t.failure == nil {
		_, t.failure = fmt.Fprintf(t.out, format, args...)
	}
}
